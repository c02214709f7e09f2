// A server for the tests of a back-end: a process of its own with a database of its own, gone with them.

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
  /** Folder of the notif-kit repository, with its node_modules. Default: the one that this file is in. */
  readonly folder?: string
  /**
   * Postgres 15 or newer. What is written there stays there, in an environment of this server's own. Default: an
   * embedded Postgres in a temporary folder.
   */
  readonly databaseUrl?: string
  /** More settings, e.g. `NOTIF_TYPES_DIR`. The environment of the tests gives none. */
  readonly settings?: Readonly<Record<string, string>>
  /** Milliseconds until it must be ready. Default 60,000. */
  readonly patience?: number
}

export interface NotifServer {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly adminToken: string
  readonly client: NotifClient
  /** Every channel but in-app ends there, unless `settings` name a provider. */
  readonly sandbox: Sandbox
  /** Everything that it has said so far. */
  output(): string
  /** Stops it and clears away; `await using` does it by itself. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const READY = /ready at ([^\s,]+)/
/** Milliseconds until a server that does not stop is ended. */
const STOP = 30_000
/** The same for all, so that they can share a database. */
const KEY = 'the key of servers that only tests see'

/**
 * Starts the server of a repository on a free port of 127.0.0.1 and waits until it serves. It ends when the calling
 * process ends, however that ends, and keeps no process alive.
 *
 * @throws Error with what the server said, where it does not start
 */
export async function startNotifServer(options: ServerOptions = {}): Promise<NotifServer> {
  const folder = options.folder ?? join(import.meta.dirname, '../..')
  const main = join(folder, 'server/main.ts')
  if (!existsSync(main)) {
    throw new Error(
      `There is no notif-kit server in ${folder}: name the folder of the repository in \`folder\`.`
    )
  }
  const clientId = `test-${randomBytes(6).toString('hex')}`
  const clientSecret = randomBytes(24).toString('base64url')
  const adminToken = randomBytes(24).toString('base64url')
  const home = mkdtempSync(join(tmpdir(), 'notif-server-'))
  const child = spawn(nodeOf(folder), ['--import', exitHookUrl(home), main], {
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
  const stop = (): Promise<void> => end(child, home)
  let output = ''
  try {
    const url = await readyAt(child, options.patience ?? 60_000, text => (output += text))
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

/** The one that the repository brings. */
const nodeOf = (folder: string): string => {
  const own = join(folder, 'node_modules/.bin/node')
  return existsSync(own) ? own : process.execPath
}

/** @param home - the folder that is to go with the process */
function exitHookUrl(home: string): string {
  const hook = new URL(`./exit-with-parent${extname(fileURLToPath(import.meta.url))}`, import.meta.url)
  hook.searchParams.set('folder', home)
  return hook.href
}

/** @param hear - takes what it says and gives back all that it has said */
function readyAt(child: ChildProcess, patience: number, hear: (text: string) => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (what: string): void => {
      clearTimeout(timer)
      reject(new Error(`The server ${what}:\n${hear('')}`))
    }
    const timer = setTimeout(() => fail(`was not ready within ${patience} ms`), patience)
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        const url = READY.exec(hear(text))?.[1]
        if (url === undefined) return
        clearTimeout(timer)
        resolve(url)
      })
    }
    child.once('error', error => fail(`could not be started (${error.message})`))
    child.once('close', code => fail(`ended with ${code}`))
  })
}

/** From now on nobody waits for it. */
function unref(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
  for (const stream of [child.stdout, child.stderr]) (stream as Socket | null)?.unref()
}

async function end(child: ChildProcess, home: string): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    child.ref()
    const ended = once(child, 'exit')
    const late = setTimeout(() => child.kill('SIGKILL'), STOP)
    child.kill('SIGTERM')
    await ended
    clearTimeout(late)
  }
  rmSync(home, { force: true, maxRetries: 20, recursive: true, retryDelay: 50 })
}
