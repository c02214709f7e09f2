// Encryption of a push message for one subscription: RFC 8291 over the aes128gcm coding of RFC 8188, one record.

import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

import type { SubscriptionKeys } from '../../../users/device.ts'

/** Bytes that every push service takes (RFC 8030, 7.2), without what the coding adds: header, delimiter, tag. */
export const PAYLOAD_LIMIT = 4096 - (16 + 4 + 1 + 65) - 1 - 16

const RECORD = 4096
/** RFC 8188, 2: after the last record. */
const LAST = Buffer.of(2)

const hkdf = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array | string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))

/** Random for each message; given only by the test vector of the RFC. */
export interface Chance {
  readonly salt: Buffer
  readonly privateKey: Buffer
}

/**
 * @param plain - at most {@link PAYLOAD_LIMIT} bytes
 * @throws RangeError when it is longer; Error when the keys are not those of a subscription
 */
export function encrypt(plain: Buffer, { p256dh, auth }: SubscriptionKeys, chance?: Chance): Buffer {
  if (plain.length > PAYLOAD_LIMIT) throw new RangeError(`A push message has at most ${PAYLOAD_LIMIT} bytes.`)
  const receiver = Buffer.from(p256dh, 'base64url')
  const salt = chance?.salt ?? randomBytes(16)
  const curve = createECDH('prime256v1')
  if (chance) curve.setPrivateKey(chance.privateKey)
  else curve.generateKeys()
  const sender = curve.getPublicKey()

  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender])
  const secret = hkdf(curve.computeSecret(receiver), Buffer.from(auth, 'base64url'), info, 32)
  const key = hkdf(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = hkdf(secret, salt, 'Content-Encoding: nonce\0', 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)

  const head = Buffer.alloc(5)
  head.writeUInt32BE(RECORD)
  head.writeUInt8(sender.length, 4)
  return Buffer.concat([
    salt,
    head,
    sender,
    cipher.update(plain),
    cipher.update(LAST),
    cipher.final(),
    cipher.getAuthTag()
  ])
}
