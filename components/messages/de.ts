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
  end: 'Keine weiteren Benachrichtigungen',
  loading: 'Wird geladen',
  emptyTitle: 'Alles auf dem neuesten Stand',
  emptyText: 'Neue Benachrichtigungen erscheinen hier automatisch.',
  emptyUnreadTitle: 'Nichts ungelesen',
  emptyUnreadText: 'Neue Benachrichtigungen stehen hier, bis Sie sie gelesen haben.',
  emptyArchivedTitle: 'Nichts archiviert',
  emptyArchivedText: 'Hier erscheinen Benachrichtigungen, die Sie archivieren.',
  errorTitle: 'Ihre Benachrichtigungen wurden nicht geladen',
  errorText: 'Versuchen Sie es erneut. Hilft das nicht, prüfen Sie Ihre Verbindung.',
  moreErrorTitle: 'Einige Benachrichtigungen wurden nicht geladen',
  refusedTitle: 'Ihre Benachrichtigungen können nicht angezeigt werden',
  refusedText: 'Laden Sie die Seite neu oder melden Sie sich erneut an.',
  retry: 'Erneut versuchen',
  offlineTitle: 'Sie sind offline.',
  unreachableTitle: 'Neue Benachrichtigungen können gerade nicht geladen werden.',
  offlineText: time => `Angezeigt wird, was vor ${time} Uhr geladen wurde.`,
  notSaved: 'Ihre Änderung konnte nicht gespeichert werden und wurde rückgängig gemacht.',

  pushPromptTitle: 'Benachrichtigungen erhalten, auch wenn diese Seite geschlossen ist',
  pushPromptText: 'Erlauben Sie diesem Browser, Benachrichtigungen anzuzeigen. Sie können auswählen, welche.',
  pushPromptYes: 'Einschalten',
  pushPromptNo: 'Jetzt nicht',

  newItems: arrivals,
  arrived: (n, title) => (n === 1 ? `Neue Benachrichtigung: ${title}` : arrivals(n)),

  preferences: 'Benachrichtigungen einstellen',
  preferencesText: 'Wählen Sie, welche Benachrichtigungen Sie erhalten, wo und wie oft.',
  preferencesSaved: 'Änderungen werden automatisch gespeichert.',
  saved: 'Gespeichert',
  preferencesEmptyTitle: 'Noch keine Einstellungen für Benachrichtigungen',
  preferencesEmptyText:
    'Eine Art von Benachrichtigung erscheint hier, nachdem Sie sie zum ersten Mal erhalten haben.',
  preferencesErrorTitle: 'Ihre Einstellungen wurden nicht geladen',

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
  frequency: channel => `Häufigkeit für ${channel}`,

  pages: 'Seiten',
  page: n => `Seite ${n}`,
  previous: 'Vorige Seite',
  next: 'Nächste Seite',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `${from}–${to} von ${total}`
}
