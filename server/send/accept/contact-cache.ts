// Caches the stored contacts and preferences of recent sends for some seconds.
//
// A cached contact may be outdated. The statement that writes a send compares its version (sends.sql.ts), so a changed
// preference counts from its commit on, whichever node wrote it. If the comparison fails, the whole batch is read again.

import { LRUCache } from 'lru-cache'

import type { UserKey } from '../../core/id.ts'
import type { Query } from '../../db/db.ts'
import type { Topic } from '../../users/preferences/preference.ts'
import { readContacts, type Contact } from '../../users/users.sql.ts'
import { SMALL_BATCH_SIZE } from './batcher.ts'

/** Environments are purged later than this. */
const TTL_MS = 15_000

/** Contacts and their preferences. */
const MAX_WEIGHT = 40_000

export type ContactKey = UserKey & Topic

/**
 * Used for small batches only. A large one divides the cost of its read among many sends, and would too often contain a
 * contact that has changed.
 */
export interface ContactCache {
  /** @returns in the order of `users` */
  read(query: Query, users: readonly ContactKey[]): Promise<readonly Contact[]>
  readFresh(query: Query, users: readonly ContactKey[]): Promise<readonly Contact[]>
}

/** None of the ids contains a NUL. */
const cacheKey = ({ envId, notificationId, subNotificationId, userId }: ContactKey): string =>
  [envId, userId, notificationId, subNotificationId].join('\0')

export interface ContactCacheOptions {
  /** Default: {@link MAX_WEIGHT} */
  readonly maxWeight?: number
  /** Default: {@link TTL_MS} */
  readonly ttlMs?: number
}

export function openContactCache({
  maxWeight = MAX_WEIGHT,
  ttlMs = TTL_MS
}: ContactCacheOptions = {}): ContactCache {
  const cache = new LRUCache<string, Contact>({
    max: maxWeight,
    maxSize: maxWeight,
    sizeCalculation: ({ preferences }) => 1 + preferences.length,
    ttl: ttlMs
  })
  let sweeping: NodeJS.Timeout | undefined

  /** Personal data leaves the memory soon, also if nothing is sent to the user again. */
  const sweep = (): void => {
    cache.purgeStale()
    sweeping = cache.size > 0 ? setTimeout(sweep, ttlMs).unref() : undefined
  }

  const keep = (key: string, contact: Contact): void => {
    // The first send of a topic is recorded as received, and the second one has to find that record.
    if (!contact.received) return void cache.delete(key)
    cache.set(key, { ...contact, isCached: true })
    sweeping ??= setTimeout(sweep, ttlMs).unref()
  }

  const readFresh = async (query: Query, users: readonly ContactKey[]): Promise<readonly Contact[]> => {
    const contacts = await readContacts(query, users)
    if (users.length <= SMALL_BATCH_SIZE)
      for (const [i, user] of users.entries()) keep(cacheKey(user), contacts[i]!)
    return contacts
  }

  return {
    async read(query, users) {
      if (users.length > SMALL_BATCH_SIZE) return readContacts(query, users)
      const cached = users.map(user => cache.get(cacheKey(user)))
      const missing = users.filter((_, i) => cached[i] === undefined)
      const fresh = (await readFresh(query, missing)).values()
      return cached.map(contact => contact ?? fresh.next().value!)
    },
    readFresh
  }
}
