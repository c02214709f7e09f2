// One pool for an address, and what the driver takes without naming it.

import postgres, { type Options, type PostgresType, type Sql } from 'postgres'

/** What the driver asks about a connection that has been silent for a while (mend-driver.mjs). */
export interface Silence {
  /** Milliseconds without a word after which it is asked. */
  readonly ms: number
  /** @param pid - of the backend */
  works(pid: number): Promise<boolean>
  /** The line to the backend is closed. When that is because it did not work, the backend may not have heard. */
  closed(pid: number): void
  /** Of each connection: to be opened anew when it is idle and has not said anything since. `performance.now()` */
  readonly idle: Set<(since: number) => void>
  /** A line was dead: the idle ones may be, too, and whoever takes one would wait for nothing again. */
  suspect(): void
}

/** Options that the library has, or got from us, without naming them. */
interface Unnamed {
  /** How many questions may be on their way on a connection before the newest. Default 100. */
  readonly max_pipeline?: number
  readonly silence?: Silence
}

/**
 * As in libpq, a host may be the folder of a Unix socket, percent-encoded:
 * `postgres://user:password@%2Fvar%2Frun%2Fpostgresql:5432/name`.
 */
export function connect(url: string, options: Options<Record<string, PostgresType>> & Unnamed = {}): Sql {
  const host = /@(%2f[^:/?]*)/i.exec(url)?.[1]
  return postgres(url, { ...options, ...(host && { host: decodeURIComponent(host) }) }) as unknown as Sql
}
