// Starts an embedded Postgres for tests, if DATABASE_URL names none: one for each process, removed when the process ends.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startEmbedded, type Embedded } from '../../server/db/embedded/embedded.ts'

export interface TestPostgres {
  readonly url: string
  [Symbol.asyncDispose](): Promise<void>
}

/** Without waits for the disk: tests kill processes, but not the machine, so the kernel still writes everything. */
export const NO_DISK_WAITS = ['fsync=off', 'full_page_writes=off']

/** Listens on TCP, because not every program that a test starts can connect to a Unix socket. */
async function start(settings: readonly string[]): Promise<{ database: Embedded; dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'notif-test-'))
  const database = await startEmbedded({
    connections: 200,
    dataDir,
    say: () => {},
    settings,
    tcp: true
  })
  return { dataDir, database }
}

/**
 * For a program that starts other processes and stops the database itself.
 *
 * @param settings - of Postgres, as `name=value`
 */
export async function openPostgres(settings: readonly string[] = []): Promise<TestPostgres> {
  const { dataDir, database } = await start(settings)
  return {
    async [Symbol.asyncDispose]() {
      await database.stop()
      rmSync(dataDir, { force: true, recursive: true })
    },
    url: database.url
  }
}

let shared: Promise<string> | undefined

/** The same database for all callers in this process; its guard stops it when the process ends, however that happens. */
export function sharedPostgresUrl(): Promise<string> {
  shared ??= start(NO_DISK_WAITS).then(({ dataDir, database }) => {
    process.on('exit', () => {
      // Nothing needs the data any more, so the fastest stop will do. Postgres may write files until it has ended.
      process.kill(database.pid, 'SIGQUIT')
      for (let tries = 0; tries < 40 && existsSync(dataDir); tries++) {
        try {
          rmSync(dataDir, { force: true, recursive: true })
        } catch {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
        }
      }
    })
    return database.url
  })
  return shared
}
