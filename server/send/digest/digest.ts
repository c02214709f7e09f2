// What waits for a digest: items, one for each send and channel, under a head that says when they are due.

import type { Channel } from '#protocol'

import type { UserKey } from '../../core/id.ts'
import { sha256 } from '../../http/auth.ts'
import type { Period } from '../../types/cadence.ts'
import type { Send } from '../send-request.ts'

/** What one send adds. `template` as it was planned: null is the content of the send. */
export interface Part {
  readonly send: Send
  readonly template: string | null
}

/** When a digest comes. Milliseconds since 1970. */
export interface Due {
  readonly at: number
  /** Instead, where `at` is over by the clock of the database: the boundary after it. */
  readonly later: number
  /** IANA name of the zone in which it was worked out. */
  readonly zone: string
}

/** One digest: a user's items of a type on a channel, its sub-notifications together, of one period. */
export interface DigestKey extends UserKey {
  readonly notificationId: string
  readonly channel: Channel
  readonly period: Period
}

/** Body of the head, a row of the outbox. */
export interface HeadBody {
  readonly notificationId: string
  readonly channel: Channel
  readonly period: Period
  /** Milliseconds since 1970. Where the row is due before, its user has changed something. */
  readonly until: number
  readonly zone: string
}

export const headKey = ({ envId, userId, notificationId, channel, period }: DigestKey): string =>
  `digest:${sha256([envId, userId, notificationId, channel, period].join('\0')).toString('hex')}`
