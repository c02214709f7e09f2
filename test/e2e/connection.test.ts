// Networks that go, servers that die, tabs that close, pages that come back: the inbox ends as the server has it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser, Locator, Page, Route } from 'playwright-core'

import { until } from '../support/process.ts'
import { openBrowser, openSite, createUserId, watchSockets, type Site } from './site.ts'

let browser: Browser
let site: Site

before(async () => {
  site = await openSite()
  // Playwright switches the cache for "back" off.
  browser = await openBrowser({ ignoreDefaultArgs: ['--disable-back-forward-cache'] })
})
after(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
})

/** Events of a page, which WATCH records. */
type Said = { connection?: string; left?: string }

/** Nothing is marked because it was in sight, so that counters do not depend on time. */
const FEED = '<notif-counter show-zero>Inbox</notif-counter><notif-feed mark-opened="never"></notif-feed>'
const row = (page: Page, title: string): Locator =>
  page.locator('notif-feed article.item').filter({ hasText: title })
const titles = async (page: Page): Promise<string[]> => {
  const texts = await page.locator('notif-feed article .title').allTextContents()
  return texts.map(text => text.trim())
}
const connection = (page: Page, wanted: string): Promise<unknown> =>
  page.waitForFunction(state => (globalThis as { connection?: string }).connection === state, wanted)

/** Records the state of the connection for the test. */
const WATCH = `<script type="module">
  const script = document.querySelector('script[data-client-id]')
  const { getNotifContext } = await import(script.src)
  const store = await getNotifContext(document.documentElement)
  store.$connection.subscribe(({ state }) => { window.connection = state })
</script>`

async function go(page: Page, address: string): Promise<void> {
  page.setDefaultTimeout(20_000)
  await page.goto(address)
  await page.locator('notif-feed .heading').waitFor()
}

test('offline, the list stays with a banner; back online it shows missed notifications once', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  await site.send(user, { title: 'Before' })
  const page = await context.newPage()
  await go(page, site.page({ body: FEED + WATCH, userId: user }))
  await connection(page, 'online')
  await row(page, 'Before').waitFor()
  await context.setOffline(true)
  await page.locator('notif-feed .banner').waitFor()
  assert.deepEqual(await titles(page), ['Before'])
  await site.send(user, { title: 'Meanwhile' })
  await context.setOffline(false)
  await row(page, 'Meanwhile').waitFor()
  await page.locator('notif-feed .banner').waitFor({ state: 'detached' })
  assert.deepEqual(await titles(page), ['Meanwhile', 'Before'])
  await site.send(user, { title: 'After' })
  await row(page, 'After').waitFor()
  assert.deepEqual(await titles(page), ['After', 'Meanwhile', 'Before'])
})

test('without storage an offline action is rolled back with a message, and works back online', async () => {
  await using context = await browser.newContext()
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'indexedDB'))
  const user = createUserId()
  await site.send(user, { title: 'One' })
  const page = await context.newPage()
  await go(page, site.page({ body: FEED + WATCH, userId: user }))
  await connection(page, 'online')
  // The connection may be there before the list is.
  await row(page, 'One').waitFor()
  await context.setOffline(true)
  const archive = async (): Promise<void> => {
    await row(page, 'One').hover()
    await row(page, 'One').getByRole('button', { name: 'Archive' }).click()
  }
  await archive()
  // The code of the line about it was not loaded either.
  await page.locator('notif-feed [role=alert]').waitFor()
  await row(page, 'One').waitFor()
  await context.setOffline(false)
  await connection(page, 'online')
  await archive()
  await row(page, 'One').waitFor({ state: 'detached' })
  await until(async () => (await site.inbox(user)).counts.unarchived === 0, 'it is archived')
})

