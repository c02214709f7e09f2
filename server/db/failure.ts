// Decides what a database error means. No other file knows the codes of Postgres and of the connections to it.

const UNAVAILABLE = new Set([
  // A transaction of this process stood still for too long and was ended with its connection.
  '25P03',
  // The disk of the database fails, or the coordinator of a cluster lost a node to which it copied rows.
  '58030',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  // This process or the machine has no file descriptor for a new connection.
  'EMFILE',
  'ENFILE',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT'
])

const CONNECTION_LOST = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'ECONNRESET',
  'EPIPE',
  '57P01',
  '57P02'
])

/**
 * Citus sends the rows of some inserts to a worker as a COPY, and passes on the message of its error, but not the code. Refused
 * values are not among these, because the coordinator has converted all values before.
 */
const CODES_OF_COPY: readonly (readonly [message: RegExp, code: string])[] = [
  [/No space left on device$/, '53100'],
  [/^deadlock detected$/, '40P01'],
  [/^cannot execute .* in a read-only transaction$/, '25006'],
  [/^canceling statement due to /, '57014'],
  [/^terminating connection /, '57P01']
]

const isOfCopy = (error: object): error is { readonly message: string } =>
  'routine' in error && error.routine === 'ReportCopyError' && 'message' in error

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  const known = isOfCopy(error) && CODES_OF_COPY.find(([message]) => message.test(error.message))
  return known ? known[1] : String(error.code)
}

/** Whether the connection ended during the query. A read may be repeated on a new connection. */
export const isConnectionLost = (error: unknown): boolean => CONNECTION_LOST.has(codeOf(error))

/** Whether the transaction lost against another one and changed nothing. The same work may be repeated at once. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01', '55P03'].includes(codeOf(error))

/** Whether the statement or its transaction took too long. A smaller part of the work may succeed. */
export const isTooSlow = (error: unknown): boolean => ['57014', '25P03'].includes(codeOf(error))

/** Whether a user was erased or changed since the transaction read them: nothing was written, and they must be read again. */
export const isOutdated = (error: unknown): boolean => codeOf(error) === 'NK001'

/** Beginnings of messages of Citus and of the Postgres client in it. */
const NODE_LOST =
  /^(?:failure on connection|connection not open|could not (?:receive data from|send data to) server|invalid socket|no connection to the server|server closed the connection|SSL (?:SYSCALL )?error)/

/** The coordinator of a cluster lost its connection to another node in the middle of a statement. It has no code of its own for that. */
const hasLostNode = (error: unknown): boolean =>
  codeOf(error) === 'XX000' && NODE_LOST.test((error as Error).message)

/** The Unix socket of a database does not exist while the database is down. */
const hasNoSocket = (error: unknown): boolean =>
  codeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect'

/**
 * - `conflict`: see {@link isConflict}
 * - `full`: the disk of the database is full
 * - `standby`: the database is read-only, because it is not promoted yet
 * - `unavailable`: the database does not answer, is overloaded or shuts down
 * - `value`: no column can hold the value
 */
export type Failure = 'conflict' | 'full' | 'standby' | 'unavailable' | 'value'

/** @returns undefined if it is no database error, or one that means a fault of this server */
export function classifyFailure(error: unknown): Failure | undefined {
  const code = codeOf(error)
  if (isConflict(error)) return 'conflict'
  if (code === '53100') return 'full'
  if (code === '25006') return 'standby'
  // Class 57: cancelled by time-out, or shutting down. Class 53: out of resources.
  if (UNAVAILABLE.has(code) || hasNoSocket(error) || hasLostNode(error) || /^(?:08|53|57)/.test(code))
    return 'unavailable'
  return ['22P05', '22021', '22003', '22P02'].includes(code) ? 'value' : undefined
}

/** Whether the same statement may succeed later, unless this process itself has closed its connections. */
export function isPassing(error: unknown): boolean {
  const failure = classifyFailure(error)
  return failure !== undefined && failure !== 'value' && codeOf(error) !== 'CONNECTION_ENDED'
}
