// A real server for tests: routes on Express behind the door, on a database of its own.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'

import express from 'express'
import { pino } from 'pino'

import { readConfig, type Config } from '../../server/config/config.ts'
import { sha256 } from '../../server/core/hash.ts'
import type { Db } from '../../server/db/db.ts'
import { openApiKeys } from '../../server/environments/api-keys/api-keys.ts'
import { ensureEnvironment, openEnvironments } from '../../server/environments/environments.sql.ts'
import { openAudit } from '../../server/http/audit/audit.ts'
import { userHash } from '../../server/http/auth.ts'
import type { ObservedRequest } from '../../server/http/handle-request.ts'
import { createHttpServer } from '../../server/http/http-server.ts'
import { mount, type MountOptions } from '../../server/http/mount.ts'
import type { Route } from '../../server/http/route.ts'
import { openSessions } from '../../server/operators/sessions.ts'
import { testDb } from '../support/db.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'

export const CLIENT = 'client_1'
export const SECRET = 'secret of client 1'
export const OTHER = 'client_2'
export const OTHER_SECRET = 'secret of client 2'
export const ADMIN_TOKEN = 'token of the operator'.replaceAll(' ', '_')

export interface Served {
  readonly db: Db
  readonly url: string
  /** Everything that was logged. */
  readonly log: () => string
  readonly seen: readonly ObservedRequest[]
  fetch(path: string, init?: RequestInit): Promise<Response>
  [Symbol.asyncDispose](): Promise<void>
}

export function testConfig(env: Readonly<Record<string, string>> = {}): Config {
  const read = readConfig({ NOTIF_REQUESTS_PER_SECOND: '100000', ...env })
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.config
}

/** Two environments: CLIENT in secure mode for pages of https://a.example, OTHER without, for all pages. */
export async function serve(
  routes: (db: Db) => Route[],
  env: Readonly<Record<string, string>> = {},
  options: Pick<MountOptions, 'readerTimeoutMs' | 'unsent'> = {}
): Promise<Served> {
  const test = await testDb()
  const { db } = test
  await ensureEnvironment(db, TEST_ENCRYPTION, {
    id: CLIENT,
    origins: ['https://a.example'],
    secret: SECRET,
    secureMode: true
  })
  await ensureEnvironment(db, TEST_ENCRYPTION, {
    id: OTHER,
    origins: [],
    secret: OTHER_SECRET,
    secureMode: false
  })
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    }
  })
  const seen: ObservedRequest[] = []
  const app = express()
  mount(app, routes(db), {
    adminTokenHash: sha256(ADMIN_TOKEN),
    apiKeys: openApiKeys(db, Date.now),
    audit: openAudit(db, Date.now),
    config: testConfig(env),
    environments: openEnvironments(db, TEST_ENCRYPTION),
    log: pino({ level: 'trace' }, sink),
    observe: line => seen.push(line),
    sessions: openSessions(db, Date.now, { adminTokenHash: sha256(ADMIN_TOKEN), issuer: undefined }),
    ...options
  })
  const server = createHttpServer(app)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await test[Symbol.asyncDispose]()
    },
    db,
    fetch: (path, init) => fetch(url + path, init),
    log: () => lines.join(''),
    seen,
    url
  }
}

export const basic = (text: string, encoding: 'utf8' | 'latin1' = 'utf8'): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(text, encoding).toString('base64')}`
})

export const asBackEnd = basic(`${CLIENT}:${SECRET}`)
export const asUser = (userId: string): Record<string, string> =>
  basic(`${CLIENT}:${userId}:${userHash(SECRET, userId)}`)
