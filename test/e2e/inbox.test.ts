// The inbox end to end: a send appears once in every tab, and actions of the user reach the server.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { BrowserContext, Locator, Page } from 'playwright-core'

import { until } from '../support/process.ts'
import { browser, site } from './shared-site.ts'
import { chooseInMenu, CLIENT, toUserHash, shiftClock, createUserId, watchComplaints } from './site.ts'

const badge = (page: Page): Locator => page.locator('notif-popup .badge')
const bell = (page: Page): Locator => page.locator('notif-popup .bell')
const rows = (page: Page): Locator => page.locator('notif-popup article')
/** The titles that are visible. */
const unread = (page: Page): Locator => page.locator('notif-popup article[data-unread]')
const row = (page: Page, title: string): Locator => rows(page).filter({ hasText: title })

/** The number on the bell; '' for none. */
async function counts(page: Page, number: string): Promise<void> {
  const attached = number === '' ? 'detached' : 'visible'
  const wanted = number === '' ? badge(page) : badge(page).filter({ hasText: new RegExp(`^${number}$`) })
  await wanted.waitFor({ state: attached })
}

async function openInbox(page: Page): Promise<void> {
  // A tab behind another draws once a second.
  await page.bringToFront()
  await bell(page).click()
  await page.locator('notif-popup .heading').waitFor()
}

async function tab(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(address)
  await bell(page).waitFor()
  return page
}

test('a send appears once in two tabs, and opening it in one clears the badge in both', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  const address = site.page({ userId: user })
  const [one, other] = [await tab(context, address), await tab(context, address)]
  const complaints = [watchComplaints(one), watchComplaints(other)]
  await site.send(user, { body: 'From 28 March.', title: 'The spring timetable' })
  await site.send(user, { title: 'The harbour map' })
  await Promise.all([counts(one, '2'), counts(other, '2')])
  await one.getByRole('button', { exact: true, name: 'Notifications, 2 new' }).waitFor()

  await openInbox(one)
  await row(one, 'The spring timetable').waitFor()
  assert.equal(await rows(one).count(), 2)
  await Promise.all([counts(one, ''), counts(other, '')])
  assert.equal(await unread(one).count(), 2, 'what is new stays marked while one looks at it')

  await site.send(user, { title: 'And live into the open panel' })
  await row(one, 'And live into the open panel').waitFor()
  assert.match((await rows(one).first().textContent()) ?? '', /And live/, 'the newest is on top')
  await until(async () => (await site.inbox(user)).counts.unopened === 0, 'it counts as opened')

  await one.keyboard.press('Escape')
  await openInbox(other)
  await rows(other).nth(2).waitFor()
  assert.equal(await rows(other).count(), 3, 'nothing is doubled')
  assert.equal(await unread(other).count(), 0)
  assert.deepEqual(complaints.flat(), [])
})

test('a click follows the link and marks the notification as clicked', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  const { trackingId } = await site.send(user, { title: 'The new timetable', url: '/timetable' })
  const page = await tab(context, site.page({ userId: user }))
  await openInbox(page)
  await row(page, 'The new timetable').getByRole('link').click()
  await page.waitForURL('**/timetable')
  await until(async () => {
    const { items } = await site.inbox(user)
    return items[0]?.id === trackingId && items[0].clicked !== undefined
  }, 'the click arrives although the page has gone')
  await page.goBack()
  await openInbox(page)
  await row(page, 'The new timetable').waitFor()
  assert.equal(await unread(page).count(), 0)
})

test('the middle mouse button opens the link in a new tab, unless the page prevents it', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  for (const title of ['The new timetable', 'The harbour map'])
    await site.send(user, { title, url: '/timetable' })
  const page = await tab(context, site.page({ userId: user }))
  await openInbox(page)
  const follow = (title: string): Promise<void> =>
    row(page, title).getByRole('link').click({ button: 'middle' })
  const opened = context.waitForEvent('page')
  await follow('The new timetable')
  await (await opened).waitForURL('**/timetable')
  const clicked = async (): Promise<readonly string[]> =>
    (await site.inbox(user)).items.filter(item => item.clicked).map(({ title }) => title)
  await until(async () => (await clicked()).length === 1, 'it counts as clicked')

  const chosen = page.evaluate(
    () =>
      new Promise<string>(resolve => {
        addEventListener('notif-select', event => {
          event.preventDefault()
          resolve((event as CustomEvent).detail.item.title)
        })
      })
  )
  await page.bringToFront()
  await follow('The harbour map')
  assert.equal(await chosen, 'The harbour map')
  assert.equal(context.pages().length, 2)
  assert.deepEqual(await clicked(), ['The new timetable'])
})

