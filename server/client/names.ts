// The words for where a notification goes and how often.

export type Channel = 'EMAIL' | 'INAPP_WEB' | 'SMS' | 'CALL' | 'PUSH' | 'WEB_PUSH' | 'SLACK'

/** At once, in a digest of its period, or not at all. */
export type Delivery = 'off' | 'instant' | 'hourly' | 'daily' | 'weekly' | 'monthly'

/** ISO 8601 with zone, e.g. `2026-11-20T04:34:37.557Z`. */
export type Instant = string

/** Which part of a list. */
export interface PageOptions {
  /** Most entries of the answer. */
  readonly count?: number
  /** Value of `next` of the page before; absent: the first one. */
  readonly cursor?: string
}
