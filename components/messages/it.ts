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
  end: 'Non ci sono altre notifiche',
  loading: 'Caricamento',
  emptyTitle: 'Nessuna nuova notifica',
  emptyText: 'Le nuove notifiche appaiono qui automaticamente.',
  emptyUnreadTitle: 'Niente da leggere',
  emptyUnreadText: 'Le nuove notifiche appaiono qui finché non le legge.',
  emptyArchivedTitle: 'Niente in archivio',
  emptyArchivedText: 'Le notifiche che archivia appaiono qui.',
  errorTitle: 'Le Sue notifiche non sono state caricate',
  errorText: 'Riprovi. Se non basta, controlli la connessione.',
  moreErrorTitle: 'Alcune notifiche non sono state caricate',
  refusedTitle: 'Le Sue notifiche non possono essere mostrate',
  refusedText: 'Ricarichi la pagina o acceda di nuovo.',
  retry: 'Riprova',
  offlineTitle: 'È offline.',
  unreachableTitle: 'Al momento non è possibile caricare nuove notifiche.',
  offlineText: time => `Notifiche caricate prima di questa ora: ${time}.`,
  notSaved: 'La Sua modifica non è stata salvata ed è stata annullata.',

  pushPromptTitle: 'Riceva notifiche anche quando questa pagina è chiusa',
  pushPromptText: 'Permetta a questo browser di mostrare notifiche. Può scegliere quali.',
  pushPromptYes: 'Attiva',
  pushPromptNo: 'Non ora',

  newItems: arrivals,
  arrived: (n, title) => (n === 1 ? `Nuova notifica: ${title}` : arrivals(n)),

  preferences: 'Preferenze di notifica',
  preferencesText: 'Scelga quali notifiche riceve, dove e quanto spesso.',
  preferencesSaved: 'Le modifiche si salvano automaticamente.',
  saved: 'Salvato',
  preferencesEmptyTitle: 'Ancora nessuna preferenza di notifica',
  preferencesEmptyText: 'Un tipo di notifica appare qui dopo che lo ha ricevuto per la prima volta.',
  preferencesErrorTitle: 'Le Sue preferenze non sono state caricate',

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
  frequency: channel => `Frequenza per ${channel}`,

  pages: 'Pagine',
  page: n => `Pagina ${n}`,
  previous: 'Pagina precedente',
  next: 'Pagina successiva',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `${from}–${to} di ${total}`
}
