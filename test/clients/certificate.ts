// Creates a self-signed certificate for 127.0.0.1 as DER (X.509, RFC 5280), without an external tool.

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const tlv = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Buffer[]): Buffer => tlv(0x30, ...parts)
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, 'hex'))
const time = (ms: number): Buffer =>
  tlv(
    0x17,
    Buffer.from(
      `${new Date(ms)
        .toISOString()
        .replaceAll(/[-:T]|\.\d+/g, '')
        .slice(2)}`
    )
  )

const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'))
const COMMON_NAME = oid('550403')
const ALTERNATIVE_NAMES = oid('551d11')
const DAY = 86_400_000

/** Key and certificate as PEM. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from('127.0.0.1')))))
  const addresses = sequence(tlv(0x87, Buffer.from([127, 0, 0, 1])))
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    // The leading byte makes the number positive.
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_SHA256,
    name,
    sequence(time(Date.now() - DAY), time(Date.now() + DAY)),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    tlv(0xa3, sequence(sequence(ALTERNATIVE_NAMES, tlv(0x04, addresses))))
  )
  const signature = tlv(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const der = sequence(body, ECDSA_SHA256, signature)
  const lines = der.toString('base64').match(/.{1,64}/g)!
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
  }
}
