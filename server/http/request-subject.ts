// Finds the user and the send that a request is about, for the log and the audit log.

import { digestUserId } from '../core/hash.ts'
import { isTrackingId, isUserId } from '../core/id.ts'
import type { CallOf } from './route.ts'

export interface RequestSubject {
  /** See {@link digestUserId}. */
  readonly userDigest?: string
  readonly trackingId?: string
}

/** Members of a body that may hold an object with the user id or a filter. */
const HOLDERS = ['to', 'user', 'filter'] as const

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function userIdInBody(body: unknown): unknown {
  if (!isRecord(body)) return undefined
  if (typeof body['userId'] === 'string') return body['userId']
  const held = HOLDERS.map(name => body[name]).find(isRecord)
  return held?.['id'] ?? held?.['userId']
}

/**
 * Looks at the path first, then at query and body.
 *
 * @param call - undefined if the request was refused before its body was read
 */
export function subjectOf(
  params: Readonly<Record<string, string | string[] | undefined>>,
  call?: Pick<CallOf['anyone'], 'body' | 'query'>
): RequestSubject {
  const envId = params['clientId']
  const query = (name: string): string | undefined => call?.query.get(name) ?? undefined
  const userId = params['userId'] ?? query('userId') ?? query('user') ?? userIdInBody(call?.body)
  const trackingId = params['trackingId'] ?? query('trackingId')
  return {
    ...(typeof envId === 'string' &&
      typeof userId === 'string' &&
      isUserId(userId) && { userDigest: digestUserId(envId, userId) }),
    ...(typeof trackingId === 'string' && isTrackingId(trackingId) && { trackingId })
  }
}
