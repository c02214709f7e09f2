// The store in Chromium with a real server: one socket for all tabs, offline, hidden and restored pages.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'

import { build } from 'esbuild'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

import { userHash } from '../../server/http/auth.ts'
import { CLIENT, OWN_KEYS, SECRET } from '../process/send-and-read.ts'
import { testDb, type TestDb } from '../support/db.ts'
import { startServer, type ServerProcess } from '../support/process.ts'

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

const PAGE = `
import { createNotifStore } from './components/headless/index.ts'
const config = JSON.parse(decodeURIComponent(location.hash.slice(1)))
const store = createNotifStore(config)
window.told = []
store.onNewNotifications(items => window.told.push(...items.map(i => i.title)))
store.$notifications.subscribe(items => document.title = items.map(i => i.title + (i.opened ? '+' : '')).join(' '))
store.$connection.subscribe(({ state }) => document.documentElement.dataset.state = state)
window.store = store
`

let db: TestDb
let server: ServerProcess
let browser: Browser
let site: Server
let origin: string

before(async () => {
  const bundle = await build({
    bundle: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    format: 'esm',
    stdin: { contents: PAGE, loader: 'ts', resolveDir: new URL('../..', import.meta.url).pathname },
    target: 'es2022',
    write: false
  })
  const script = bundle.outputFiles[0]!.contents
  // A page of another origin, as most pages with the kit. From a server, because Chromium does not allow requests to this machine
  // from a page that the test fulfils.
  site = createServer((request, response) =>
    request.url === '/page.js'
      ? response.setHeader('content-type', 'text/javascript').end(script)
      : response
          .setHeader('content-type', 'text/html')
          .end('<!doctype html><script type="module" src="/page.js"></script>')
  ).listen(0, '127.0.0.1')
  await once(site, 'listening')
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  db = await testDb()
  server = await startServer({ databaseUrl: db.url, env: { ...OWN_KEYS, NOTIF_ORIGINS: origin } })
  browser = await chromium.launch({ args: ['--no-sandbox'], executablePath: CHROMIUM })
})

after(async () => {
  await browser?.close()
  site?.close()
  await server?.[Symbol.asyncDispose]()
  await db?.[Symbol.asyncDispose]()
})

interface Context {
  readonly context: BrowserContext
  /** Addresses of the sockets that were opened. */
  readonly sockets: string[]
  open(userId: string, more?: object): Promise<Page>
}

async function newBrowser(): Promise<Context> {
  const context = await browser.newContext()
  const sockets: string[] = []
  return {
    context,
    async open(userId, more = {}) {
      const page = await context.newPage()
      page.on('websocket', socket => sockets.push(socket.url()))
      const config = {
        apiUrl: server.base,
        clientId: CLIENT,
        userHash: userHash(SECRET, userId),
        userId,
        ...more
      }
      await page.goto(`${origin}/#${encodeURIComponent(JSON.stringify(config))}`)
      return page
    },
    sockets
  }
}

const waitForTitle = (page: Page, title: string): Promise<unknown> =>
  page.waitForFunction(expected => document.title === expected, title, { polling: 50, timeout: 15_000 })
const waitForState = (page: Page, state: string): Promise<unknown> =>
  page.waitForFunction(expected => document.documentElement.dataset['state'] === expected, state, {
    polling: 50,
    timeout: 15_000
  })

async function send(userId: string, title: string): Promise<void> {
  const answer = await fetch(`${server.base}/${CLIENT}/sender`, {
    body: JSON.stringify({ inapp: { title }, to: { id: userId }, type: 'greeting' }),
    headers: { authorization: `Basic ${Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')}` },
    method: 'POST'
  })
  assert.ok(answer.ok, await answer.text())
}

test('three tabs share one socket, and another tab takes over when one closes', async () => {
  const { context, open, sockets } = await newBrowser()
  const [one, two, three] = [await open('tabs'), await open('tabs'), await open('tabs')]
  for (const page of [one, two, three]) await waitForState(page, 'online')
  await send('tabs', 'a')
  for (const page of [one, two, three]) await waitForTitle(page, 'a')
  assert.equal(sockets.length, 1)
  assert.match(sockets[0]!, /\/socket\.io\/\?EIO=4&transport=websocket$/)
  await two.evaluate('store.markAsOpened()')
  for (const page of [one, two, three]) await waitForTitle(page, 'a+')
  await one.close()
  await send('tabs', 'b')
  for (const page of [two, three]) await waitForTitle(page, 'b a+')
  assert.equal(sockets.length, 2)
  assert.deepEqual(await two.evaluate('told'), ['a', 'b'])
  assert.deepEqual(await three.evaluate('told'), ['a', 'b'])
  await context.close()
})

test('all tabs receive events after a reload of the leading tab', async () => {
  const { context, open } = await newBrowser()
  const [one, two] = [await open('reload'), await open('reload')]
  for (const page of [one, two]) await waitForState(page, 'online')
  await one.reload()
  for (const page of [one, two]) await waitForState(page, 'online')
  await send('reload', 'a')
  for (const page of [one, two]) await waitForTitle(page, 'a')
  await context.close()
})

test('shows that it is offline, and loads missed notifications when the network comes back', async () => {
  const { context, open } = await newBrowser()
  const page = await open('offline')
  await waitForState(page, 'online')
  await context.setOffline(true)
  await waitForState(page, 'offline')
  await send('offline', 'a')
  await context.setOffline(false)
  await waitForTitle(page, 'a')
  await waitForState(page, 'online')
  await context.close()
})

test('a page that comes back loads missed notifications', async () => {
  const { context, open } = await newBrowser()
  const page = await open('away')
  await waitForState(page, 'online')
  await page.goto('about:blank')
  await send('away', 'a')
  await page.goBack()
  await waitForTitle(page, 'a')
  await waitForState(page, 'online')
  await context.close()
})

test('plain frames work in a page', async () => {
  const { context, open, sockets } = await newBrowser()
  const page = await open('plain', { wsUrl: server.base.replace('http', 'ws') })
  await waitForState(page, 'online')
  await send('plain', 'a')
  await waitForTitle(page, 'a')
  assert.match(sockets[0]!, /\/\?kit=1$/)
  await context.close()
})
