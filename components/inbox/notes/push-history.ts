// When a user may be asked about web push: not before the second opening with news in it, again after 30 days, and twice at most.

import { tryTo } from '../../core/safe-call.ts'

const MIN_LOOKS = 2
const MAX_ASKS = 2
const DAY_MS = 86_400_000
const PAUSE_MS = 30 * DAY_MS

export interface PushHistory {
  /** Openings of the inbox with something new in it. */
  readonly looks: number
  /** How often the user answered "not now", and when last, in milliseconds since 1970. */
  readonly refusals: number
  readonly refusedAt: number
  /** When the site had no worker; a browser logs each request for one that is not there. */
  readonly missedAt?: number
}

const NONE: PushHistory = { looks: 0, refusals: 0, refusedAt: 0 }

/** @param text - as stored; undefined or something else: no history */
export function parseHistory(text: string | undefined): PushHistory {
  const value: unknown = text && tryTo(() => JSON.parse(text) as unknown)
  const { looks, refusals, refusedAt } = Object(value) as Partial<Record<keyof PushHistory, unknown>>
  const isValid = [looks, refusals, refusedAt].every(number => Number.isSafeInteger(number))
  return isValid ? (value as PushHistory) : NONE
}

export const canAsk = (
  { looks, missedAt = -Infinity, refusals, refusedAt }: PushHistory,
  now: number
): boolean =>
  looks >= MIN_LOOKS &&
  refusals < MAX_ASKS &&
  (refusals === 0 || now - refusedAt >= PAUSE_MS) &&
  // Also if the clock was set back.
  Math.abs(now - missedAt) >= DAY_MS
