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
  end: 'Chegou à primeira',
  loading: 'A carregar',
  emptyTitle: 'Está em dia',
  emptyText: 'As notificações novas aparecem aqui por si.',
  emptyUnreadTitle: 'Nada por ler',
  emptyUnreadText: 'Já viu tudo.',
  emptyArchivedTitle: 'Nada arquivado',
  emptyArchivedText: 'O que arquivar fica guardado aqui.',
  errorTitle: 'As notificações não foram carregadas',
  errorText: 'A ligação caiu. Nada se perdeu.',
  refusedTitle: 'Não é possível abrir esta caixa',
  retry: 'Tentar de novo',
  offlineTitle: 'Está sem ligação.',
  unreachableTitle: 'O servidor não está acessível.',
  offlineText: time => `Mostra-se o que estava guardado (${time}).`,
  notSaved: 'Não foi possível guardar e a alteração foi anulada.',

  optInTitle: 'Saiba mesmo com esta página fechada',
  optInText: 'Permita que este navegador mostre notificações. Escolhe quais.',
  optInYes: 'Ativar',
  optInNo: 'Agora não',

  pill: arrivals,
  arrived: (n, title) => (n === 1 ? `Notificação nova: ${title}` : arrivals(n)),

  preferences: 'Preferências de notificação',
  preferencesText: 'Escolha o que recebe, onde e com que frequência.',
  preferencesKept: 'As alterações são guardadas à medida que as faz.',
  saved: 'Guardado',
  preferencesEmptyTitle: 'Ainda não há nada para escolher',
  preferencesEmptyText: 'O que já recebeu aparece aqui.',
  preferencesErrorTitle: 'As preferências não foram carregadas',

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
  often: channel => `${channel}, frequência`,

  pages: 'Páginas',
  page: n => `Página ${n}`,
  previous: 'Página anterior',
  next: 'Página seguinte',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `${from}–${to} de ${total}`
}
