// Spanish.

import type { Messages } from './en.ts'
import { plural } from './plural.ts'

const arrivals = plural('es', {
  many: '# de notificaciones nuevas',
  one: '# notificación nueva',
  other: '# notificaciones nuevas'
})

export const es: Messages = {
  title: 'Notificaciones',
  bell: n => `Notificaciones, ${n}`,
  bellUnread: n => `Notificaciones, ${n} sin leer`,
  bellDot: 'Notificaciones, hay sin leer',
  counter: plural('es', { many: '# de notificaciones', one: '# notificación', other: '# notificaciones' }),
  counterUnread: plural('es', {
    many: '# de notificaciones sin leer',
    one: '# notificación sin leer',
    other: '# notificaciones sin leer'
  }),

  show: 'Mostrar',
  all: 'Todas',
  unread: 'Sin leer',
  archived: 'Archivadas',
  readAll: 'Marcar todas como leídas',
  archiveAll: 'Archivar todas',
  close: 'Cerrar',
  read: 'Marcar como leída',
  markUnread: 'Marcar como no leída',
  archive: 'Archivar',
  unarchive: 'Mover a la bandeja',
  more: 'Más',
  newTab: '(se abre en otra pestaña)',
  unreadFlag: 'Sin leer.',

  now: 'ahora',
  today: 'Hoy',
  earlier: 'Antes',
  end: 'No hay más notificaciones',
  loading: 'Cargando',
  emptyTitle: 'Está al día',
  emptyText: 'Las notificaciones nuevas aparecen aquí automáticamente.',
  emptyUnreadTitle: 'Nada sin leer',
  emptyUnreadText: 'Las notificaciones nuevas aparecen aquí hasta que las lea.',
  emptyArchivedTitle: 'Nada archivado',
  emptyArchivedText: 'Aquí aparecen las notificaciones que archive.',
  errorTitle: 'No se cargaron sus notificaciones',
  errorText: 'Inténtelo de nuevo. Si no funciona, compruebe su conexión.',
  moreErrorTitle: 'Algunas notificaciones no se cargaron',
  refusedTitle: 'No se pueden mostrar sus notificaciones',
  refusedText: 'Recargue la página o vuelva a iniciar sesión.',
  retry: 'Reintentar',
  offlineTitle: 'Está sin conexión.',
  unreachableTitle: 'Ahora no se pueden cargar notificaciones nuevas.',
  offlineText: time => `Se muestra lo cargado hasta esta hora: ${time}.`,
  notSaved: 'Su cambio no se pudo guardar y se ha deshecho.',

  pushPromptTitle: 'Reciba notificaciones con esta página cerrada',
  pushPromptText: 'Permita que este navegador muestre notificaciones. Puede elegir cuáles.',
  pushPromptYes: 'Activar',
  pushPromptNo: 'Ahora no',

  newItems: arrivals,
  arrived: (n, title) => (n === 1 ? `Notificación nueva: ${title}` : arrivals(n)),

  preferences: 'Preferencias de notificaciones',
  preferencesText: 'Elija qué notificaciones recibe, dónde y con qué frecuencia.',
  preferencesSaved: 'Los cambios se guardan automáticamente.',
  saved: 'Guardado',
  preferencesEmptyTitle: 'Aún no hay preferencias de notificaciones',
  preferencesEmptyText: 'Un tipo de notificación aparece aquí después de recibirlo por primera vez.',
  preferencesErrorTitle: 'No se cargaron sus preferencias',

  INAPP_WEB: 'En la aplicación',
  EMAIL: 'Correo electrónico',
  SMS: 'SMS',
  CALL: 'Llamada',
  PUSH: 'Push en el móvil',
  WEB_PUSH: 'Push en el navegador',
  SLACK: 'Slack',

  off: 'Desactivado',
  instant: 'Al instante',
  hourly: 'Cada hora',
  daily: 'Cada día',
  weekly: 'Cada semana',
  monthly: 'Cada mes',
  always: 'Siempre activo',
  frequency: channel => `Frecuencia de ${channel}`,

  pages: 'Páginas',
  page: n => `Página ${n}`,
  previous: 'Página anterior',
  next: 'Página siguiente',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `${from}–${to} de ${total}`
}
