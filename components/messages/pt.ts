// Portuguese.

import type { Messages } from './en.ts'
import { plural } from './plural.ts'

const arrivals = plural('pt', {
  many: '# de notificações novas',
  one: '# notificação nova',
  other: '# notificações novas'
})

export const pt: Messages = {
  title: 'Notificações',
  bell: n => `Notificações, ${n}`,
  bellUnread: n => `Notificações, ${n} por ler`,
  bellDot: 'Notificações, há por ler',
  counter: plural('pt', { many: '# de notificações', one: '# notificação', other: '# notificações' }),
  counterUnread: plural('pt', {
    many: '# de notificações por ler',
    one: '# notificação por ler',
    other: '# notificações por ler'
  }),

  show: 'Mostrar',
  all: 'Todas',
  unread: 'Por ler',
  archived: 'Arquivadas',
  readAll: 'Marcar todas como lidas',
  archiveAll: 'Arquivar todas',
  close: 'Fechar',
  read: 'Marcar como lida',
  markUnread: 'Marcar como não lida',
  archive: 'Arquivar',
  unarchive: 'Mover para a caixa',
  more: 'Mais',
  newTab: '(abre num novo separador)',
  unreadFlag: 'Por ler.',

  now: 'agora',
  today: 'Hoje',
  earlier: 'Antes',
  end: 'Não há mais notificações',
  loading: 'A carregar',
  emptyTitle: 'Está em dia',
  emptyText: 'As notificações novas aparecem aqui automaticamente.',
  emptyUnreadTitle: 'Nada por ler',
  emptyUnreadText: 'As notificações novas aparecem aqui até as ler.',
  emptyArchivedTitle: 'Nada arquivado',
  emptyArchivedText: 'As notificações que arquivar aparecem aqui.',
  errorTitle: 'As suas notificações não foram carregadas',
  errorText: 'Tente de novo. Se não resultar, verifique a ligação.',
  moreErrorTitle: 'Algumas notificações não foram carregadas',
  refusedTitle: 'Não é possível mostrar as suas notificações',
  refusedText: 'Recarregue a página ou inicie sessão de novo.',
  retry: 'Tentar de novo',
  offlineTitle: 'Está sem ligação.',
  unreachableTitle: 'De momento não é possível carregar notificações novas.',
  offlineText: time => `Notificações carregadas antes desta hora: ${time}.`,
  notSaved: 'Não foi possível guardar a sua alteração, que foi anulada.',

  pushPromptTitle: 'Receba notificações com esta página fechada',
  pushPromptText: 'Permita que este navegador mostre notificações. Pode escolher quais.',
  pushPromptYes: 'Ativar',
  pushPromptNo: 'Agora não',

  newItems: arrivals,
  arrived: (n, title) => (n === 1 ? `Notificação nova: ${title}` : arrivals(n)),

  preferences: 'Preferências de notificação',
  preferencesText: 'Escolha que notificações recebe, onde e com que frequência.',
  preferencesSaved: 'As alterações são guardadas automaticamente.',
  saved: 'Guardado',
  preferencesEmptyTitle: 'Ainda sem preferências de notificação',
  preferencesEmptyText: 'Um tipo de notificação aparece aqui depois de o receber pela primeira vez.',
  preferencesErrorTitle: 'As suas preferências não foram carregadas',

  INAPP_WEB: 'Na aplicação',
  EMAIL: 'E-mail',
  SMS: 'SMS',
  CALL: 'Chamada',
  PUSH: 'Push no telemóvel',
  WEB_PUSH: 'Push no navegador',
  SLACK: 'Slack',

  off: 'Desativado',
  instant: 'Imediato',
  hourly: 'A cada hora',
  daily: 'Todos os dias',
  weekly: 'Todas as semanas',
  monthly: 'Todos os meses',
  always: 'Sempre ativo',
  frequency: channel => `Frequência de ${channel}`,

  pages: 'Páginas',
  page: n => `Página ${n}`,
  previous: 'Página anterior',
  next: 'Página seguinte',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `${from}–${to} de ${total}`
}
