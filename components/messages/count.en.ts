// Sentences that count: those of the counter, and those about what arrives.

import { plural } from './plural.ts'

const arrivals = plural('en', { one: '# new notification', other: '# new notifications' })

export const countWords = {
  counter: plural('en', { one: '# notification', other: '# notifications' }),
  counterUnread: plural('en', { one: '# unread notification', other: '# unread notifications' }),
  /** On the button that leads back to new ones. */
  pill: arrivals,
  /** Spoken when something arrives. */
  arrived: (n: number, title: string) => (n === 1 ? `New notification: ${title}` : arrivals(n))
}