test('after a crash and restart of the server two open pages show everything once', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  const address = site.page({ body: FEED + WATCH, userId: user })
  const pages = [await context.newPage(), await context.newPage()]
  for (const page of pages) await go(page, address)
  await site.send(user, { title: 'Before' })
  for (const page of pages) await row(page, 'Before').waitFor()
  await site.restart(async () => {
    for (const page of pages) await connection(page, 'offline')
  })
  await site.send(user, { title: 'After the start' })
  for (const page of pages) await row(page, 'After the start').waitFor()
  for (const page of pages) {
    await connection(page, 'online')
    assert.deepEqual(await titles(page), ['After the start', 'Before'])
    assert.equal(await page.locator('notif-counter .badge').textContent(), '2')
  }
})

test('two tabs share one socket, and the other takes over without a loss when one closes', async () => {
  await using context = await browser.newContext()
  const sockets = watchSockets(context)
  const user = createUserId()
  const address = site.page({ body: FEED + WATCH, userId: user })
  const leader = await context.newPage()
  await go(leader, address)
  await connection(leader, 'online')
  const follower = await context.newPage()
  await go(follower, address)
  await connection(follower, 'online')
  await site.send(user, { title: 'To both' })
  for (const page of [leader, follower]) await row(page, 'To both').waitFor()
  assert.deepEqual([...sockets.open], [leader])
  assert.equal(sockets.total, 1)

  await leader.close()
  await site.send(user, { title: 'During the change' })
  await row(follower, 'During the change').waitFor()
  await until(() => sockets.open.has(follower), 'the other tab has a socket')
  await site.send(user, { title: 'To the new one' })
  await row(follower, 'To the new one').waitFor()
  assert.deepEqual(await titles(follower), ['To the new one', 'During the change', 'To both'])
  assert.equal(sockets.total, 2)
})

test('a page from the back-forward cache loads missed notifications', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  const page = await context.newPage()
  await go(page, site.page({ body: FEED + WATCH, userId: user }))
  await site.send(user, { title: 'Before' })
  await row(page, 'Before').waitFor()
  await connection(page, 'online')
  // After the listener of the kit.
  await page.evaluate(() =>
    addEventListener('pagehide', () => Object.assign(globalThis, { left: (globalThis as Said).connection }))
  )
  await page.getByRole('link', { name: 'Timetable' }).click()
  await page.waitForURL('**/timetable')
  await site.send(user, { title: 'While away' })
  await page.goBack({ waitUntil: 'commit' })
  await page.waitForFunction(() => (globalThis as { fromCache?: boolean }).fromCache !== undefined)
  assert.equal(
    await page.evaluate(() => (globalThis as { fromCache?: boolean }).fromCache),
    true,
    'kept by the browser'
  )
  assert.equal(
    await page.evaluate(() => (globalThis as Said).left),
    'idle',
    'a frozen page has no connection'
  )
  await row(page, 'While away').waitFor()
  await site.send(user, { title: 'And live again' })
  await row(page, 'And live again').waitFor()
  assert.deepEqual(await titles(page), ['And live again', 'While away', 'Before'])
})

test('a frozen page disconnects, and connects again when it is shown', async () => {
  await using context = await browser.newContext()
  const page = await context.newPage()
  await go(page, site.page({ body: FEED + WATCH, userId: createUserId() }))
  await connection(page, 'online')
  const happen = (type: string): Promise<unknown> =>
    page.evaluate(type => dispatchEvent(new PageTransitionEvent(type, { persisted: true })), type)
  await happen('pagehide')
  await connection(page, 'idle')
  await happen('pageshow')
  await connection(page, 'online')
})

test('a click on a link is sent by a request that outlives the page', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  const page = await context.newPage()
  await page.addInitScript(() => {
    const { fetch } = globalThis
    globalThis.fetch = (input, init) => {
      const request = new Request(input, init)
      if (String(init?.body).includes('clicked'))
        sessionStorage.setItem('keepalive', String(request.keepalive))
      return fetch(input, init)
    }
  })
  await site.send(user, { redirectURL: '/timetable', title: 'To the timetable' })
  await go(page, site.page({ body: FEED, userId: user }))
  await page.getByRole('link', { name: 'To the timetable' }).click()
  await page.waitForURL('**/timetable')
  assert.equal(await page.evaluate(() => sessionStorage.getItem('keepalive')), 'true')
  await until(async () => Boolean((await site.inbox(user)).items[0]?.clicked), 'the server knows of it')
})

