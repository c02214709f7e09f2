// The terms of digests: items, one for each send and channel, that wait for the outbox row of their digest.

import type { Channel } from '#protocol'

import { sha256 } from '../../core/hash.ts'
import type { UserKey } from '../../core/id.ts'
import type { Period } from '../../types/cadence.ts'
import type { Send } from '../send-request.ts'

/** What one send adds to a digest. `template`: as planned; null for content of the send. */
export interface DigestPart {
  readonly send: Send
  readonly template: string | null
}

/** Time of a digest, in milliseconds since 1970. */
export interface DigestTime {
  readonly at: number
  /** The boundary after `at`, used if `at` is past by the clock of the database. */
  readonly next: number
  /** IANA name of the time zone in which the time was computed. */
  readonly zone: string
}

/** Identifies a digest: the items of a user, type, channel and period, of all sub-notifications together. */
export interface DigestKey extends UserKey {
  readonly notificationId: string
  readonly channel: Channel
  readonly period: Period
}

export interface DigestBody {
  readonly notificationId: string
  readonly channel: Channel
  readonly period: Period
  /** Milliseconds since 1970. A row that is claimed earlier has a user who changed something. */
  readonly dueAt: number
  readonly zone: string
}

export const digestRowKey = ({ envId, userId, notificationId, channel, period }: DigestKey): string =>
  `digest:${sha256([envId, userId, notificationId, channel, period].join('\0')).toString('hex')}`
