// Types that many operations share: channels, deliveries, instants and pages.

export type Channel = 'EMAIL' | 'INAPP_WEB' | 'SMS' | 'CALL' | 'PUSH' | 'WEB_PUSH' | 'SLACK'

/** `instant`: at once; `hourly` to `monthly`: in a digest of that period; `off`: not at all. */
export type Delivery = 'off' | 'instant' | 'hourly' | 'daily' | 'weekly' | 'monthly'

/** Where a preference was changed: a page of the user, a back end, a page behind a link in an email, or the network (STOP to an SMS). */
export type ChangeSource = 'user' | 'back-end' | 'link' | 'network'

/** ISO 8601 with zone, e.g. `2026-11-20T04:34:37.557Z`. */
export type Instant = string

/** Which page of a list to return. */
export interface PageOptions {
  /** Maximum number of entries. */
  readonly count?: number
  /** `next` of the previous page. Default: the first page. */
  readonly cursor?: string
}
