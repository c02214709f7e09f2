// Opens one connection pool for an address, with the options that the driver has but does not declare.

import postgres, { type Options, type PostgresType, type Sql } from 'postgres'

import { StartupError } from '../core/startup-error.ts'
import { findDriverProblem } from './driver-patch.ts'

/** How the patched driver finds connections whose other end is gone (patches/README.md, defect 6). */
export interface Liveness {
  /** Time without data after which a connection that waits for an answer is checked, in milliseconds. */
  readonly timeoutMs: number
  /** Whether the backend with this process id still works on the answer. If not, the driver closes the connection. */
  isBackendActive(pid: number): Promise<boolean>
  onClose(pid: number): void
  /** One function for each connection: closes it if it is idle and received no data since `since` (`performance.now()`). */
  readonly idleClosers: Set<(since: number) => void>
  /** Called after a dead connection was found: idle connections may be dead too. */
  closeSuspects(): void
}

interface UndeclaredOptions {
  /** How many queries may be in flight on a connection behind the current one. Default 100. */
  readonly max_pipeline?: number
  readonly liveness?: Liveness
}

/**
 * As in libpq, a host may be the folder of a Unix socket, percent-encoded:
 * `postgres://user:password@%2Fvar%2Frun%2Fpostgresql:5432/name`.
 * @throws StartupError if the driver is not patched
 */
export function connect(
  url: string,
  options: Options<Record<string, PostgresType>> & UndeclaredOptions = {}
): Sql {
  const problem = findDriverProblem()
  if (problem !== undefined) throw new StartupError(problem)
  const host = /@(%2f[^:/?]*)/i.exec(url)?.[1]
  return postgres(url, { ...options, ...(host && { host: decodeURIComponent(host) }) }) as unknown as Sql
}
