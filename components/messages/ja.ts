// Japanese.

import type { Messages } from './en.ts'
import { plural } from './plural.ts'

const arrivals = plural('ja', { other: '新着通知#件' })

export const ja: Messages = {
  title: '通知',
  bell: n => `通知、${n}`,
  bellUnread: n => `通知、未読${n}件`,
  bellDot: '通知、未読あり',
  counter: plural('ja', { other: '通知#件' }),
  counterUnread: plural('ja', { other: '未読の通知#件' }),

  show: '表示',
  all: 'すべて',
  unread: '未読',
  archived: 'アーカイブ',
  readAll: 'すべて既読にする',
  archiveAll: 'すべてアーカイブ',
  close: '閉じる',
  read: '既読にする',
  markUnread: '未読にする',
  archive: 'アーカイブ',
  unarchive: '受信箱に戻す',
  more: 'その他',
  newTab: '（新しいタブで開きます）',
  unreadFlag: '未読。',

  now: 'たった今',
  today: '今日',
  earlier: 'それ以前',
  end: 'これ以上の通知はありません',
  loading: '読み込み中',
  emptyTitle: '新しい通知はありません',
  emptyText: '新しい通知はここに自動で表示されます。',
  emptyUnreadTitle: '未読はありません',
  emptyUnreadText: '新しい通知は、読むまでここに表示されます。',
  emptyArchivedTitle: 'アーカイブは空です',
  emptyArchivedText: 'アーカイブした通知はここに表示されます。',
  errorTitle: '通知を読み込めませんでした',
  errorText: 'もう一度お試しください。解決しない場合は、接続を確認してください。',
  moreErrorTitle: '一部の通知を読み込めませんでした',
  refusedTitle: '通知を表示できません',
  refusedText: 'ページを再読み込みするか、もう一度サインインしてください。',
  retry: '再試行',
  offlineTitle: 'オフラインです。',
  unreachableTitle: '現在、新しい通知を読み込めません。',
  offlineText: time => `${time}より前に読み込んだ通知を表示しています。`,
  notSaved: '変更を保存できなかったため、元に戻しました。',

  pushPromptTitle: 'このページを閉じていても通知を受け取る',
  pushPromptText: 'このブラウザーに通知の表示を許可してください。どの通知を受け取るかは選べます。',
  pushPromptYes: 'オンにする',
  pushPromptNo: '今はしない',

  newItems: arrivals,
  arrived: (n, title) => (n === 1 ? `新着通知：${title}` : arrivals(n)),

  preferences: '通知の設定',
  preferencesText: 'どの通知を、どこで、どのくらいの頻度で受け取るかを選べます。',
  preferencesSaved: '変更は自動的に保存されます。',
  saved: '保存しました',
  preferencesEmptyTitle: '通知の設定はまだありません',
  preferencesEmptyText: '通知の種類は、初めて受け取った後にここに表示されます。',
  preferencesErrorTitle: '設定を読み込めませんでした',

  INAPP_WEB: 'アプリ内',
  EMAIL: 'メール',
  SMS: 'SMS',
  CALL: '電話',
  PUSH: 'モバイル通知',
  WEB_PUSH: 'ブラウザー通知',
  SLACK: 'Slack',

  off: 'オフ',
  instant: 'すぐに',
  hourly: '1時間ごと',
  daily: '毎日',
  weekly: '毎週',
  monthly: '毎月',
  always: '常にオン',
  frequency: channel => `${channel}の頻度`,

  pages: 'ページ',
  page: n => `${n}ページ`,
  previous: '前のページ',
  next: '次のページ',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `${total}件中${from}–${to}`
}
