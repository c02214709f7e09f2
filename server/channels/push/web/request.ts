// Builds the request for one push message with web-push: encryption (RFC 8291) and VAPID authorization (RFC 8292).
//
// web-push does not send it: the request goes through the guarded HTTP client.

import { LRUCache } from 'lru-cache'
import webPush from 'web-push'

import type { Clock } from '../../../core/clock.ts'
import type { VapidKeys } from '../../../environments/encryption/keys.ts'
import type { SubscriptionKeys } from '../../../users/device.ts'

/** What every push service accepts (RFC 8030, 7.2), less what the encryption adds: header, delimiter and tag. */
export const MAX_PAYLOAD_BYTES = 4096 - (16 + 4 + 1 + 65) - 1 - 16

/** web-push signs for 12 hours; a token is used while it has at least an hour left. */
const TOKEN_REUSE_MS = 11 * 3_600_000
/** Endpoints come from browsers, so anyone can name new origins. */
const MAX_ORIGINS = 1000

/** The type of a declarative push message (Push API, 12). Push services and browsers that do not know it ignore it. */
const CONTENT_TYPE = 'application/notification+json'

/** How long a push service keeps a message for a browser that is offline: four weeks, the most that they accept. */
const TTL_SECONDS = 2_419_200

export interface PushRequestOptions {
  readonly keys: VapidKeys
  /** `mailto:` or `https:` address of the operator. */
  readonly subject: string
  readonly clock: Clock
}

export interface PushRequest {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
}

/** @param topic - a message replaces one of the same topic that still waits for its browser (RFC 8030, 5.4) */
export type BuildPushRequest = (
  subscription: { readonly endpoint: string; readonly keys: SubscriptionKeys },
  payload: string,
  topic: string
) => PushRequest

/**
 * Push services may remember a token that they have verified (RFC 8292, 4), so one signature serves an origin for hours.
 * @returns a function that throws a RangeError if the payload has more than {@link MAX_PAYLOAD_BYTES}, which web-push
 * does not check, and an Error if the keys are not those of a subscription
 */
export function createPushRequests(options: PushRequestOptions): BuildPushRequest {
  const { clock, keys: vapidKeys, subject } = options
  const tokens = new LRUCache<string, { readonly authorization: string; readonly signedAt: number }>({
    max: MAX_ORIGINS
  })

  const authorize = (origin: string): string => {
    const now = clock()
    const cached = tokens.get(origin)
    // The absolute difference: a token that was signed while the clock was ahead is not valid now.
    if (cached && Math.abs(now - cached.signedAt) < TOKEN_REUSE_MS) return cached.authorization
    const { publicKey, privateKey } = vapidKeys
    const { Authorization: authorization } = webPush.getVapidHeaders(
      origin,
      subject,
      publicKey,
      privateKey,
      webPush.supportedContentEncodings.AES_128_GCM
    )
    tokens.set(origin, { authorization, signedAt: now })
    return authorization
  }

  return ({ endpoint, keys }, payload, topic) => {
    if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) {
      throw new RangeError(`A push message has at most ${MAX_PAYLOAD_BYTES} bytes.`)
    }
    const { origin } = new URL(endpoint)
    // The path stays here: web-push only looks for Google's former service in it, and writes to the console about that.
    const { body, headers } = webPush.generateRequestDetails({ endpoint: origin, keys }, payload, {
      TTL: TTL_SECONDS,
      headers: { Authorization: authorize(origin) },
      topic,
      urgency: 'normal'
    })
    const lowercase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])
    return {
      body: body as Buffer,
      headers: { ...Object.fromEntries(lowercase), 'content-type': CONTENT_TYPE }
    }
  }
}
