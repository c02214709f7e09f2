// What a plan decides: deliveries, digests, delays and the in-app notification of one send.

import type { Channel } from '#protocol'

import type { Period } from '../../types/cadence.ts'
import type { ChannelDelay } from '../../types/escalation.ts'
import type { Hold } from '../../users/preferences/hold.ts'
import type { DigestTime } from '../digest/digest.ts'
import type { Recipient } from '../send-request.ts'
import type { Decision } from './decision.ts'
import type { StoredReader, Target } from './recipient.ts'

export interface PlannedContent {
  /** Id of the type's template, `''` for the default template, null for content of the send. */
  readonly template: string | null
}

export interface PlannedDelivery extends PlannedContent, Target {
  readonly channel: Channel
  readonly reader?: StoredReader
  /** Given if the user has paused messages, or has quiet hours. */
  readonly hold?: Hold
}

export interface PlannedDigest extends PlannedContent {
  readonly channel: Channel
  readonly period: Period
  readonly time: DigestTime
  /** Given if quiet hours or a pause would hold the digest at its time. */
  readonly hold?: Hold
  /** The sentence about it in the plan's messages. */
  readonly message: string
}

export interface PlannedDelay extends PlannedContent, Pick<ChannelDelay, 'unless'> {
  readonly channel: Channel
  /** End of the delay: milliseconds since 1970. */
  readonly at: number
  /** The sentence about it in the plan's messages. */
  readonly message: string
}

export interface Plan {
  /** The recipient with stored contact details. */
  readonly user: Recipient
  readonly inApp?: PlannedContent
  readonly deliveries: readonly PlannedDelivery[]
  readonly digests: readonly PlannedDigest[]
  readonly delays: readonly PlannedDelay[]
  readonly decisions: ReadonlyMap<Channel, Decision>
  /** Details of discarded channels, as {@link describeDecision} takes them. */
  readonly details: ReadonlyMap<Channel, string>
  readonly messages: readonly string[]
}
