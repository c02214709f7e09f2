// Answers that the caller has already: a strong ETag of their very bytes, and 304 in their place (RFC 9110, 13.1.2).

import { hash } from 'node:crypto'

import type { Answer } from './route.ts'

const has = (known: string | undefined, tag: string): boolean =>
  known !== undefined && (known.trim() === '*' || known.match(/"[^"]*"/g)?.includes(tag) === true)

/**
 * A JSON answer to a reading request, with its tag: whoever keeps it asks whether it still holds before using it again.
 *
 * @param known - `If-None-Match`
 */
export function tagged(answer: Answer, known: string | undefined): Answer {
  const { body, headers, status } = answer
  if (status !== 200 || typeof body !== 'object' || body === null || body instanceof Uint8Array) return answer
  const text = JSON.stringify(body)
  const etag = `"${hash('sha256', text, 'base64url').slice(0, 22)}"`
  const kept = { 'cache-control': 'private, no-cache', etag, ...headers }
  if (has(known, etag)) return { headers: kept, status: 304 }
  return { body: text, headers: { 'content-type': 'application/json; charset=utf-8', ...kept }, status }
}
