// Dutch.

import type { Messages } from './en.ts'
import { plural } from './plural.ts'

const arrivals = plural('nl', { one: '# nieuwe melding', other: '# nieuwe meldingen' })

export const nl: Messages = {
  title: 'Meldingen',
  bell: n => `Meldingen, ${n}`,
  bellUnread: n => `Meldingen, ${n} ongelezen`,
  bellDot: 'Meldingen, ongelezen',
  counter: plural('nl', { one: '# melding', other: '# meldingen' }),
  counterUnread: plural('nl', { one: '# ongelezen melding', other: '# ongelezen meldingen' }),

  show: 'Tonen',
  all: 'Alle',
  unread: 'Ongelezen',
  archived: 'Gearchiveerd',
  readAll: 'Alles als gelezen markeren',
  archiveAll: 'Alles archiveren',
  close: 'Sluiten',
  read: 'Als gelezen markeren',
  markUnread: 'Als ongelezen markeren',
  archive: 'Archiveren',
  unarchive: 'Naar inbox verplaatsen',
  more: 'Meer',
  newTab: '(opent in een nieuw tabblad)',
  unreadFlag: 'Ongelezen.',

  now: 'nu',
  today: 'Vandaag',
  earlier: 'Eerder',
  end: 'Geen meldingen meer',
  loading: 'Laden',
  emptyTitle: 'U bent helemaal bij',
  emptyText: 'Nieuwe meldingen verschijnen hier automatisch.',
  emptyUnreadTitle: 'Niets ongelezen',
  emptyUnreadText: 'Nieuwe meldingen staan hier tot u ze hebt gelezen.',
  emptyArchivedTitle: 'Niets gearchiveerd',
  emptyArchivedText: 'Meldingen die u archiveert, staan hier.',
  errorTitle: 'Uw meldingen zijn niet geladen',
  errorText: 'Probeer het opnieuw. Helpt dat niet, controleer dan uw verbinding.',
  moreErrorTitle: 'Sommige meldingen zijn niet geladen',
  refusedTitle: 'Uw meldingen kunnen niet worden getoond',
  refusedText: 'Laad de pagina opnieuw of meld u opnieuw aan.',
  retry: 'Opnieuw proberen',
  offlineTitle: 'U bent offline.',
  unreachableTitle: 'Nieuwe meldingen kunnen nu niet worden geladen.',
  offlineText: time => `Dit zijn de meldingen die vóór ${time} zijn geladen.`,
  notSaved: 'Uw wijziging kon niet worden opgeslagen en is ongedaan gemaakt.',

  pushPromptTitle: 'Ontvang meldingen ook als deze pagina gesloten is',
  pushPromptText: 'Sta deze browser toe meldingen te tonen. U kunt kiezen welke.',
  pushPromptYes: 'Inschakelen',
  pushPromptNo: 'Niet nu',

  newItems: arrivals,
  arrived: (n, title) => (n === 1 ? `Nieuwe melding: ${title}` : arrivals(n)),

  preferences: 'Meldingsvoorkeuren',
  preferencesText: 'Kies welke meldingen u krijgt, waar en hoe vaak.',
  preferencesSaved: 'Wijzigingen worden automatisch opgeslagen.',
  saved: 'Opgeslagen',
  preferencesEmptyTitle: 'Nog geen meldingsvoorkeuren',
  preferencesEmptyText: 'Een soort melding staat hier nadat u die voor het eerst hebt ontvangen.',
  preferencesErrorTitle: 'Uw voorkeuren zijn niet geladen',

  INAPP_WEB: 'In de app',
  EMAIL: 'E-mail',
  SMS: 'Sms',
  CALL: 'Oproep',
  PUSH: 'Push op mobiel',
  WEB_PUSH: 'Push in de browser',
  SLACK: 'Slack',

  off: 'Uit',
  instant: 'Direct',
  hourly: 'Elk uur',
  daily: 'Dagelijks',
  weekly: 'Wekelijks',
  monthly: 'Maandelijks',
  always: 'Altijd aan',
  frequency: channel => `Frequentie voor ${channel}`,

  pages: 'Pagina’s',
  page: n => `Pagina ${n}`,
  previous: 'Vorige pagina',
  next: 'Volgende pagina',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `${from}–${to} van ${total}`
}
