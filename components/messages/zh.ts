// Chinese, in simplified characters.

import type { Messages } from './en.ts'
import { plural } from './plural.ts'

const arrivals = plural('zh', { other: '# 条新通知' })

export const zh: Messages = {
  title: '通知',
  bell: n => `通知，${n}`,
  bellUnread: n => `通知，${n} 条未读`,
  bellDot: '通知，有未读',
  counter: plural('zh', { other: '# 条通知' }),
  counterUnread: plural('zh', { other: '# 条未读通知' }),

  show: '显示',
  all: '全部',
  unread: '未读',
  archived: '已归档',
  readAll: '全部标为已读',
  archiveAll: '全部归档',
  close: '关闭',
  read: '标为已读',
  markUnread: '标为未读',
  archive: '归档',
  unarchive: '移回收件箱',
  more: '更多',
  newTab: '（在新标签页中打开）',
  unreadFlag: '未读。',

  now: '刚刚',
  today: '今天',
  earlier: '更早',
  end: '没有更多通知了',
  loading: '正在加载',
  emptyTitle: '没有新通知',
  emptyText: '新通知会自动显示在这里。',
  emptyUnreadTitle: '没有未读通知',
  emptyUnreadText: '新通知会显示在这里，直到您阅读为止。',
  emptyArchivedTitle: '没有已归档的通知',
  emptyArchivedText: '您归档的通知会显示在这里。',
  errorTitle: '您的通知未能加载',
  errorText: '请重试。如果仍然不行，请检查网络连接。',
  moreErrorTitle: '部分通知未能加载',
  refusedTitle: '无法显示您的通知',
  refusedText: '请重新加载页面，或重新登录。',
  retry: '重试',
  offlineTitle: '您已离线。',
  unreachableTitle: '目前无法加载新通知。',
  offlineText: time => `显示的是 ${time} 之前加载的通知。`,
  notSaved: '您的更改未能保存，已撤销。',

  pushPromptTitle: '关闭此页面后也能收到通知',
  pushPromptText: '允许此浏览器显示通知。您可以选择接收哪些。',
  pushPromptYes: '开启',
  pushPromptNo: '暂不',

  newItems: arrivals,
  arrived: (n, title) => (n === 1 ? `新通知：${title}` : arrivals(n)),

  preferences: '通知偏好',
  preferencesText: '选择接收哪些通知、在哪里接收以及频率。',
  preferencesSaved: '更改会自动保存。',
  saved: '已保存',
  preferencesEmptyTitle: '暂无通知偏好',
  preferencesEmptyText: '您首次收到某类通知后，该类型会显示在这里。',
  preferencesErrorTitle: '您的偏好设置未能加载',

  INAPP_WEB: '应用内',
  EMAIL: '邮件',
  SMS: '短信',
  CALL: '电话',
  PUSH: '手机推送',
  WEB_PUSH: '浏览器推送',
  SLACK: 'Slack',

  off: '关闭',
  instant: '即时',
  hourly: '每小时',
  daily: '每天',
  weekly: '每周',
  monthly: '每月',
  always: '始终开启',
  frequency: channel => `${channel}的频率`,

  pages: '页面',
  page: n => `第 ${n} 页`,
  previous: '上一页',
  next: '下一页',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `第 ${from}–${to} 条，共 ${total} 条`
}
