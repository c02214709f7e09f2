// The server under measurement: its own process, as an operator starts it, with its log going to a file.

import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { freePort } from '../support/port.ts'
import { TEST_KEY } from '../support/test-encryption.ts'

const ROOT = join(import.meta.dirname, '../..')
const MAIN = join(ROOT, 'server/main.ts')
/** Flags of Node with which `npm start` runs it. */
export const START_FLAGS = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } }
).scripts.start
  .split(' ')
  .filter(word => word.startsWith('--'))

/** Several processes on a busy machine. */
const START_TIMEOUT_MS = 120_000

export const CLIENT = 'bench'
const SECRET = 'bench-secret-0123456789abcdef'

export const BACK_END = `Basic ${btoa(`${CLIENT}:${SECRET}`)}`
export const userHash = (userId: string): string =>
  createHmac('sha256', SECRET).update(userId).digest('base64')

export interface Server extends AsyncDisposable {
  readonly pid: number
  readonly port: number
  readonly base: string
  /** Everything that the server has written so far. */
  readLog(): string
}

/**
 * Starts it over a database and waits until it serves.
 *
 * @param flags - of Node
 */
export async function serve(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = START_FLAGS
): Promise<Server> {
  const dir = mkdtempSync(join(tmpdir(), 'notif-bench-'))
  const log = join(dir, 'log')
  const file = openSync(log, 'w')
  const port = await freePort()
  const child = spawn(process.execPath, [...flags, MAIN], {
    env: {
      DATABASE_URL: databaseUrl,
      NOTIF_CLIENT_ID: CLIENT,
      NOTIF_CLIENT_SECRET: SECRET,
      NOTIF_DATA_DIR: dir,
      NOTIF_KEY: TEST_KEY,
      NOTIF_SOCKETS_PER_ADDRESS: '1000000',
      PATH: process.env['PATH'],
      PORT: String(port),
      ...env
    },
    stdio: ['ignore', file, file]
  })
  const ended = once(child, 'exit')
  // Also when the bench itself fails: nothing that it started stays.
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const base = `http://127.0.0.1:${port}`
  const until = performance.now() + START_TIMEOUT_MS
  const isReady = () =>
    fetch(`${base}/readyz`).then(
      answer => answer.ok,
      () => false
    )
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() > until) {
      child.kill('SIGKILL')
      throw new Error(`The server did not become ready: ${readFileSync(log, 'utf8').slice(-2000)}`)
    }
    await pause(20)
  }
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      const patience = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await ended
      clearTimeout(patience)
      process.off('exit', kill)
      rmSync(dir, { force: true, recursive: true })
    },
    base,
    pid: child.pid!,
    port,
    readLog: () => readFileSync(log, 'utf8')
  }
}
