// A JSON Web Token signed by our own key: who we are, for providers.

import { sign, type KeyObject } from 'node:crypto'

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** @param key - of P-256 for ES256, of RSA for RS256 */
export function signJwt(
  header: { readonly alg: 'ES256' | 'RS256' } & Readonly<Record<string, string>>,
  claims: Readonly<Record<string, string | number>>,
  key: KeyObject
): string {
  const content = `${part(header)}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(content), { dsaEncoding: 'ieee-p1363', key })
  return `${content}.${signature.toString('base64url')}`
}
