// From whatever was thrown to the problem that the caller sees: the one place that knows Postgres error codes.

import { Problem } from './problem.ts'

/** Seconds after which a caller may try again. */
const SOON = { headers: { 'retry-after': '1' } }
const LATER = { headers: { 'retry-after': '5' } }

const CONNECTION = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT'
])

const CUT = new Set(['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'ECONNRESET', 'EPIPE', '57P01', '57P02'])

/** The connection died under the work: what only reads may be asked again on a fresh one. */
export const isCut = (error: unknown): boolean => CUT.has(codeOf(error))

/** A database on a Unix socket has none while it is down. */
const hasNoSocket = (error: unknown): boolean =>
  codeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect'

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''

/** The transaction lost against another one and changed nothing: the same work may be tried again at once. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01', '55P03'].includes(codeOf(error))

/** The statement was given up for its time: what else was in it may be blameless. */
export const isTooSlow = (error: unknown): boolean => codeOf(error) === '57014'

/** Somebody was erased, or has changed, since the users were read: nothing was written, and they are to be read again. */
export const isOutdated = (error: unknown): boolean => codeOf(error) === 'NK001'

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  const code = codeOf(error)
  if (isConflict(error)) {
    return new Problem('unavailable', 'Others are changing the same data. Please try again.', {
      ...SOON,
      cause: error
    })
  }
  if (code === '53100') {
    return new Problem('storage-full', 'Nothing was stored.', { ...LATER, cause: error })
  }
  // A standby that has not been promoted yet.
  if (code === '25006') {
    return new Problem('unavailable', 'The database is read-only now. Please try again.', {
      ...LATER,
      cause: error
    })
  }
  // 57: cancelled by time-out or shutting down. 53: out of resources.
  if (CONNECTION.has(code) || hasNoSocket(error) || /^(?:08|53|57)/.test(code)) {
    return new Problem('unavailable', 'The database does not answer. Please try again.', {
      ...LATER,
      cause: error
    })
  }
  if (['22P05', '22021', '22003', '22P02'].includes(code)) {
    return new Problem('invalid-request', 'A value cannot be stored: it is out of range or not text.', {
      cause: error
    })
  }
  return new Problem('internal', 'The request failed. Quote the instance when you report this.', {
    cause: error
  })
}
