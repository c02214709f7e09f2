// The texts of toasts.

import { plural } from './plural.ts'

export const toastMessages = {
  /** Accessible name of the region with all toasts. */
  toasts: 'New notifications',
  /** The button that opens the inbox, with the number of notifications that were not shown. */
  moreInInbox: plural('en', { one: '# more in the inbox', other: '# more in the inbox' })
}
