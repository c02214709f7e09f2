// What a user has chosen: how often a type, a sub-notification of it, or one channel of either should come.

import type { Channel, Delivery } from '#protocol'

import { sha256 } from '../../http/auth.ts'

/** What a notification is about. */
export interface Topic {
  readonly notificationId: string
  /** `''`: the type itself. */
  readonly subNotificationId: string
}

export interface Preference extends Topic {
  /** `''`: every channel. */
  readonly channel: Channel | ''
  readonly delivery: Delivery
}

/**
 * Stands for ids in a primary key, in hexadecimal: three ids of the longest kind are more than an index row may hold.
 * None of them holds a NUL.
 */
const digestOf = (...ids: readonly string[]): string => sha256(ids.join('\0')).toString('hex')

export const topicKey = ({ notificationId, subNotificationId }: Topic): string =>
  digestOf(notificationId, subNotificationId)

export const preferenceKey = ({
  notificationId,
  subNotificationId,
  channel
}: Omit<Preference, 'delivery'>): string => digestOf(notificationId, subNotificationId, channel)
