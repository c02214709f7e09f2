// The few words that a page needs before anybody opens an inbox.

export const bellWords = {
  title: 'Notifications',
  /** Name of the bell with a count that is not about reading. */
  bell: (n: string) => `Notifications, ${n}`,
  bellUnread: (n: string) => `Notifications, ${n} unread`,
  /** Name of the bell whose badge is only a dot. */
  bellDot: 'Notifications, unread'
}

export type BellWords = typeof bellWords
