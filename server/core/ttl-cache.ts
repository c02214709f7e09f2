// What is asked for again and again and changes elsewhere: read when first asked for, and again after a while.

import type { Clock } from './clock.ts'

/** Milliseconds: how long one read counts as fresh, and how long it still serves while it is read again. */
export interface Life {
  readonly fresh: number
  readonly usable: number
}

/** Another node's change arrives within seconds. */
export const SECONDS: Life = { fresh: 2_000, usable: 10_000 }

/** For what may come into being elsewhere at any moment: whoever asks reads. */
export const NEVER: Life = { fresh: 0, usable: 0 }

/** What is not there may be kept too, so a flood of unknown keys must not fill the memory. */
const ENTRIES = 10_000

export interface Recent<T> {
  /** Undefined where there is nothing under the key. */
  get(key: string): Promise<T | undefined>
  forget(key: string): void
  /** All keys that start so. */
  forgetAll(prefix: string): void
}

/**
 * Many callers at once make one read.
 *
 * @param lifeOf - by what was found
 */
export function openRecent<T>(
  read: (key: string) => Promise<T | undefined>,
  lifeOf: (found: T | undefined) => Life,
  clock: Clock
): Recent<T> {
  const entries = new Map<string, { readonly found: T | undefined; readonly readAt: number }>()
  const reading = new Map<string, Promise<T | undefined>>()

  const readNow = (key: string): Promise<T | undefined> => {
    const underway = reading.get(key)
    if (underway) return underway
    const promise = read(key)
      .then(found => {
        // Who changed it in the meantime knows better.
        if (reading.get(key) !== promise) return found
        entries.delete(key)
        if (lifeOf(found).usable === 0) return found
        if (entries.size >= ENTRIES) entries.clear()
        entries.set(key, { found, readAt: clock() })
        return found
      })
      .finally(() => {
        if (reading.get(key) === promise) reading.delete(key)
      })
    reading.set(key, promise)
    return promise
  }

  return {
    forget(key) {
      entries.delete(key)
      reading.delete(key)
    },
    forgetAll(prefix) {
      for (const map of [entries, reading]) {
        for (const key of map.keys()) if (key.startsWith(prefix)) map.delete(key)
      }
    },
    async get(key) {
      const entry = entries.get(key)
      if (!entry) return readNow(key)
      // Whatever way the clock was set: what was read an hour from now is old, too.
      const age = Math.abs(clock() - entry.readAt)
      const { fresh, usable } = lifeOf(entry.found)
      if (age < fresh) return entry.found
      const again = readNow(key)
      if (age >= usable) return again
      // A database that is away for a moment shall not show here; the next one who asks reads again.
      again.catch(() => {})
      return entry.found
    }
  }
}
