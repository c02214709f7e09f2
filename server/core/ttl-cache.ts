// Caches values that change elsewhere: a value is read again after a while, and once for all callers at the same time.

import { LRUCache } from 'lru-cache'

import type { Clock } from './clock.ts'

/** How long a value is served without a read, and how long it is served while it is read again. */
export interface Life {
  readonly freshMs: number
  readonly usableMs: number
}

/** Changes of other nodes arrive within seconds. */
export const SECONDS: Life = { freshMs: 2_000, usableMs: 10_000 }

/** For what another node may create at any moment: every call reads. */
export const NEVER: Life = { freshMs: 0, usableMs: 0 }

/** Absent values are cached too, so unknown keys must not fill the memory. */
const MAX_ENTRIES = 10_000

export interface TtlCache<T> {
  /** @returns undefined if there is nothing under the key */
  get(key: string): Promise<T | undefined>
  /** The next call reads, also if a read is under way now. */
  forget(key: string): void
  /** Forgets all keys with this prefix. */
  forgetAll(prefix: string): void
}

interface Entry<T> {
  readonly value: T | undefined
  readonly life: Life
  readonly readAt: number
}

/** @param lifeOf - by the value that was read */
export function createTtlCache<T>(
  read: (key: string) => Promise<T | undefined>,
  lifeOf: (value: T | undefined) => Life,
  clock: Clock
): TtlCache<T> {
  const reads = new Set<{ readonly key: string }>()
  const cache = new LRUCache<string, Entry<T>>({
    async fetchMethod(key) {
      const underway = { key }
      reads.add(underway)
      try {
        const value = await read(key)
        return { life: lifeOf(value), readAt: clock(), value }
      } finally {
        reads.delete(underway)
      }
    },
    // A read that `forget` has overtaken still answers its callers, and its result is not kept.
    ignoreFetchAbort: true,
    max: MAX_ENTRIES,
    // If the database is away for a moment, what is known stays usable.
    noDeleteOnFetchRejection: true
  })
  return {
    forget: key => void cache.delete(key),
    forgetAll(prefix) {
      // The cache does not list keys that it has no value of yet.
      const keys = [...cache.keys(), ...[...reads].map(({ key }) => key)]
      for (const key of keys) if (key.startsWith(prefix)) cache.delete(key)
    },
    async get(key) {
      const known = cache.get(key, { allowStale: true })
      // The absolute age: what was read while the clock was an hour ahead is old, too.
      const ageMs = known ? Math.abs(clock() - known.readAt) : Infinity
      if (known && ageMs < known.life.freshMs) return known.value
      const allowStale = known !== undefined && ageMs < known.life.usableMs
      const entry = await cache.fetch(key, { allowStale, forceRefresh: true })
      if (entry?.life.usableMs === 0) cache.delete(key)
      return entry?.value
    }
  }
}
