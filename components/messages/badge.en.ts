// The few words that a page needs before anybody opens an inbox.

import { plural } from './plural.ts'

const arrivals = plural('en', { one: '# new notification', other: '# new notifications' })

export const badgeWords = {
  title: 'Notifications',
  /** Name of the bell with a count that is not about reading. */
  bell: (n: string) => `Notifications, ${n}`,
  bellUnread: (n: string) => `Notifications, ${n} unread`,
  /** Name of the bell whose badge is only a dot. */
  bellDot: 'Notifications, unread',
  counter: plural('en', { one: '# notification', other: '# notifications' }),
  counterUnread: plural('en', { one: '# unread notification', other: '# unread notifications' }),
  /** On the button that leads back to new ones. */
  pill: arrivals,
  /** Spoken when something arrives. */
  arrived: (n: number, title: string) => (n === 1 ? `New notification: ${title}` : arrivals(n))
}

export type BadgeWords = typeof badgeWords
