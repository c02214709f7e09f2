// Signs requests as Standard Webhooks do.
//
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

import { createHmac } from 'node:crypto'

/**
 * @param secret - `whsec_` and the key in base64
 * @param seconds - Unix time
 */
export const webhookSignature = (
  secret: string,
  id: string,
  seconds: string,
  body: string | Buffer
): Buffer => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest()
}

/**
 * @param id - the same for every attempt, so that the receiver can recognize a repeated message
 * @param secrets - of which one is enough for the receiver, while they are changed
 * @param now - milliseconds since 1970
 */
export function webhookHeaders(id: string, body: string, secrets: readonly string[], now: number) {
  const seconds = String(Math.floor(now / 1000))
  const sign = (secret: string) => `v1,${webhookSignature(secret, id, seconds, body).toString('base64')}`
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-signature': secrets.map(sign).join(' '),
    'webhook-timestamp': seconds
  }
}
