// Caches values that change elsewhere: a value is read again after a while, and once for all callers at the same time.

import { LRUCache } from 'lru-cache'

import type { Clock } from './clock.ts'

/** How long a value is served without a read, and how long it is served while it is read again. */
export interface CacheDuration {
  readonly freshMs: number
  readonly usableMs: number
}

/** Changes of other nodes arrive within seconds. */
export const SHORT_CACHE: CacheDuration = { freshMs: 2_000, usableMs: 10_000 }

/** Every call reads: for absent values that another node may create at any moment. */
export const NO_CACHE: CacheDuration = { freshMs: 0, usableMs: 0 }

/** Absent values are cached too, so unknown keys must not fill the memory. */
const MAX_ENTRIES = 10_000

export interface TtlCache<T> {
  /** @returns undefined if there is nothing under the key */
  get(key: string): Promise<T | undefined>
  /** The next call reads again, even if a read is running. */
  forget(key: string): void
  forgetAll(prefix: string): void
}

interface Entry<T> {
  readonly value: T | undefined
  readonly duration: CacheDuration
  readonly readAt: number
}

/** @param durationOf - returns how long to cache a value that was read */
export function createTtlCache<T>(
  read: (key: string) => Promise<T | undefined>,
  durationOf: (value: T | undefined) => CacheDuration,
  clock: Clock
): TtlCache<T> {
  const reads = new Set<{ readonly key: string }>()
  const cache = new LRUCache<string, Entry<T>>({
    async fetchMethod(key) {
      const running = { key }
      reads.add(running)
      try {
        const value = await read(key)
        return { duration: durationOf(value), readAt: clock(), value }
      } finally {
        reads.delete(running)
      }
    },
    // If a key is forgotten during a read, the callers get the result, but it is not cached.
    ignoreFetchAbort: true,
    max: MAX_ENTRIES,
    // While the database is down, cached values stay usable.
    noDeleteOnFetchRejection: true
  })
  return {
    forget: key => void cache.delete(key),
    forgetAll(prefix) {
      // The cache lists no keys whose first read is still running.
      const keys = [...cache.keys(), ...[...reads].map(({ key }) => key)]
      for (const key of keys) if (key.startsWith(prefix)) cache.delete(key)
    },
    async get(key) {
      const cached = cache.get(key, { allowStale: true })
      // Absolute, because a value that was read while the clock was an hour ahead is old as well.
      const ageMs = cached ? Math.abs(clock() - cached.readAt) : Infinity
      if (cached && ageMs < cached.duration.freshMs) return cached.value
      const allowStale = cached !== undefined && ageMs < cached.duration.usableMs
      const entry = await cache.fetch(key, { allowStale, forceRefresh: true })
      if (entry?.duration.usableMs === 0) cache.delete(key)
      return entry?.value
    }
  }
}
