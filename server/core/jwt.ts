// Signs JSON Web Tokens (RFC 7519), which identify this server to providers.

import { sign, type KeyObject } from 'node:crypto'

const encodePart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** @param key - a P-256 key for ES256, an RSA key for RS256 */
export function signJwt(
  header: { readonly alg: 'ES256' | 'RS256' } & Readonly<Record<string, string>>,
  claims: Readonly<Record<string, string | number>>,
  key: KeyObject
): string {
  const content = `${encodePart(header)}.${encodePart(claims)}`
  const signature = sign('sha256', Buffer.from(content), { dsaEncoding: 'ieee-p1363', key })
  return `${content}.${signature.toString('base64url')}`
}
