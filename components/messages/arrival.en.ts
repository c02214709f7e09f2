// Screen readers hear this when notifications arrive.

import { countMessages } from './count.en.ts'

export const arrivalMessages = {
  arrived: (n: number, title: string) =>
    n === 1 ? `New notification: ${title}` : countMessages.counterNew(n)
}
