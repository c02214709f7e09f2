// The rules of rate control: throttling and deduplication of a notification type. Pure.
//
// Both are one thing: at most so many sends within a time window. Throttling counts the sends of a type to a user;
// deduplication counts sends with the same content, and allows one. The window slides: at no moment have more than
// `maxCount` sends passed within it.

import { hash } from 'node:crypto'

import { Temporal } from 'temporal-polyfill'

import type { Channel } from '#protocol'

import type { UserKey } from '../../core/id.ts'
import type { TypeSettings, PERIOD_UNITS } from '../../types/type.ts'
import { inlineChannels, inlineContent, type Send } from '../send-request.ts'

/** The decision about the channels of a suppressed send. */
export type SuppressionReason = 'throttled' | 'deduplicated'

export type RateWindow = 'forever' | { readonly period: number; readonly unit: (typeof PERIOD_UNITS)[number] }

export interface RateRule {
  /** Hash of the content that the rule counts; `''`: all sends of the type. */
  readonly contentHash: string
  /** At least 1. */
  readonly maxCount: number
  readonly window: RateWindow
  readonly reason: SuppressionReason
}

/** A send whose type has rules. */
export interface RateControlled extends UserKey {
  readonly notificationId: string
  /** In the order in which they are checked. */
  readonly rules: readonly RateRule[]
}

const utc = (ms: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC')

/**
 * @param sentAt - times of earlier sends, in milliseconds since 1970
 * @param now - milliseconds since 1970
 * @returns the times that still count
 */
export function filterWithinWindow(sentAt: readonly number[], window: RateWindow, now: number): number[] {
  if (window === 'forever') return [...sentAt]
  const start = utc(now).subtract({ [window.unit]: window.period }).epochMilliseconds
  return sentAt.filter(ms => ms > start)
}

/** @returns milliseconds since 1970 after which a send of now no longer counts; undefined: it always counts */
export function expiryTime(window: RateWindow, now: number): number | undefined {
  if (window === 'forever') return undefined
  // Months differ by up to three days in length, so what is one month ahead may be less than one month back.
  const slackDays = window.unit === 'months' || window.unit === 'years' ? 4 : 0
  return utc(now)
    .add({ [window.unit]: window.period })
    .add({ days: slackDays }).epochMilliseconds
}

/**
 * Deduplication comes first, so that a duplicate does not count for throttling.
 *
 * @param channels - channels on which the send goes out
 */
export function rateRules(
  { deduplication, throttling }: TypeSettings,
  send: Send,
  channels: readonly Channel[]
): RateRule[] {
  const rules: RateRule[] = []
  if (channels.length === 0) return rules
  if (deduplication) {
    const contentHash = hashContent(send, channels)
    const window: RateWindow = { period: deduplication.duration, unit: 'seconds' }
    rules.push({ contentHash, maxCount: 1, reason: 'deduplicated', window })
  }
  if (throttling) {
    const { forever, max, period = 1, unit = 'days' } = throttling
    const window: RateWindow = forever ? 'forever' : { period, unit }
    rules.push({ contentHash: '', maxCount: max, reason: 'throttled', window })
  }
  return rules
}

/** @returns the same hash for sends with the same content on the same channels, whatever the order of their keys */
export function hashContent(send: Send, channels: readonly Channel[]): string {
  const { options, parameters = {}, replace = {}, subNotificationId = '', templateId = '' } = send
  const inline = inlineChannels(send).map(channel => [channel, inlineContent(send, channel)])
  const files = options?.email?.attachments ?? []
  const content = [channels.toSorted(), inline, parameters, replace, subNotificationId, templateId, files]
  return hash('sha256', JSON.stringify(sortKeys(content)), 'base64url')
}

/** Recursion is safe, because the body reader limits the depth. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, sortKeys(member)])
}
