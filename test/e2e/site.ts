// A real server with the build, a real browser, and a site on another origin that uses the kit by a script tag.

import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import {
  chromium,
  type Browser,
  type BrowserContext,
  type LaunchOptions,
  type Locator,
  type Page
} from 'playwright-core'

import type { Db } from '../../server/db/db.ts'
import { testDb } from '../support/db.ts'
import { startServer, type ServerProcess } from '../support/process.ts'
import { ensureBuilt } from './build.ts'

export const CLIENT = 'heron'
export const SECRET = 'the-secret-of-heron'

export const toUserHash = (userId: string): string =>
  createHmac('sha256', SECRET).update(userId).digest('base64')

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export async function openBrowser(options: LaunchOptions = {}): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? BROWSERS.find(path => existsSync(path))
  if (executablePath === undefined) {
    throw new Error(`No Chromium in ${BROWSERS.join(', ')}: apt-get install chromium, or set CHROMIUM_PATH.`)
  }
  return chromium.launch({ args: ['--no-sandbox'], executablePath, ...options })
}

export interface Sent {
  readonly trackingId: string
}

export interface InboxState {
  readonly counts: { readonly unarchived: number; readonly unopened: number; readonly unseen: number }
  readonly items: readonly {
    readonly id: string
    readonly title: string
    readonly opened?: string
    readonly clicked?: string
    readonly archived?: string
  }[]
}

export interface PageOptions {
  readonly userId: string
  /** Default: the right one. */
  readonly userHash?: string
  /** Default: a popup. */
  readonly body?: string
  readonly lang?: string
  readonly dir?: 'rtl'
  /** Address of the server for this page, such as a proxy. Default: the server itself. */
  readonly base?: string
}

/** The operator's side: the server and its REST interface. */
export interface Site {
  readonly server: ServerProcess
  readonly base: string
  readonly db: Db
  send(userId: string, inapp: Readonly<Record<string, unknown>>, type?: string): Promise<Sent>
  post(path: string, body: unknown): Promise<Response>
  inbox(userId: string): Promise<InboxState>
  /** Address of such a page or script, as it is given. */
  host(html: string): string
  /** Address of a page of another origin. */
  page(options: PageOptions): string
  /** Kills the server and starts it on the same port. `between` runs while there is none. */
  restart(between?: () => Promise<void>): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

const documentOf = (
  {
    userId,
    userHash = toUserHash(userId),
    // Opening marks all as opened: what is in sight after a second depends on the machine.
    body = '<notif-popup mark-opened="open"></notif-popup>',
    lang = 'en',
    dir
  }: PageOptions,
  base: string
): string => `<!doctype html>
<html lang="${lang}"${dir ? ` dir="${dir}"` : ''}>
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Heron Ferries</title>
  <link rel="icon" href="data:,">
  <script>
    addEventListener('pageshow', event => { window.fromCache = event.persisted })
  </script>
  <script type="module" src="${base}/notif.js" data-client-id="${CLIENT}" data-user-id="${userId}" data-user-hash="${userHash}"></script>
</head>
<body>
  <h1>Heron Ferries</h1>
  ${body}
  <a href="/timetable">Timetable</a>
</body>
</html>`

/** The other site: static pages on a port of their own. */
async function openHost(): Promise<{
  readonly base: string
  add(html: string): string
  close(): void
}> {
  const pages = new Map<string, string>()
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://host').pathname
    const html =
      pages.get(path) ??
      `<!doctype html><html lang="en"><title>${path}</title><link rel="icon" href="data:,"><h1>${path}</h1>`
    const type = html.startsWith('<') ? 'text/html' : 'text/javascript'
    response.setHeader('content-type', `${type}; charset=utf-8`).end(html)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    add(html) {
      const path = `/page-${pages.size}`
      pages.set(path, html)
      return base + path
    },
    base,
    close() {
      server.close()
      server.closeAllConnections()
    }
  }
}