test('archive, unarchive and archive all: both tabs and the server agree', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  for (const title of ['Alpha', 'Beta', 'Gamma']) await site.send(user, { title })
  const address = site.page({ userId: user })
  const [one, other] = [await tab(context, address), await tab(context, address)]
  await openInbox(other)
  await openInbox(one)
  await row(one, 'Beta').hover()
  await row(one, 'Beta').getByRole('button', { name: 'Archive' }).click()
  for (const page of [one, other]) await row(page, 'Beta').waitFor({ state: 'detached' })
  assert.deepEqual((await site.inbox(user)).counts, { snoozed: 0, unarchived: 2, unopened: 0, unseen: 0 })

  await one.getByRole('button', { name: 'Archived' }).click()
  await row(one, 'Beta').hover()
  await row(one, 'Beta').locator('[data-act=unarchive]').click()
  await row(other, 'Beta').waitFor()
  assert.equal((await site.inbox(user)).counts.unarchived, 3)

  await one.getByRole('button', { exact: true, name: 'All' }).click()
  await chooseInMenu(one.locator('notif-popup'), 'Archive all')
  for (const page of [one, other]) {
    await page.bringToFront()
    await page.getByRole('button', { exact: true, name: 'All' }).click()
    await page.locator('notif-popup .empty-state').waitFor()
  }
  await until(async () => (await site.inbox(user)).counts.unarchived === 0, 'all are archived')
})

test('a retracted notification disappears from the open list and from the badge', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  const page = await tab(
    context,
    site.page({ body: '<notif-popup></notif-popup><notif-feed></notif-feed>', userId: user })
  )
  await site.send(user, { title: 'Stays' }, 'other')
  await site.send(user, { title: 'Was a mistake' }, 'mistake')
  await counts(page, '2')
  const feed = page.locator('notif-feed article')
  await feed.filter({ hasText: 'Was a mistake' }).waitFor()
  const answer = await site.post(`/${CLIENT}/sender/retract`, { notificationId: 'mistake', userId: user })
  assert.equal(answer.status, 200)
  await feed.filter({ hasText: 'Was a mistake' }).waitFor({ state: 'detached' })
  await counts(page, '1')
  assert.equal(await feed.count(), 1)
})

test('content of a send stays text, and only safe links and pictures are used', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  const page = await tab(
    context,
    site.page({ body: '<notif-feed></notif-feed><notif-popup></notif-popup>', userId: user })
  )
  let alarms = 0
  await page.exposeFunction('alarm', () => alarms++)
  page.on('dialog', dialog => {
    alarms++
    void dialog.dismiss()
  })
  const attacks = [
    '<img src=x onerror=alarm()>',
    '<script>alarm()</script>',
    '"><svg onload=alarm()>',
    "{{ 'x' }}<iframe srcdoc='<script>parent.alarm()</script>'>",
    '<a href="javascript:alarm()">click</a>'
  ]
  for (const attack of attacks) await site.send(user, { body: attack, title: attack })
  // The API refuses such addresses, but they must not run from a database either.
  for (const url of [
    'javascript:alarm()',
    'java\tscript:alarm()',
    'data:text/html,<script>alarm()</script>',
    'vbscript:alarm()'
  ]) {
    for (const key of ['url', 'image']) {
      const answer = await site.post(`/${CLIENT}/sender`, {
        inapp: { [key]: url, title: 'Link' },
        to: { id: user },
        type: 'news'
      })
      assert.equal(answer.status, 422, `${key} ${url}: ${await answer.text()}`)
    }
  }
  const items = page.locator('notif-feed article')
  await items.nth(attacks.length - 1).waitFor()
  await openInbox(page)
  const titles = await items.locator('.title').allTextContents()
  for (const attack of attacks.filter(text => !text.includes('{{')))
    assert.ok(titles.includes(attack), attack)
  assert.equal(await page.locator('article :is(script, iframe, [onerror], [onload], img)').count(), 0)
  for (const item of await items.all()) await item.click()
  assert.equal(alarms, 0)
  assert.deepEqual(
    await page.locator('article a[href]').evaluateAll(links => links.map(link => link.getAttribute('href'))),
    []
  )
})

