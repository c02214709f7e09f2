// Starts a server process with a database of its own, and creates clients for it.

import { createClient, type ClientSettings, type NotifClient } from '../../server/client/index.ts'
import type { Db } from '../../server/db/db.ts'
import { CLIENT, OWN_KEYS, SECRET } from '../process/send-and-read.ts'
import { testDb } from '../support/db.ts'
import { startServer, type ServerProcess } from '../support/process.ts'

export const ADMIN_TOKEN = 'token-of-the-operator'

export interface Started {
  readonly db: Db
  readonly process: ServerProcess
  /** Creates a client. Default: of the server's own environment. */
  client(settings?: Partial<ClientSettings>): NotifClient
  /** Ends the server with a signal and starts it again at the same address. */
  restart(signal: NodeJS.Signals): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export async function startOwn(env: Readonly<Record<string, string>> = {}): Promise<Started> {
  await using opened = new AsyncDisposableStack()
  const { db, url } = opened.use(await testDb())
  const settings = {
    ...OWN_KEYS,
    NOTIF_ADMIN_TOKEN: ADMIN_TOKEN,
    NOTIF_DEMO: '0',
    NOTIF_REQUESTS_PER_SECOND: '10000',
    ...env
  }
  let server = await startServer({ databaseUrl: url, env: settings })
  opened.defer(() => server[Symbol.asyncDispose]())
  const baseURL = server.base
  const all = opened.move()
  return {
    [Symbol.asyncDispose]: () => all.disposeAsync(),
    client: more => createClient({ baseURL, clientId: CLIENT, clientSecret: SECRET, ...more }),
    db,
    get process() {
      return server
    },
    async restart(signal) {
      await server.end(signal)
      server = await startServer({ databaseUrl: url, env: { ...settings, PORT: new URL(baseURL).port } })
    }
  }
}
