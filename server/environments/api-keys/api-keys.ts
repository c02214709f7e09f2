// The cache of API keys, which every request with a key reads.

import type { Clock } from '../../core/clock.ts'
import { createTtlCache, NO_CACHE, SHORT_CACHE } from '../../core/ttl-cache.ts'
import type { Db } from '../../db/db.ts'
import type { ApiKeys } from '../../http/api-key.ts'
import { coalesce } from '../shared-reads.ts'
import { readKeys } from './api-keys.sql.ts'

export interface OpenApiKeys extends ApiKeys {
  /** The key is revoked here immediately; other nodes follow within seconds. */
  forget(keyHash: Buffer): void
}

/** Guessed keys are not cached, and share statements. */
export function openApiKeys(db: Db, clock: Clock): OpenApiKeys {
  const readKey = coalesce((hashes: readonly string[]) => readKeys(db, hashes))
  const cache = createTtlCache(readKey, key => (key ? SHORT_CACHE : NO_CACHE), clock)
  return {
    async find(keyHash) {
      const key = await cache.get(keyHash.toString('hex'))
      const isExpired = key?.expiresAt != null && clock() >= key.expiresAt.getTime()
      return isExpired ? undefined : key
    },
    forget: keyHash => cache.forget(keyHash.toString('hex'))
  }
}
