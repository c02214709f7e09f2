// What is stored in this browser for each user: small choices and places, as texts. Without storage nothing is stored.

import { tryTo } from '../safe-call.ts'

const toKey = (userKey: string, name: string): string => `notif-${name}:${userKey}`

export const readStored = (userKey: string, name: string): string | undefined =>
  tryTo(() => localStorage.getItem(toKey(userKey, name))) ?? undefined

export const writeStored = (userKey: string, name: string, value: string): void => {
  tryTo(() => localStorage.setItem(toKey(userKey, name), value))
}
