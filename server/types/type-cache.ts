// Caches notification types by environment and id.

import type { Clock } from '../core/clock.ts'
import { createTtlCache, SHORT_CACHE, type CacheDuration } from '../core/ttl-cache.ts'
import type { NotificationType } from './type.ts'

/** Another node may create the type at any moment, and a send waits for it. */
const ABSENT: CacheDuration = { freshMs: 200, usableMs: 200 }
const MAX_ID_LENGTH = 255

type Found = NotificationType | undefined

export interface TypeCache {
  get(envId: string, id: string): Promise<Found>
  /** Forgets one type, or all of an environment. */
  forget(envId: string, id?: string): void
}

export function createTypeCache(
  read: (envId: string, id: string) => Promise<Found>,
  clock: Clock
): TypeCache {
  const types = createTtlCache<NotificationType>(
    key => {
      const end = key.indexOf('\0')
      return read(key.slice(0, end), key.slice(end + 1))
    },
    type => (type ? SHORT_CACHE : ABSENT),
    clock
  )
  return {
    forget(envId, id) {
      if (id === undefined) types.forgetAll(cacheKey(envId, ''))
      else types.forget(cacheKey(envId, id))
    },
    get: async (envId, id) =>
      id.length > MAX_ID_LENGTH || id.includes('\0') ? undefined : types.get(cacheKey(envId, id))
  }
}

const cacheKey = (envId: string, id: string): string => `${envId}\0${id}`
