// Starts a server for the tests of a back end, in a process of its own, with an environment and a database of its own.

/// <reference lib="esnext.disposable" preserve="true" />

import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createClient, type NotifClient } from '../client/client.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'

export interface ServerOptions {
  /** Folder of the notif-kit repository, with its node_modules. Default: the repository of this file. */
  readonly folder?: string
  /**
   * Postgres 15 or newer. The server writes into an environment of its own and does not delete it. Default: an embedded
   * Postgres in a temporary folder.
   */
  readonly databaseUrl?: string
  /** More settings of the server, e.g. `NOTIF_TYPES_DIR`. The server does not inherit the environment of the test. */
  readonly settings?: Readonly<Record<string, string>>
  /** Milliseconds in which the server has to become ready. Default: 60,000. */
  readonly patience?: number
}

export interface NotifServer {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly adminToken: string
  readonly client: NotifClient
  /** Receives the messages of every channel but in-app, unless `settings` name a provider. */
  readonly sandbox: Sandbox
  /** Returns what the server has printed so far. */
  output(): string
  /** Stops the server and deletes its temporary folder. `await using` calls it. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const READY_LINE = /ready at ([^\s,]+)/
/** After this time a server that does not stop gets SIGKILL. */
const STOP_TIMEOUT_MS = 30_000
/** The same encryption key for all servers of tests, so that they can share a database. */
const KEY = 'the key of servers that only tests see'

/**
 * Starts a server on a free port of 127.0.0.1 and waits until it is ready. It stops when the calling process ends, even by
 * SIGKILL, and does not keep that process alive.
 *
 * @throws Error with the output of the server if it does not start
 */
export async function startNotifServer(options: ServerOptions = {}): Promise<NotifServer> {
  const folder = options.folder ?? join(import.meta.dirname, '../..')
  const main = join(folder, 'server/main.ts')
  if (!existsSync(main)) {
    throw new Error(
      `There is no notif-kit server in ${folder}. Set \`folder\` to the folder of the repository.`
    )
  }
  const clientId = `test-${randomBytes(6).toString('hex')}`
  const clientSecret = randomBytes(24).toString('base64url')
  const adminToken = randomBytes(24).toString('base64url')
  const home = mkdtempSync(join(tmpdir(), 'notif-server-'))
  const child = spawn(nodeProgram(folder), ['--import', exitHookUrl(home), main], {
    cwd: folder,
    env: {
      NOTIF_ADMIN_TOKEN: adminToken,
      NOTIF_CLIENT_ID: clientId,
      NOTIF_CLIENT_SECRET: clientSecret,
      NOTIF_DATA_DIR: home,
      NOTIF_DEMO: '0',
      NOTIF_KEY: KEY,
      NOTIF_LOG_LEVEL: 'warn',
      NOTIF_WEB_PUSH: '0',
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      PORT: '0',
      ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl }),
      ...options.settings
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  const stop = (): Promise<void> => stopServer(child, home)
  let output = ''
  try {
    const url = await waitUntilReady(child, options.patience ?? 60_000, text => (output += text))
    unref(child)
    const settings = { baseURL: url, clientId, clientSecret }
    return {
      [Symbol.asyncDispose]: stop,
      adminToken,
      client: createClient(settings),
      clientId,
      clientSecret,
      output: () => output,
      sandbox: openSandbox(settings),
      stop,
      url
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Prefers the Node of the repository. */
const nodeProgram = (folder: string): string => {
  const own = join(folder, 'node_modules/.bin/node')
  return existsSync(own) ? own : process.execPath
}

/** @param home - folder to delete when the server ends */
function exitHookUrl(home: string): string {
  const hook = new URL(`./exit-with-parent${extname(fileURLToPath(import.meta.url))}`, import.meta.url)
  hook.searchParams.set('folder', home)
  return hook.href
}

/**
 * @param append - adds text to the output and returns the whole output
 * @returns the address of the server
 */
function waitUntilReady(
  child: ChildProcess,
  timeoutMs: number,
  append: (text: string) => string
): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (what: string): void => {
      clearTimeout(timer)
      reject(new Error(`The server ${what}:\n${append('')}`))
    }
    const timer = setTimeout(() => fail(`was not ready within ${timeoutMs} ms`), timeoutMs)
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        const url = READY_LINE.exec(append(text))?.[1]
        if (url === undefined) return
        clearTimeout(timer)
        resolve(url)
      })
    }
    child.once('error', error => fail(`could not be started (${error.message})`))
    child.once('close', code => fail(`ended with ${code}`))
  })
}

/** Lets the calling process end while the server runs. */
function unref(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
  for (const stream of [child.stdout, child.stderr]) (stream as Socket | null)?.unref()
}

async function stopServer(child: ChildProcess, home: string): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    child.ref()
    const ended = once(child, 'exit')
    const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    child.kill('SIGTERM')
    await ended
    clearTimeout(killTimer)
  }
  rmSync(home, { force: true, maxRetries: 20, recursive: true, retryDelay: 50 })
}
