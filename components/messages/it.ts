// Italian.

import type { Messages } from './en.ts'
import { plural } from './plural.ts'

const arrivals = plural('it', {
  many: '# di nuove notifiche',
  one: '# nuova notifica',
  other: '# nuove notifiche'
})

export const it: Messages = {
  title: 'Notifiche',
  bell: n => `Notifiche, ${n}`,
  bellUnread: n => `Notifiche, ${n} da leggere`,
  bellDot: 'Notifiche, alcune da leggere',
  counter: plural('it', { many: '# di notifiche', one: '# notifica', other: '# notifiche' }),
  counterUnread: plural('it', {
    many: '# di notifiche da leggere',
    one: '# notifica da leggere',
    other: '# notifiche da leggere'
  }),

  show: 'Mostra',
  all: 'Tutte',
  unread: 'Da leggere',
  archived: 'Archiviate',
  readAll: 'Segna tutte come lette',
  archiveAll: 'Archivia tutte',
  close: 'Chiudi',
  read: 'Segna come letta',
  markUnread: 'Segna come da leggere',
  archive: 'Archivia',
  unarchive: 'Riporta in arrivo',
  more: 'Altro',
  newTab: '(si apre in una nuova scheda)',
  unreadFlag: 'Da leggere.',

  now: 'ora',
  today: 'Oggi',
  earlier: 'Prima',
  end: 'Questa è la prima',
  loading: 'Caricamento',
  emptyTitle: 'È tutto a posto',
  emptyText: 'Le nuove notifiche appariranno qui da sole.',
  emptyUnreadTitle: 'Niente da leggere',
  emptyUnreadText: 'Ha visto tutto.',
  emptyArchivedTitle: 'Niente in archivio',
  emptyArchivedText: 'Ciò che archivia resta qui.',
  errorTitle: 'Le notifiche non sono state caricate',
  errorText: 'La connessione si è interrotta. Nulla è andato perso.',
  refusedTitle: 'Questa casella non si può aprire',
  retry: 'Riprova',
  offlineTitle: 'È offline.',
  unreachableTitle: 'Il server non è raggiungibile.',
  offlineText: time => `Ecco ciò che era salvato (${time}).`,
  notSaved: 'Non è stato possibile salvare: la modifica è annullata.',

  optInTitle: 'Lo sappia anche quando questa pagina è chiusa',
  optInText: 'Permetta a questo browser di mostrare notifiche. Sceglie Lei quali.',
  optInYes: 'Attiva',
  optInNo: 'Non ora',

  pill: arrivals,
  arrived: (n, title) => (n === 1 ? `Nuova notifica: ${title}` : arrivals(n)),

  preferences: 'Preferenze di notifica',
  preferencesText: 'Scelga che cosa riceve, dove e quanto spesso.',
  preferencesKept: 'Le modifiche si salvano da sole.',
  saved: 'Salvato',
  preferencesEmptyTitle: 'Ancora niente da scegliere',
  preferencesEmptyText: 'Qui compare ciò che ha già ricevuto.',
  preferencesErrorTitle: 'Le preferenze non sono state caricate',

  INAPP_WEB: 'Nell’app',
  EMAIL: 'E-mail',
  SMS: 'SMS',
  CALL: 'Chiamata',
  PUSH: 'Push sul telefono',
  WEB_PUSH: 'Push del browser',
  SLACK: 'Slack',

  off: 'Disattivato',
  instant: 'Subito',
  hourly: 'Ogni ora',
  daily: 'Ogni giorno',
  weekly: 'Ogni settimana',
  monthly: 'Ogni mese',
  always: 'Sempre attivo',
  often: channel => `${channel}, frequenza`,

  pages: 'Pagine',
  page: n => `Pagina ${n}`,
  previous: 'Pagina precedente',
  next: 'Pagina successiva',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `${from}–${to} di ${total}`
}
