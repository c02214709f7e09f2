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
  end: 'Ha llegado a la primera',
  loading: 'Cargando',
  emptyTitle: 'Está al día',
  emptyText: 'Las notificaciones nuevas aparecerán aquí por sí solas.',
  emptyUnreadTitle: 'Nada sin leer',
  emptyUnreadText: 'Ya lo ha visto todo.',
  emptyArchivedTitle: 'Nada archivado',
  emptyArchivedText: 'Lo que archive se guarda aquí.',
  errorTitle: 'Las notificaciones no se cargaron',
  errorText: 'Se cortó la conexión. No se ha perdido nada.',
  refusedTitle: 'Esta bandeja no se puede abrir',
  retry: 'Reintentar',
  offlineTitle: 'Está sin conexión.',
  unreachableTitle: 'No se puede contactar con el servidor.',
  offlineText: time => `Se muestra lo guardado (${time}).`,
  notSaved: 'Eso no se pudo guardar y se ha deshecho.',

  optInTitle: 'Entérese aunque esta página esté cerrada',
  optInText: 'Permita que este navegador muestre notificaciones. Usted elige cuáles.',
  optInYes: 'Activar',
  optInNo: 'Ahora no',

  pill: arrivals,
  arrived: (n, title) => (n === 1 ? `Notificación nueva: ${title}` : arrivals(n)),

  preferences: 'Preferencias de notificaciones',
  preferencesText: 'Elija qué le llega, dónde y con qué frecuencia.',
  preferencesKept: 'Los cambios se guardan al hacerlos.',
  saved: 'Guardado',
  preferencesEmptyTitle: 'Aún no hay nada que elegir',
  preferencesEmptyText: 'Lo que haya recibido alguna vez aparece aquí.',
  preferencesErrorTitle: 'No se cargaron las preferencias',

  INAPP_WEB: 'En la aplicación',
  EMAIL: 'Correo',
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
  often: channel => `${channel}, frecuencia`,

  pages: 'Páginas',
  page: n => `Página ${n}`,
  previous: 'Página anterior',
  next: 'Página siguiente',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `${from}–${to} de ${total}`
}
