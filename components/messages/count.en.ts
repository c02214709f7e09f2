// Texts that contain a number: the counter, and new notifications.

import { plural } from './plural.ts'

const arrivals = plural('en', { one: '# new notification', other: '# new notifications' })

export const countMessages = {
  counter: plural('en', { one: '# notification', other: '# notifications' }),
  counterNew: arrivals,
  /** The button that scrolls to notifications which arrived above the visible rows. */
  newItems: arrivals,
  /** Screen readers hear this when notifications arrive. */
  arrived: (n: number, title: string) => (n === 1 ? `New notification: ${title}` : arrivals(n))
}
