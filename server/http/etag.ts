// Strong ETags of JSON answers: 304 for clients that have the same answer, and 412 for writes that would overwrite a change of
// another client (RFC 9110, 13.1).

import { hash } from 'node:crypto'

import { Problem } from './problem.ts'
import type { Answer, BackEndCall } from './route.ts'

/** Also of a body that is not a JSON text yet. */
export const etagOf = (body: object | string): string =>
  `"${hash('sha256', typeof body === 'string' ? body : JSON.stringify(body), 'base64url').slice(0, 22)}"`

/** Accepts weak ETags, because proxies that compress an answer weaken its ETag. */
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
  const etag = etagOf(text)
  const cacheHeaders = { 'cache-control': 'private, no-cache', etag, ...headers }
  if (matches(ifNoneMatch, etag)) return { headers: cacheHeaders, status: 304 }
  return {
    body: text,
    headers: { 'content-type': 'application/json; charset=utf-8', ...cacheHeaders },
    status
  }
}

/** Answers a PUT with the ETag that GET gives the same body. */
export const putAnswer = (body: object, isCreated: boolean): Answer => ({
  body,
  headers: { etag: etagOf(body) },
  status: isCreated ? 201 : 200
})

/** Checks the stored resource, as GET answers it, before a write. @throws Problem `precondition-failed` */
export type Precondition = (current: object | undefined) => void

/** Reads `If-Match` and `If-None-Match`. @returns undefined without these headers */
export function preconditionOf({ headers }: Pick<BackEndCall, 'headers'>): Precondition | undefined {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined
  return current => {
    const etag = current && etagOf(current)
    const isMatch = ifMatch === undefined || (etag !== undefined && matches(ifMatch, etag))
    if (isMatch && !(etag !== undefined && matches(ifNoneMatch, etag))) return
    if (etag === undefined) throw new Problem('precondition-failed', 'It does not exist, so no ETag matches.')
    const detail = isMatch
      ? `It exists already. Its ETag is ${etag}.`
      : `It was changed since you read it. Read it again; its ETag is now ${etag}.`
    throw new Problem('precondition-failed', detail, { headers: { etag } })
  }
}

/**
 * Writes a resource if the precondition holds.
 *
 * @param read - reads the stored resource and locks it until the end of the transaction
 * @param write - returns whether it created the resource
 * @throws Problem, also if another request creates the resource at the same time
 */
export async function writeIf<C, T extends { readonly created: boolean } | undefined>(
  check: ((current: C | undefined) => void) | undefined,
  read: () => Promise<C | undefined>,
  write: () => Promise<T>
): Promise<T> {
  if (!check) return write()
  const current = await read()
  check(current)
  const written = await write()
  if (!current && written?.created === false) {
    throw new Problem(
      'conflict',
      'Another request created it at the same time. Read it and repeat the change.'
    )
  }
  return written
}

/**
 * Deletes a resource if the precondition holds. A missing resource is left to `remove`, so that it is 404 as without a precondition.
 *
 * @param read - reads the stored resource and locks it until the end of the transaction
 * @param remove - returns false if the resource does not exist
 * @throws Problem
 */
export async function deleteIf<C>(
  check: ((current: C) => void) | undefined,
  read: () => Promise<C | undefined>,
  remove: () => Promise<boolean>
): Promise<boolean> {
  const current = check && (await read())
  if (current !== undefined) check!(current)
  return remove()
}