test('shows a wrong hash instead of an empty list, and stops to connect', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  await site.send(user, { title: 'Private' })
  const page = await context.newPage()
  let requests = 0
  page.on('request', request => {
    if (request.url().includes('/users/')) requests++
  })
  await page.goto(site.page({ userHash: toUserHash('someone-else'), userId: user }))
  await openInbox(page)
  await page.locator('notif-popup .empty-state-title').waitFor()
  const emptyText = (await page.locator('notif-popup .empty-state').textContent()) ?? ''
  assert.doesNotMatch(emptyText, /caught up/i)
  assert.doesNotMatch(await page.locator('notif-popup').innerText(), /Private/)
  assert.equal(await badge(page).count(), 0)
  assert.ok(requests <= 4, `${requests} requests`)
})

test('the keyboard opens, moves through, acts and closes', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  for (const title of ['First', 'Second', 'Third']) await site.send(user, { title, url: '/timetable' })
  const page = await tab(context, site.page({ userId: user }))
  await counts(page, '3')
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      let element = document.activeElement
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
      return `${element?.localName}.${element?.className.split(' ')[0] ?? ''} ${element?.getAttribute('aria-label') ?? (element?.textContent?.trim() || element?.getAttribute('title'))}`
    })
  const reach = async (wanted: RegExp): Promise<void> => {
    for (let stops = 0; stops < 12; stops++) {
      if (wanted.test(await focused())) return
      await page.keyboard.press('Tab')
    }
    assert.fail(`${wanted} is not reached; at ${await focused()}`)
  }
  await reach(/^button\.bell/)
  await page.keyboard.press('Enter')
  await rows(page).nth(2).waitFor()
  await until(async () => /heading/.test(await focused()), 'the heading has the focus')
  await reach(/^article.*Third/s)
  await page.keyboard.press('PageDown')
  assert.match(await focused(), /^article.*Second/s)
  await page.keyboard.press('PageDown')
  assert.match(await focused(), /^article.*First/s)
  await page.keyboard.press('PageUp')
  assert.match(await focused(), /^article.*Second/s)
  for (const name of [/Mark as read$/, /Snooze$/, /Archive$/]) {
    await page.keyboard.press('ArrowRight')
    assert.match(await focused(), name)
  }
  await page.keyboard.press('Enter')
  await row(page, 'Second').waitFor({ state: 'detached' })
  await until(async () => /^article.*First/s.test(await focused()), 'the next one has the focus')
  await page.keyboard.press('Escape')
  await page.locator('notif-popup .heading').waitFor({ state: 'hidden' })
  assert.match(await focused(), /^button\.bell/)
  await page.keyboard.press('Enter')
  // The Tab stop is the row that was used last.
  await reach(/^article.*First/s)
  await page.keyboard.press('ArrowUp')
  assert.match(await focused(), /^article.*Third/s)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/timetable')
})

test('times and stored actions use the server clock if the local clock is days off', async t => {
  const DAY = 86_400_000
  for (const days of [3, -3]) {
    await t.test(`${days} days`, async () => {
      await using context = await browser.newContext()
      await shiftClock(context, days * DAY)
      const user = createUserId()
      await site.send(user, { title: 'The first' })
      const page = await tab(context, site.page({ userId: user }))
      assert.ok(Math.abs((await page.evaluate(() => Date.now())) - Date.now()) > 2 * DAY)
      await openInbox(page)
      await row(page, 'The first').waitFor()
      const time = (): Promise<string | null> => row(page, 'The first').locator('.time').textContent()
      await until(async () => /\b(?:now|[1-5] min)$/.test((await time()) ?? ''), 'it came just now')
      // It may be midnight.
      assert.match((await page.locator('notif-popup .day').textContent())!, /Today|Yesterday/)
      await chooseInMenu(page.locator('notif-popup'), 'Archive all')
      await rows(page).waitFor({ state: 'detached' })
      await until(async () => (await site.inbox(user)).counts.unarchived === 0, 'the server has it')
      await site.send(user, { title: 'The second' })
      await row(page, 'The second').waitFor()
      const [second, first] = (await site.inbox(user)).items
      for (const mark of [first!.archived, first!.opened]) {
        const off = Math.abs(Date.parse(mark!) - Date.now())
        assert.ok(off < 5 * 60_000, `${mark} is ${off} ms off`)
      }
      assert.equal(second!.archived, undefined)
    })
  }
})
