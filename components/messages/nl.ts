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
  end: 'Dit was de eerste',
  loading: 'Laden',
  emptyTitle: 'U bent helemaal bij',
  emptyText: 'Nieuwe meldingen verschijnen hier vanzelf.',
  emptyUnreadTitle: 'Niets ongelezen',
  emptyUnreadText: 'U hebt alles gezien.',
  emptyArchivedTitle: 'Niets gearchiveerd',
  emptyArchivedText: 'Wat u archiveert, blijft hier.',
  errorTitle: 'De meldingen zijn niet geladen',
  errorText: 'De verbinding viel weg. Er is niets verloren.',
  refusedTitle: 'Deze inbox kan niet worden geopend',
  retry: 'Opnieuw proberen',
  offlineTitle: 'U bent offline.',
  unreachableTitle: 'De server is niet bereikbaar.',
  offlineText: time => `Dit was opgeslagen om ${time}.`,
  notSaved: 'Dat kon niet worden opgeslagen en is teruggedraaid.',

  optInTitle: 'Weet het ook als deze pagina dicht is',
  optInText: 'Laat deze browser meldingen tonen. U kiest welke.',
  optInYes: 'Inschakelen',
  optInNo: 'Niet nu',

  pill: arrivals,
  arrived: (n, title) => (n === 1 ? `Nieuwe melding: ${title}` : arrivals(n)),

  preferences: 'Meldingsvoorkeuren',
  preferencesText: 'Kies wat u bereikt, waar en hoe vaak.',
  preferencesKept: 'Wijzigingen gelden meteen.',
  saved: 'Opgeslagen',
  preferencesEmptyTitle: 'Nog niets te kiezen',
  preferencesEmptyText: 'Wat u ooit ontving, staat hier.',
  preferencesErrorTitle: 'De voorkeuren zijn niet geladen',

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
  often: channel => `${channel}, hoe vaak`,

  pages: 'Pagina’s',
  page: n => `Pagina ${n}`,
  previous: 'Vorige pagina',
  next: 'Volgende pagina',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `${from}–${to} van ${total}`
}
