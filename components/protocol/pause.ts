// The pause of a user: while it is on, what would ring or be sent waits, except for urgent types.

import { isObject } from './check.ts'
import type { Instant } from './notif.ts'

export interface Pause {
  readonly isOn: boolean
  /** Null: until the user ends it. */
  readonly until: Instant | null
}

export const NO_PAUSE: Pause = Object.freeze({ isOn: false, until: null })

export const isPause = (x: unknown): x is Pause =>
  isObject(x) && typeof x['isOn'] === 'boolean' && (x['until'] === null || typeof x['until'] === 'string')