export async function openSite(env: Readonly<Record<string, string>> = {}): Promise<Site> {
  await ensureBuilt()
  // After a failure everything that is open is closed, so that the process can end.
  await using opened = new AsyncDisposableStack()
  const db = opened.use(await testDb())
  const host = await openHost()
  opened.defer(() => host.close())
  const settings = {
    NOTIF_CLIENT_ID: CLIENT,
    NOTIF_CLIENT_SECRET: SECRET,
    NOTIF_DEMO: '1',
    // Tests poll more often than users.
    NOTIF_REQUESTS_PER_SECOND: '10000',
    ...env
  }
  let server = await startServer({ databaseUrl: db.url, env: settings })
  opened.defer(() => server[Symbol.asyncDispose]())
  const { base } = server
  const rest = opened.move()
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(base + path, {
      body: JSON.stringify(body),
      headers: { authorization: basic(`${CLIENT}:${SECRET}`), 'content-type': 'application/json' },
      method: 'POST'
    })

  return {
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
    base,
    db: db.db,
    host: html => host.add(html),
    async inbox(userId) {
      const answer = await fetch(`${base}/${CLIENT}/users/${userId}/inbox?count=100`, {
        headers: { authorization: basic(`${CLIENT}:${userId}:${toUserHash(userId)}`) }
      })
      if (!answer.ok) throw new Error(`inbox answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as InboxState
    },
    page: options => host.add(documentOf(options, options.base ?? base)),
    post,
    async restart(between) {
      await server.end('SIGKILL')
      await between?.()
      server = await startServer({ databaseUrl: db.url, env: { ...settings, PORT: new URL(base).port } })
    },
    async send(userId, inapp, type = 'news') {
      const answer = await post(`/${CLIENT}/sender`, { inapp, to: { id: userId }, type })
      if (answer.status !== 200) throw new Error(`send answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as Sent
    },
    get server() {
      return server
    }
  }
}

let users = 0
/** A user that no other test knows. */
export const createUserId = (): string => `user-${process.pid}-${++users}`

/** Puts the clock of a browser wrong, by milliseconds. */
export const shiftClock = (context: BrowserContext, by: number): Promise<unknown> =>
  context.addInitScript(shift => {
    const Own = Date
    const now = (): number => Own.now() + shift
    globalThis.Date = class extends Own {
      constructor(...given: unknown[]) {
        super(...((given.length > 0 ? given : [now()]) as [number]))
      }
      static override now = now
    } as DateConstructor
  }, by)

/** Open sockets of all tabs, and how many there have been. */
export interface Sockets {
  readonly open: ReadonlySet<Page>
  readonly total: number
}

export function watchSockets(context: BrowserContext): Sockets {
  const open = new Set<Page>()
  let total = 0
  const watch = (page: Page): void => {
    page.on('websocket', socket => {
      open.add(page)
      total++
      socket.on('close', () => open.delete(page))
    })
    page.on('close', () => open.delete(page))
  }
  for (const page of context.pages()) watch(page)
  context.on('page', watch)
  return {
    open,
    get total() {
      return total
    }
  }
}

/** Everything that a page complained about, except lost connections, which tests bring about on purpose. */
export function watchComplaints(page: Page): readonly string[] {
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('console', message => {
    if (!['error', 'warning'].includes(message.type())) return
    if (
      /net::ERR_(?:INTERNET_DISCONNECTED|CONNECTION_REFUSED|CONNECTION_RESET|NETWORK_CHANGED|EMPTY_RESPONSE)/.test(
        message.text()
      )
    )
      return
    complaints.push(message.text())
  })
  return complaints
}

/** Chooses from the menu in the header of an inbox. */
export async function chooseInMenu(inbox: Locator, name: string): Promise<void> {
  await inbox.getByRole('button', { exact: true, name: 'Menu' }).click()
  await inbox.locator('.menu:popover-open').getByText(name, { exact: true }).click()
}
