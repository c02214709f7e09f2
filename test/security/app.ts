// Starts the whole server in this process: routes, sockets, queues and database.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'

import { pino } from 'pino'

import { appRoutes } from '../../server/app.ts'
import type { Clock } from '../../server/core/clock.ts'
import { sha256 } from '../../server/core/hash.ts'
import type { Db } from '../../server/db/db.ts'
import { ensureEnvironment } from '../../server/environments/environments.sql.ts'
import { adminActor } from '../../server/http/audit/audit.ts'
import { userHash } from '../../server/http/auth.ts'
import type { Role } from '../../server/http/roles.ts'
import type { Route } from '../../server/http/route.ts'
import { csrfToken } from '../../server/http/session.ts'
import type { OpenQueues } from '../../server/queue/open-queues.ts'
import { testDb } from '../support/db.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'
import { openTestNode } from '../support/test-node.ts'

/** In secure mode, for pages of {@link PAGE} alone. */
export const CLIENT = 'client_1'
export const SECRET = 'secret-of-client-1-4f7d'
export const PAGE = 'https://a.example'
/** Another one, without secure mode, for all pages. */
export const OTHER = 'client_2'
export const OTHER_SECRET = 'secret-of-client-2-9c1b'
export const ADMIN_TOKEN = 'token-of-the-operator-77aa'

/** Settings with which members of every role can have a session, without the provider itself. */
export const WITH_OIDC = {
  NOTIF_DEMO: '1',
  NOTIF_OIDC_CLIENT_ID: 'notif-kit',
  NOTIF_OIDC_CLIENT_SECRET: 'secret-at-the-provider',
  NOTIF_OIDC_ISSUER: 'https://id.example',
  NOTIF_OIDC_ROLES: 'admins=admin',
  NOTIF_PUBLIC_URL: 'http://notify.example'
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Of a JSON answer. */
  readonly json: Readonly<Record<string, unknown>>
}

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface TestApp {
  readonly db: Db
  readonly routes: readonly Route[]
  readonly url: string
  readonly port: number
  readonly queues: OpenQueues
  /** Open sockets that were let in. */
  sockets(): number
  /** Everything that was logged, at the level trace. */
  log(): string
  /** Unlike fetch, sends path, headers and body as they are. */
  ask(path: string, asked?: Asked): Promise<Answer>
  /** Opens a session of a member with this role; others than admins need {@link WITH_OIDC}. @returns the headers of its pages */
  signIn(role?: Role): Promise<Record<string, string>>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * @param env - settings beside those of the two environments
 * @param clock - what the database's says. Default: the same as the machine's
 */
export async function startApp(
  env: Readonly<Record<string, string>> = {},
  clock: Clock = Date.now
): Promise<TestApp> {
  const settings: Readonly<Record<string, string>> = {
    NOTIF_ADMIN_TOKEN: ADMIN_TOKEN,
    NOTIF_CLIENT_ID: CLIENT,
    NOTIF_CLIENT_SECRET: SECRET,
    NOTIF_ORIGINS: PAGE,
    NOTIF_REQUESTS_PER_SECOND: '100000',
    ...env
  }
  const test = await testDb()
  const { db } = test
  await ensureEnvironment(db, TEST_ENCRYPTION, {
    id: OTHER,
    origins: [],
    secret: OTHER_SECRET,
    secureMode: false
  })

  const lines: string[] = []
  const log = pino(
    { level: 'trace' },
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      }
    })
  )
  const dist = buildOf()
  const whole = await openTestNode(db, settings, { clock, dist, log, port: Number(settings['PORT'] ?? 0) })
  const { base, node, port } = whole
  whole.serve()
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })

  return {
    async [Symbol.asyncDispose]() {
      agent.destroy()
      await whole[Symbol.asyncDispose]()
      await test[Symbol.asyncDispose]()
      rmSync(dist, { recursive: true })
    },
    ask: (path, asked) => ask(port, agent, path, asked),
    db,
    queues: node.queues,
    log: () => lines.join(''),
    port,
    routes: appRoutes(node.parts),
    sockets: () => node.live.connectionCount(),
    async signIn(role = 'admin') {
      const issuer = settings['NOTIF_OIDC_ISSUER'] ?? ''
      const subject = issuer === '' ? adminActor(sha256(ADMIN_TOKEN)) : role
      const { sessions } = node.parts
      const { id } = await sessions.nameOf({ issuer, subject })
      const signedIn = await sessions.signIn({
        address: '127.0.0.1',
        browser: 'Test',
        id,
        identity: { email: undefined, issuer, name: `Some ${role}`, role, subject },
        previousCookie: undefined
      })
      return asMember(signedIn!.cookie, base)
    },
    url: base
  }
}

/** The headers that a page of the server sends with the cookie of a session. */
export const asMember = (cookie: string, base: string): Record<string, string> => ({
  cookie: `notif_session=${cookie}`,
  origin: new URL(base).origin,
  'x-csrf-token': csrfToken(cookie)
})

function ask(
  port: number,
  agent: Agent,
  path: string,
  { body, headers = {}, method = 'GET' }: Asked = {}
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const asked = request(
      { agent, headers: { ...length, ...headers }, host: '127.0.0.1', method, path, port },
      response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const isJson = /[/+]json\b/.test(response.headers['content-type'] ?? '')
          resolve({
            headers: response.headers,
            json: (isJson && text !== '' ? JSON.parse(text) : {}) as Answer['json'],
            status: response.statusCode!,
            text
          })
        })
      }
    )
    asked.on('error', reject)
    asked.end(body)
  })
}

/** The source of the demo page and one file, in place of what the build makes of them. */
function buildOf(): string {
  const dist = mkdtempSync(join(tmpdir(), 'notif-dist-'))
  mkdirSync(join(dist, 'demo'))
  for (const page of ['index', 'states', 'strict', 'theming']) {
    cpSync(join(import.meta.dirname, `../../demo/${page}.html`), join(dist, `demo/${page}.html`))
  }
  writeFileSync(join(dist, 'notif.js'), 'export {}\n')
  return dist
}

export const basic = (text: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(text).toString('base64')}`
})
export const asBackEnd = basic(`${CLIENT}:${SECRET}`)
export const hashOf = (userId: string, secret = SECRET): string => userHash(secret, userId)
export const asUser = (userId: string): Record<string, string> =>
  basic(`${CLIENT}:${userId}:${hashOf(userId)}`)
export const asAdmin = { authorization: `Bearer ${ADMIN_TOKEN}` }

/**
 * What every table holds but the audit log, which has refused calls of operators too, the counts of the log, which housekeeping
 * adds up once a minute, and the reports of the process itself.
 */
export async function contents({ db }: Pick<TestApp, 'db'>): Promise<Readonly<Record<string, string>>> {
  const tables = await db.control<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname not like 'audit%'
      and c.relname not like 'log_count%' and c.relname not in ('log_minutes', 'nodes', 'ticks')
    order by 1`
  const counted = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await db.control<{ print: string }[]>`
        select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as print
        from ${db.control(name)} t`
      return [name, row!.print] as const
    })
  )
  return Object.fromEntries(counted)
}
