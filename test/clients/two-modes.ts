// Starts one server with two environments, with and without secure mode, for clients of the hosted product.

import { createClient, type NotifClient } from '../../server/client/index.ts'
import { ensureEnvironment } from '../../server/environments/environments.sql.ts'
import { startOwn, type Started } from '../client/server.ts'
import { CLIENT, SECRET } from '../process/send-and-read.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'

export interface Mode {
  readonly name: string
  readonly secure: boolean
  readonly clientId: string
  readonly secret: string
}

export const SECURE: Mode = { clientId: CLIENT, name: 'secure mode', secret: SECRET, secure: true }
export const OPEN: Mode = {
  clientId: 'open-app',
  name: 'without secure mode',
  secret: 'secret-of-the-open-app',
  secure: false
}
export const MODES = [SECURE, OPEN] as const

export interface TwoModes {
  readonly base: string
  /** Our own client, to prepare and to look. */
  readonly ours: (mode: Mode) => NotifClient
  /** What a page is given in this mode. */
  readonly hashFor: (mode: Mode, userId: string) => Promise<string | undefined>
  /** Sockets that hear what happens: an open one may still be at the door. */
  readonly listeners: () => Promise<number>
  readonly started: Started
  [Symbol.asyncDispose](): Promise<void>
}

export async function startTwoModes(env: Readonly<Record<string, string>> = {}): Promise<TwoModes> {
  const started = await startOwn(env)
  const base = started.process.base
  await ensureEnvironment(started.db, TEST_ENCRYPTION, {
    id: OPEN.clientId,
    origins: [],
    secret: OPEN.secret,
    secureMode: false
  })
  const ours = ({ clientId, secret }: Mode) => createClient({ baseURL: base, clientId, clientSecret: secret })
  return {
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
    base,
    hashFor: async (mode, userId) => (mode.secure ? ours(mode).userHash(userId) : undefined),
    async listeners() {
      const metrics = await (await fetch(`${base}/metrics`)).text()
      return Number(/^notif_sockets\{kind="all"\} (\d+)/m.exec(metrics)?.[1] ?? 0)
    },
    ours,
    started
  }
}
