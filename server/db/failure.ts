// What an error of the database means: the one place that knows the codes of Postgres and of the lines to it.

const AWAY = new Set([
  // A transaction of ours stood still for too long, and was ended with its connection.
  '25P03',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  // No file descriptor for a new line, here or on the whole machine.
  'EMFILE',
  'ENFILE',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT'
])

const CUT = new Set(['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'ECONNRESET', 'EPIPE', '57P01', '57P02'])

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''

/** The connection died under the work: what only reads may be asked again on a fresh one. */
export const isCut = (error: unknown): boolean => CUT.has(codeOf(error))

/** The transaction lost against another one and changed nothing: the same work may be tried again at once. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01', '55P03'].includes(codeOf(error))

/** The statement was given up for its time, or its transaction stood still: what else was in it may be blameless. */
export const isTooSlow = (error: unknown): boolean => ['57014', '25P03'].includes(codeOf(error))

/** Somebody was erased, or has changed, since the users were read: nothing was written, and they are to be read again. */
export const isOutdated = (error: unknown): boolean => codeOf(error) === 'NK001'

/** A database on a Unix socket has none while it is down. */
const hasNoSocket = (error: unknown): boolean =>
  codeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect'

/**
 * - `conflict`: see {@link isConflict}
 * - `full`: no room on its disk
 * - `standby`: it has not been promoted yet
 * - `away`: it does not answer, has too much to do or ends
 * - `value`: one that no column can hold
 */
export type Failure = 'conflict' | 'full' | 'standby' | 'away' | 'value'

/** @returns undefined for what is no error of the database, or one of ours */
export function failureOf(error: unknown): Failure | undefined {
  const code = codeOf(error)
  if (isConflict(error)) return 'conflict'
  if (code === '53100') return 'full'
  if (code === '25006') return 'standby'
  // 57: cancelled by time-out or shutting down. 53: out of resources.
  if (AWAY.has(code) || hasNoSocket(error) || /^(?:08|53|57)/.test(code)) return 'away'
  return ['22P05', '22021', '22003', '22P02'].includes(code) ? 'value' : undefined
}
