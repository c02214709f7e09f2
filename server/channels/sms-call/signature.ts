// Signatures of call-backs, compared in constant time.

import { createHmac, timingSafeEqual } from 'node:crypto'

export const hmac = (algorithm: 'sha1' | 'sha256', key: string | Buffer, data: string | Buffer): Buffer =>
  createHmac(algorithm, key).update(data).digest()

/** @param given - as text; what cannot be decoded is wrong */
export function isSignature(
  given: string | string[] | undefined,
  expected: Buffer,
  encoding: 'base64' | 'base64url' | 'hex' = 'base64'
): boolean {
  const bytes = Buffer.from(String(given ?? ''), encoding)
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}

/** A JSON object, or undefined. */
export function objectIn(text: string | Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(String(text))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}

/** The text of a member; what is missing or no text is `''`. */
export const textIn = (object: Readonly<Record<string, unknown>> | undefined, key: string): string => {
  const value = object?.[key]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
