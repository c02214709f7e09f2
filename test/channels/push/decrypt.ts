// Decrypts a push message as a browser does (RFC 8291, RFC 8188), without the library that encrypts it.

import { createDecipheriv, hkdfSync, type ECDH } from 'node:crypto'

const hkdf = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array | string, byteCount: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, byteCount))

/** @throws if the body is not one record that was encrypted for this browser */
export function decryptPush(body: Buffer, browser: ECDH, auth: string): string {
  const salt = body.subarray(0, 16)
  const keyEnd = 21 + body.readUInt8(20)
  const senderKey = body.subarray(21, keyEnd)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), senderKey])
  const secret = hkdf(browser.computeSecret(senderKey), Buffer.from(auth, 'base64url'), info, 32)
  const key = hkdf(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = hkdf(secret, salt, 'Content-Encoding: nonce\0', 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(body.subarray(-16))
  const padded = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0 || padded.subarray(end + 1).some(byte => byte !== 0)) throw new Error('Not the last record.')
  return padded.toString('utf8', 0, end)
}
