// A Postgres for tests where none is given: one for each process, gone with it.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startEmbedded, type Embedded } from '../../server/db/embedded/embedded.ts'

export interface TestServer {
  readonly url: string
  [Symbol.asyncDispose](): Promise<void>
}

/** TCP, because not every program that a test starts knows the address of a Unix socket. */
async function start(): Promise<{ database: Embedded; dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'notif-test-'))
  const database = await startEmbedded({ connections: 200, dataDir, say: () => {}, tcp: true })
  return { dataDir, database }
}

/** For a program that starts others and stops it itself. */
export async function openTestServer(): Promise<TestServer> {
  const { dataDir, database } = await start()
  return {
    async [Symbol.asyncDispose]() {
      await database.stop()
      rmSync(dataDir, { force: true, recursive: true })
    },
    url: database.url
  }
}

let shared: Promise<string> | undefined

/** The same for all callers of this process; its guard stops it when the process ends, however it ends. */
export function startTestServer(): Promise<string> {
  shared ??= start().then(({ dataDir, database }) => {
    process.on('exit', () => {
      // Its data is worth nothing now. Until it has ended it may still write a file.
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
