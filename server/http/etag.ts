// Strong ETags of JSON answers, and 304 for clients that have the same answer (RFC 9110, 13.1.2).

import { hash } from 'node:crypto'

import type { Answer } from './route.ts'

const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.match(/"[^"]*"/g)?.includes(etag) === true)

/**
 * Adds an ETag to the JSON answer of a GET request, or returns 304 if the client has this answer.
 *
 * @param ifNoneMatch - the header of the request
 */
export function withEtag(answer: Answer, ifNoneMatch: string | undefined): Answer {
  const { body, headers, status } = answer
  if (status !== 200 || typeof body !== 'object' || body === null || body instanceof Uint8Array) return answer
  const text = JSON.stringify(body)
  const etag = `"${hash('sha256', text, 'base64url').slice(0, 22)}"`
  const cacheHeaders = { 'cache-control': 'private, no-cache', etag, ...headers }
  if (matches(ifNoneMatch, etag)) return { headers: cacheHeaders, status: 304 }
  return {
    body: text,
    headers: { 'content-type': 'application/json; charset=utf-8', ...cacheHeaders },
    status
  }
}
