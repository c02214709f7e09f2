// A preference: how often a user wants a type, a sub-notification, or one channel of either.

import { LRUCache } from 'lru-cache'

import type { Channel, Delivery } from '#protocol'

import { sha256 } from '../../core/hash.ts'

/** What a notification is about: a type, or a sub-notification of it. */
export interface Topic {
  readonly notificationId: string
  /** `''`: the type itself. */
  readonly subNotificationId: string
}

export interface Preference extends Topic {
  /** `''` for all channels. */
  readonly channel: Channel | ''
  readonly delivery: Delivery
}

/** Where a change came from: a page of the user, a back end, a page behind a link in an email, or the network (STOP to an SMS). */
export const CHANGE_SOURCES = ['user', 'back-end', 'link', 'network'] as const
export type ChangeSource = (typeof CHANGE_SOURCES)[number]

export interface DatedPreference extends Preference {
  readonly changedAt: Date
  readonly changedBy: ChangeSource
}

/**
 * Hash of ids for a primary key, in hexadecimal, because three ids of full length exceed the size of an index row. No id contains
 * a NUL.
 */
const hashIds = (...ids: readonly string[]): string => sha256(ids.join('\0')).toString('hex')

/** Each send needs the key of its topic, and most sends are about few topics. */
const MAX_CACHED_KEYS = 1_000
const topicKeys = new LRUCache<string, string>({ max: MAX_CACHED_KEYS })

export function topicKey({ notificationId, subNotificationId }: Topic): string {
  const ids = `${notificationId}\0${subNotificationId}`
  const cached = topicKeys.get(ids)
  if (cached !== undefined) return cached
  const key = hashIds(ids)
  topicKeys.set(ids, key)
  return key
}

export const preferenceKey = ({
  notificationId,
  subNotificationId,
  channel
}: Omit<Preference, 'delivery'>): string => hashIds(notificationId, subNotificationId, channel)
