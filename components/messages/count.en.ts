// The texts of the counter.

import { plural } from './plural.ts'

export const countMessages = {
  counter: plural('en', { one: '# notification', other: '# notifications' }),
  counterNew: plural('en', { one: '# new notification', other: '# new notifications' })
}