test('a page loads the code of its elements, and the connection after the first paint', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  const page = await context.newPage()
  await site.send(user, { title: 'One' })
  // No frame is drawn before the test says so.
  await page.addInitScript(() => {
    const frames: FrameRequestCallback[] = []
    globalThis.requestAnimationFrame = callback => frames.push(callback)
    Object.assign(globalThis, { paint: () => frames.map(frame => frame(performance.now())) })
  })
  const loaded = async (name: string): Promise<number[]> => {
    const entries = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name, startTime }) => ({ name, start: startTime }))
    )
    return entries.filter(entry => entry.name.includes(name)).map(({ start }) => start)
  }
  await page.goto(site.page({ body: '<notif-counter>Inbox</notif-counter>', userId: user }))
  await until(async () => (await loaded('/assets/live-')).length > 0, 'the connection is loaded')
  const painted = await page.evaluate(async address => {
    // Longer than code that does not wait for the paint needs.
    for (let round = 0; round < 10; round++) await fetch(address)
    const now = performance.now()
    ;(globalThis as unknown as { paint(): void }).paint()
    return now
  }, `${site.base}/notif.js`)
  await page.locator('notif-counter .badge').waitFor()
  const [script] = await loaded('/notif.js')
  // They wait at most half a second: a page in a background tab may not be painted for hours.
  for (const start of await loaded('/assets/live-'))
    assert.ok(
      start >= Math.min(painted, script! + 500),
      `${start}, painted at ${painted}, script at ${script}`
    )

  assert.deepEqual(await loaded('/assets/inbox-'), [], 'no inbox and no panel without a list')
  assert.deepEqual(await loaded('/assets/view-'), [], 'nor what either is made of')
  assert.deepEqual(await loaded('/assets/inbox-store-'), [], 'no notifications for a number')
  assert.deepEqual(await loaded('/inbox?'), [], 'the connection says the number')
  const defined = (tag: string): Promise<boolean> =>
    page.evaluate(tag => customElements.get(tag) !== undefined, tag)
  for (const tag of ['notif-popup', 'notif-launcher', 'notif-feed', 'notif-provider']) {
    assert.equal(await defined(tag), false, tag)
  }
  await page.evaluate(() => document.body.append(document.createElement('notif-feed')))
  await row(page, 'One').waitFor()
  assert.equal(await defined('notif-popup'), false)
})

test('the first pointer over a bell loads panel, store and HTTP client in one round trip', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  await site.send(user, { title: 'One' })
  const page = await context.newPage()
  await page.goto(site.page({ body: '<notif-popup></notif-popup>', userId: user }))
  await page.locator('notif-popup .badge').waitFor()
  await page.waitForLoadState('networkidle')
  /** Requests for code. Those after the first answer get none: the list must appear without them. */
  const waiting: Route[] = []
  let isAnswered = false
  const nameOf = (route: Route): string =>
    /\/([\w.-]+?)-[\w-]{8}\.js$/.exec(route.request().url())?.[1] ?? route.request().url()
  await page.route('**/assets/*.js', route => {
    if (!isAnswered) waiting.push(route)
  })
  await page.locator('notif-popup .bell').hover()
  const needed = ['announce', 'http', 'inbox', 'inbox-store', 'outbox', 'view']
  await until(async () => needed.every(name => waiting.map(nameOf).includes(name)), 'all are requested')
  isAnswered = true
  for (const route of waiting) await route.continue()
  await page.locator('notif-popup .bell').click()
  await page.locator('notif-popup article', { hasText: 'One' }).waitFor()
})
