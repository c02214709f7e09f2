// French.

import type { Messages } from './en.ts'
import { plural } from './plural.ts'

const arrivals = plural('fr', {
  many: '# de nouvelles notifications',
  one: '# nouvelle notification',
  other: '# nouvelles notifications'
})

export const fr: Messages = {
  title: 'Notifications',
  bell: n => `Notifications, ${n}`,
  bellUnread: n => `Notifications, non lues : ${n}`,
  bellDot: 'Notifications, dont certaines non lues',
  counter: plural('fr', { many: '# de notifications', one: '# notification', other: '# notifications' }),
  counterUnread: plural('fr', {
    many: '# de notifications non lues',
    one: '# notification non lue',
    other: '# notifications non lues'
  }),

  show: 'Afficher',
  all: 'Toutes',
  unread: 'Non lues',
  archived: 'Archivées',
  readAll: 'Tout marquer comme lu',
  archiveAll: 'Tout archiver',
  close: 'Fermer',
  read: 'Marquer comme lue',
  markUnread: 'Marquer comme non lue',
  archive: 'Archiver',
  unarchive: 'Remettre dans la boîte',
  more: 'Plus',
  newTab: '(s’ouvre dans un nouvel onglet)',
  unreadFlag: 'Non lue.',

  now: 'à l’instant',
  today: 'Aujourd’hui',
  earlier: 'Plus tôt',
  end: 'Vous êtes arrivé à la première',
  loading: 'Chargement',
  emptyTitle: 'Vous êtes à jour',
  emptyText: 'Les nouvelles notifications apparaîtront ici d’elles-mêmes.',
  emptyUnreadTitle: 'Rien de non lu',
  emptyUnreadText: 'Vous avez tout vu.',
  emptyArchivedTitle: 'Rien d’archivé',
  emptyArchivedText: 'Ce que vous archivez est gardé ici.',
  errorTitle: 'Les notifications ne se sont pas chargées',
  errorText: 'La connexion a été coupée. Rien n’est perdu.',
  refusedTitle: 'Cette boîte ne peut pas être ouverte',
  retry: 'Réessayer',
  offlineTitle: 'Vous êtes hors ligne.',
  unreachableTitle: 'Le serveur est injoignable.',
  offlineText: time => `Voici ce qui a été gardé à ${time}.`,
  notSaved: 'Cela n’a pas pu être enregistré et a été annulé.',

  optInTitle: 'Soyez au courant même quand cette page est fermée',
  optInText: 'Laissez ce navigateur afficher des notifications. Vous choisissez lesquelles.',
  optInYes: 'Activer',
  optInNo: 'Pas maintenant',

  pill: arrivals,
  arrived: (n, title) => (n === 1 ? `Nouvelle notification : ${title}` : arrivals(n)),

  preferences: 'Préférences de notification',
  preferencesText: 'Choisissez ce qui vous parvient, où et à quelle fréquence.',
  preferencesKept: 'Les changements sont enregistrés à mesure.',
  saved: 'Enregistré',
  preferencesEmptyTitle: 'Rien à choisir pour l’instant',
  preferencesEmptyText: 'Ce que vous avez déjà reçu est listé ici.',
  preferencesErrorTitle: 'Les préférences ne se sont pas chargées',

  INAPP_WEB: 'Dans l’application',
  EMAIL: 'E-mail',
  SMS: 'SMS',
  CALL: 'Appel',
  PUSH: 'Push mobile',
  WEB_PUSH: 'Push du navigateur',
  SLACK: 'Slack',

  off: 'Désactivé',
  instant: 'Immédiat',
  hourly: 'Toutes les heures',
  daily: 'Tous les jours',
  weekly: 'Toutes les semaines',
  monthly: 'Tous les mois',
  always: 'Toujours activé',
  often: channel => `${channel}, fréquence`,

  pages: 'Pages',
  page: n => `Page ${n}`,
  previous: 'Page précédente',
  next: 'Page suivante',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `${from}–${to} sur ${total}`
}
