// Pages behind proxies that refuse WebSockets: notifications come by polls of one tab, and by a socket once one is possible.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { BrowserContext, Locator, Page } from 'playwright-core'

import { until } from '../support/process.ts'
import { startUpgradeProxy, type UpgradeProxy } from '../support/upgrade-proxy.ts'
import { browser, site } from './shared-site.ts'
import { createUserId } from './site.ts'

// The feed marks nothing as seen, so the counter keeps its number.
const BODY = `<notif-counter show-zero>Inbox</notif-counter><notif-feed mark-opened="never"></notif-feed><notif-preferences></notif-preferences>
<script type="module">
  const script = document.querySelector('script[data-client-id]')
  const { getNotifContext } = await import(script.src)
  const store = await getNotifContext(document.documentElement)
  window.states = []
  store.$connection.subscribe(({ state }) => window.states.push(state))
</script>`

const row = (page: Page, title: string): Locator =>
  page.locator('notif-feed article').filter({ hasText: title })
const badge = (page: Page): Promise<string | null> => page.locator('notif-counter .badge').textContent()

type Recorded = { states: string[] }
const stateOf = (page: Page): Promise<string> =>
  page.evaluate(() => (globalThis as unknown as Recorded).states?.at(-1) ?? '')

const polls = ({ open }: UpgradeProxy): number =>
  [...open].filter(({ path }) => path.includes('&wait=')).length

async function openTabs(context: BrowserContext, address: string, count: number): Promise<Page[]> {
  const pages: Page[] = []
  for (let i = 0; i < count; i++) {
    const page = await context.newPage()
    page.setDefaultTimeout(40_000)
    await page.goto(address)
    await page.locator('notif-feed .heading').waitFor()
    pages.push(page)
  }
  return pages
}

for (const mode of ['refuse', 'strip'] as const) {
  test(`a proxy that ${mode === 'refuse' ? 'refuses' : 'strips'} upgrades: one poll for two tabs, and a socket when there is one again`, async () => {
    await using proxy = await startUpgradeProxy(site.base, mode)
    await using context = await browser.newContext()
    const user = createUserId()
    const pages = await openTabs(context, site.page({ base: proxy.base, body: BODY, userId: user }), 2)
    await until(() => polls(proxy) === 1, 'one tab polls')
    for (const page of pages) await until(async () => (await stateOf(page)) === 'online', 'it is connected')

    await site.send(user, { title: 'First' }, 'alerts')
    await site.send(user, { title: 'Second' })
    for (const page of pages) {
      for (const title of ['First', 'Second']) await row(page, title).waitFor()
      await until(async () => (await badge(page)) === '2', 'both are counted')
    }
    await site.post('/heron/sender/retract', { notificationId: 'alerts', userId: user })
    for (const page of pages) await row(page, 'First').waitFor({ state: 'detached' })
    const [first] = pages as [Page, Page]
    await row(first, 'Second').hover()
    await row(first, 'Second').getByRole('button', { name: 'Archive' }).click()
    for (const page of pages) await row(page, 'Second').waitFor({ state: 'detached' })
    assert.equal(proxy.mostPolls, 1)
    for (const page of pages) assert.equal(await stateOf(page), 'online')

    // The leader closes: the other tab polls, and misses nothing.
    await first.close()
    const [, last] = pages as [Page, Page]
    await site.send(user, { title: 'During the change' })
    await row(last, 'During the change').waitFor()
    await until(() => polls(proxy) === 1, 'the other tab polls')

    proxy.mode = 'allow'
    await last.evaluate(() => dispatchEvent(new Event('online')))
    await until(() => polls(proxy) === 0, 'the socket has taken over')
    assert.equal(await stateOf(last), 'online')
    await site.send(user, { title: 'By socket' })
    await row(last, 'By socket').waitFor()
    assert.equal(polls(proxy), 0)
  })
}

test('a proxy that swallows upgrades: a notification arrives within 35 s', async () => {
  await using proxy = await startUpgradeProxy(site.base, 'swallow')
  await using context = await browser.newContext()
  const user = createUserId()
  const [page] = await openTabs(context, site.page({ base: proxy.base, body: BODY, userId: user }), 1)
  await until(() => proxy.upgradeCount > 0, 'it tries a socket')
  await site.send(user, { title: 'Behind it' })
  await row(page!, 'Behind it').waitFor({ timeout: 35_000 })
  await until(() => polls(proxy) === 1, 'it polls')
  assert.equal(await stateOf(page!), 'online')
})

test('changed preferences arrive by a poll, and a page that is left ends its poll and continues with one', async () => {
  await using proxy = await startUpgradeProxy(site.base, 'refuse')
  await using context = await browser.newContext()
  const user = createUserId()
  await site.send(user, { title: 'Before' })
  const [page] = await openTabs(context, site.page({ base: proxy.base, body: BODY, userId: user }), 1)
  await until(() => polls(proxy) === 1, 'it polls')
  const isRead = (path: string): boolean => path.endsWith('/preferences')
  await page!.locator('notif-preferences').scrollIntoViewIfNeeded()
  await until(() => proxy.paths.some(isRead), 'the preferences are shown')
  const readCount = proxy.paths.filter(isRead).length
  const answer = await site.post(`/heron/user_preferences/${user}`, [
    { channel: 'INAPP_WEB', delivery: 'off', notificationId: 'news' }
  ])
  assert.equal(answer.status, 200)
  await until(() => proxy.paths.filter(isRead).length > readCount, 'they are read again')

  const happen = (type: string): Promise<unknown> =>
    page!.evaluate(type => dispatchEvent(new PageTransitionEvent(type, { persisted: true })), type)
  await until(() => polls(proxy) === 1, 'it polls again')
  await happen('pagehide')
  await until(() => polls(proxy) === 0, 'the poll has ended')
  assert.equal(await stateOf(page!), 'idle')
  const { upgradeCount } = proxy
  const changesRead = (): number => proxy.paths.filter(path => path.includes('/inbox/changes')).length
  const changesBefore = changesRead()
  await happen('pageshow')
  // Not counted later: until this read is answered, a socket may be tried again.
  await until(() => changesRead() > changesBefore, 'it reads what changed')
  assert.ok(proxy.upgradeCount <= upgradeCount + 1, 'without two more refused sockets')
  await until(() => polls(proxy) === 1, 'it polls again')
  assert.equal(await stateOf(page!), 'online')
})

test('after a restart of the server behind such a proxy, the page shows what it missed', async () => {
  await using proxy = await startUpgradeProxy(site.base, 'refuse')
  await using context = await browser.newContext()
  const user = createUserId()
  const [page] = await openTabs(context, site.page({ base: proxy.base, body: BODY, userId: user }), 1)
  await until(() => polls(proxy) === 1, 'it polls')
  await site.restart(async () => {
    await until(async () => (await stateOf(page!)) === 'offline', 'it is offline')
  })
  await site.send(user, { title: 'After the start' })
  await row(page!, 'After the start').waitFor()
  await until(async () => (await stateOf(page!)) === 'online', 'it is connected')
})
