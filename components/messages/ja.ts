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
  end: 'これが最初の通知です',
  loading: '読み込み中',
  emptyTitle: '新しい通知はありません',
  emptyText: '新しい通知はここに自動で表示されます。',
  emptyUnreadTitle: '未読はありません',
  emptyUnreadText: 'すべて確認済みです。',
  emptyArchivedTitle: 'アーカイブは空です',
  emptyArchivedText: 'アーカイブした通知はここに残ります。',
  errorTitle: '通知を読み込めませんでした',
  errorText: '接続が切れました。失われたものはありません。',
  refusedTitle: 'この受信箱は開けません',
  retry: '再試行',
  offlineTitle: 'オフラインです。',
  unreachableTitle: 'サーバーに接続できません。',
  offlineText: time => `${time}に保存した内容を表示しています。`,
  notSaved: '保存できなかったため、元に戻しました。',

  optInTitle: 'このページを閉じていても通知を受け取れます',
  optInText: 'このブラウザーに通知の表示を許可してください。どの通知にするかは選べます。',
  optInYes: 'オンにする',
  optInNo: '今はしない',

  pill: arrivals,
  arrived: (n, title) => (n === 1 ? `新着通知：${title}` : arrivals(n)),

  preferences: '通知の設定',
  preferencesText: '何を、どこで、どのくらいの頻度で受け取るかを選べます。',
  preferencesKept: '変更はその場で保存されます。',
  saved: '保存しました',
  preferencesEmptyTitle: 'まだ選べるものはありません',
  preferencesEmptyText: '一度受け取った通知がここに並びます。',
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
  often: channel => `${channel}の頻度`,

  pages: 'ページ',
  page: n => `${n}ページ`,
  previous: '前のページ',
  next: '次のページ',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `${total}件中${from}–${to}`
}
