// Decides what an answer of APNs means for the message, the device and the queue.
//
// https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns

import type { Outcome } from '../../../queue/outcome.ts'

export interface ApnRefusal {
  readonly status: number
  /** Error string of Apple, or `''`. */
  readonly reason: string
  /** When Apple last knew that the token was gone, in milliseconds since 1970. */
  readonly timestamp?: number | undefined
  readonly retryAfterMs?: number | undefined
}

/** The configured key, team or topic is wrong, so every message fails. */
const CONFIGURATION_REASONS = new Set([
  'BadCertificateEnvironment',
  'InvalidProviderToken',
  'MissingProviderToken',
  'MissingTopic',
  'TooManyProviderTokenUpdates',
  'TopicDisallowed',
  'UnrelatedKeyIdInToken'
])

/** Returns `gone`, which deletes the device, only if its token will never work again. */
export function toOutcome({ status, reason, timestamp, retryAfterMs }: ApnRefusal): Outcome {
  const failure = { code: reason || String(status), detail: `APNs answered ${status} ${reason}.` }
  if (status === 410) {
    return { ...failure, kind: 'gone', ...(timestamp !== undefined && { asOf: new Date(timestamp) }) }
  }
  // Both environments were tried, so the token is valid in neither.
  if (reason === 'BadDeviceToken') return { ...failure, kind: 'gone' }
  if (status === 401 || status === 403 || CONFIGURATION_REASONS.has(reason))
    return { ...failure, kind: 'pause' }
  if (status === 503) return { ...failure, kind: 'pause', retryAfterMs }
  // 429: too many messages for this device.
  if (status === 429 || status >= 500) return { ...failure, kind: 'retry', retryAfterMs }
  return { ...failure, kind: 'dead' }
}
