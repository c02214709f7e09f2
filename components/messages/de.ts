// German.

import type { Messages } from './en.ts'
import { plural } from './plural.ts'

const arrivals = plural('de', { one: '# neue Benachrichtigung', other: '# neue Benachrichtigungen' })

export const de: Messages = {
  title: 'Benachrichtigungen',
  bell: n => `Benachrichtigungen, ${n}`,
  bellUnread: n => `Benachrichtigungen, ${n} ungelesen`,
  bellDot: 'Benachrichtigungen, ungelesen',
  counter: plural('de', { one: '# Benachrichtigung', other: '# Benachrichtigungen' }),
  counterUnread: plural('de', {
    one: '# ungelesene Benachrichtigung',
    other: '# ungelesene Benachrichtigungen'
  }),

  show: 'Anzeigen',
  all: 'Alle',
  unread: 'Ungelesen',
  archived: 'Archiviert',
  readAll: 'Alle als gelesen markieren',
  archiveAll: 'Alle archivieren',
  close: 'Schließen',
  read: 'Als gelesen markieren',
  markUnread: 'Als ungelesen markieren',
  archive: 'Archivieren',
  unarchive: 'In den Eingang verschieben',
  more: 'Mehr',
  newTab: '(öffnet in neuem Tab)',
  unreadFlag: 'Ungelesen.',

  now: 'jetzt',
  today: 'Heute',
  earlier: 'Früher',
  end: 'Das war die erste',
  loading: 'Wird geladen',
  emptyTitle: 'Alles erledigt',
  emptyText: 'Neue Benachrichtigungen erscheinen hier von selbst.',
  emptyUnreadTitle: 'Nichts ungelesen',
  emptyUnreadText: 'Sie haben alles gesehen.',
  emptyArchivedTitle: 'Nichts archiviert',
  emptyArchivedText: 'Was Sie archivieren, bleibt hier.',
  errorTitle: 'Die Benachrichtigungen wurden nicht geladen',
  errorText: 'Die Verbindung brach ab. Nichts ist verloren.',
  refusedTitle: 'Dieser Eingang kann nicht geöffnet werden',
  retry: 'Erneut versuchen',
  offlineTitle: 'Sie sind offline.',
  unreachableTitle: 'Der Server ist nicht erreichbar.',
  offlineText: time => `Stand von ${time} Uhr.`,
  notSaved: 'Das konnte nicht gespeichert werden und wurde zurückgenommen.',

  optInTitle: 'Erfahren Sie es auch, wenn diese Seite geschlossen ist',
  optInText: 'Lassen Sie diesen Browser Benachrichtigungen anzeigen. Sie wählen aus, welche.',
  optInYes: 'Einschalten',
  optInNo: 'Jetzt nicht',

  pill: arrivals,
  arrived: (n, title) => (n === 1 ? `Neue Benachrichtigung: ${title}` : arrivals(n)),

  preferences: 'Benachrichtigungen einstellen',
  preferencesText: 'Wählen Sie, was Sie erreicht, wo und wie oft.',
  preferencesKept: 'Änderungen gelten sofort.',
  saved: 'Gespeichert',
  preferencesEmptyTitle: 'Noch nichts zu wählen',
  preferencesEmptyText: 'Was Sie einmal erhalten haben, steht hier.',
  preferencesErrorTitle: 'Die Einstellungen wurden nicht geladen',

  INAPP_WEB: 'In der App',
  EMAIL: 'E-Mail',
  SMS: 'SMS',
  CALL: 'Anruf',
  PUSH: 'Push aufs Handy',
  WEB_PUSH: 'Push im Browser',
  SLACK: 'Slack',

  off: 'Aus',
  instant: 'Sofort',
  hourly: 'Stündlich',
  daily: 'Täglich',
  weekly: 'Wöchentlich',
  monthly: 'Monatlich',
  always: 'Immer an',
  often: channel => `${channel}, Häufigkeit`,

  pages: 'Seiten',
  page: n => `Seite ${n}`,
  previous: 'Vorige Seite',
  next: 'Nächste Seite',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `${from}–${to} von ${total}`
}
