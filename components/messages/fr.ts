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
  end: 'Pas d’autres notifications',
  loading: 'Chargement',
  emptyTitle: 'Vous êtes à jour',
  emptyText: 'Les nouvelles notifications apparaissent ici automatiquement.',
  emptyUnreadTitle: 'Rien de non lu',
  emptyUnreadText: 'Les nouvelles notifications apparaissent ici jusqu’à ce que vous les lisiez.',
  emptyArchivedTitle: 'Rien d’archivé',
  emptyArchivedText: 'Les notifications que vous archivez apparaissent ici.',
  errorTitle: 'Vos notifications ne se sont pas chargées',
  errorText: 'Réessayez. Si cela ne suffit pas, vérifiez votre connexion.',
  moreErrorTitle: 'Certaines notifications ne se sont pas chargées',
  refusedTitle: 'Vos notifications ne peuvent pas être affichées',
  refusedText: 'Rechargez la page ou reconnectez-vous.',
  retry: 'Réessayer',
  offlineTitle: 'Vous êtes hors ligne.',
  unreachableTitle: 'Les nouvelles notifications ne peuvent pas être chargées pour le moment.',
  offlineText: time => `Voici les notifications chargées avant ${time}.`,
  notSaved: 'Votre modification n’a pas pu être enregistrée et a été annulée.',

  pushPromptTitle: 'Recevez des notifications même quand cette page est fermée',
  pushPromptText: 'Autorisez ce navigateur à afficher des notifications. Vous pouvez choisir lesquelles.',
  pushPromptYes: 'Activer',
  pushPromptNo: 'Pas maintenant',

  newItems: arrivals,
  arrived: (n, title) => (n === 1 ? `Nouvelle notification : ${title}` : arrivals(n)),

  preferences: 'Préférences de notification',
  preferencesText: 'Choisissez les notifications que vous recevez, où et à quelle fréquence.',
  preferencesSaved: 'Les modifications sont enregistrées automatiquement.',
  saved: 'Enregistré',
  preferencesEmptyTitle: 'Pas encore de préférences de notification',
  preferencesEmptyText: 'Un type de notification apparaît ici dès que vous l’avez reçu une première fois.',
  preferencesErrorTitle: 'Vos préférences ne se sont pas chargées',

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
  frequency: channel => `Fréquence pour ${channel}`,

  pages: 'Pages',
  page: n => `Page ${n}`,
  previous: 'Page précédente',
  next: 'Page suivante',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `${from}–${to} sur ${total}`
}
