// What APNs answers, and what follows for the message, the device and the queue.

import type { Outcome } from '../../../queue/outcome.ts'

export interface ApnRefusal {
  readonly status: number
  /** Apple's word for it. */
  readonly reason: string
  /** Milliseconds since 1970: when Apple last knew the token to be gone. */
  readonly timestamp?: number | undefined
  /** Milliseconds that Apple asked for. */
  readonly after?: number | undefined
}

/** Wrong for every message: key, team or topic of the configuration. */
const OURS = new Set([
  'BadCertificateEnvironment',
  'InvalidProviderToken',
  'MissingProviderToken',
  'MissingTopic',
  'TooManyProviderTokenUpdates',
  'TopicDisallowed',
  'UnrelatedKeyIdInToken'
])

/** Pure. A device is forgotten only by what says that its token will never work again. */
export function outcomeOf({ status, reason, timestamp, after }: ApnRefusal): Outcome {
  const said = { code: reason || String(status), detail: `APNs answered ${status} ${reason}.` }
  const wait = after === undefined ? {} : { after }
  if (status === 410) {
    return { ...said, kind: 'gone', ...(timestamp !== undefined && { asOf: new Date(timestamp) }) }
  }
  // Asked in both environments, so it is a token of neither.
  if (reason === 'BadDeviceToken') return { ...said, kind: 'gone' }
  if (status === 401 || status === 403 || OURS.has(reason)) return { ...said, kind: 'pause' }
  if (status === 503) return { ...said, ...wait, kind: 'pause' }
  // 429: too many for this one device.
  if (status === 429 || status >= 500) return { ...said, ...wait, kind: 'retry' }
  return { ...said, kind: 'dead' }
}
