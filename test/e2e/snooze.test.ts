// A snooze with the real server, in two pages: the row leaves both, and comes back to both as new when its time is there.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Locator, Page } from 'playwright-core'

import { until } from '../support/process.ts'
import { browser, site } from './shared-site.ts'
import { CLIENT, createUserId, toUserHash, watchComplaints } from './site.ts'

const row = (page: Page, title: string): Locator => page.locator('notif-popup article', { hasText: title })
const badge = (page: Page, number: string): Locator =>
  page.locator('notif-popup .badge', { hasText: new RegExp(`^${number}$`) })

async function openInbox(page: Page): Promise<void> {
  await page.bringToFront()
  await page.locator('notif-popup .bell').click()
  await page.locator('notif-popup .heading').waitFor()
}

/** As another device of the user. */
async function snooze(userId: string, id: string, until: Date): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${CLIENT}:${userId}:${toUserHash(userId)}`).toString('base64')}`
  const answer = await fetch(`${site.base}/${CLIENT}/users/${userId}/inbox`, {
    body: JSON.stringify({ snoozedUntil: until.toISOString(), trackingIds: [id] }),
    headers: { authorization, 'content-type': 'application/json' },
    method: 'PATCH'
  })
  assert.equal(answer.status, 200, await answer.text())
}

/** Number of actions that wait in the browser. */
const countWaiting = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('notif-kit')
        opening.addEventListener('error', () => reject(opening.error))
        opening.addEventListener('success', () => {
          const count = opening.result.transaction('actions').objectStore('actions').count()
          count.addEventListener('success', () => {
            opening.result.close()
            resolve(count.result)
          })
        })
      })
  )

test('a snoozed row leaves both pages, and comes back to both at its time, new, on top and with its reason', async () => {
  const userId = createUserId()
  const { trackingId } = await site.send(userId, { title: 'Winter fares' })
  await site.send(userId, { title: 'Harbour map' })
  await using context = await browser.newContext()
  const address = site.page({ body: '<notif-popup></notif-popup>', userId })
  const pages = [await context.newPage(), await context.newPage()] as const
  const complaints = pages.map(watchComplaints)
  const [one, other] = pages
  for (const page of pages) {
    await page.goto(address)
    await openInbox(page)
    await row(page, 'Winter fares').waitFor()
  }

  await one.bringToFront()
  await row(one, 'Winter fares').hover()
  await row(one, 'Winter fares').locator('[data-act=snooze]').click()
  await one.getByRole('menuitem', { name: 'Tomorrow' }).click()
  for (const page of pages) await row(page, 'Winter fares').waitFor({ state: 'detached' })
  await one.locator('notif-popup .undo-line', { hasText: 'Snoozed until tomorrow' }).waitFor()
  await one.keyboard.press('z')
  for (const page of pages) await row(page, 'Winter fares').waitFor()
  // It was snoozed and is back, so nothing was snoozed.
  assert.equal(await one.locator('notif-popup .came-back').count(), 0)

  await until(async () => (await site.inbox(userId)).counts.unseen === 0, 'both rows were in sight')
  await snooze(userId, trackingId, new Date(Date.now() + 3000))
  for (const page of pages) await row(page, 'Winter fares').waitFor({ state: 'detached' })
  await one.keyboard.press('Escape')
  await other.bringToFront()
  await other.keyboard.press('Escape')
  for (const page of pages) await badge(page, '1').waitFor()
  for (const page of pages) {
    await openInbox(page)
    const first = page.locator('notif-popup article').first()
    await first.filter({ hasText: 'Winter fares' }).waitFor()
    await first.locator('.came-back', { hasText: 'Snoozed 1 minute ago' }).waitFor()
    assert.equal(await first.evaluate(row => row.hasAttribute('data-unread')), true)
  }
  assert.deepEqual(complaints.flat(), [])
})

test('a type that is turned off from its row is off in the other page, and undo turns it on again', async () => {
  const userId = createUserId()
  await site.send(userId, { title: 'Winter fares' }, 'fares')
  await site.send(userId, { title: 'Harbour map' })
  await using context = await browser.newContext()
  const body = '<notif-popup></notif-popup><notif-preferences></notif-preferences>'
  const address = site.page({ body, userId })
  const pages = [await context.newPage(), await context.newPage()] as const
  const complaints = pages.map(watchComplaints)
  const [one, other] = pages
  const switchOf = (page: Page): Locator =>
    page.locator('notif-preferences').getByRole('group', { name: 'Fares' }).getByRole('switch').first()
  for (const page of pages) {
    await page.goto(address)
    await switchOf(page).waitFor()
    assert.equal(await switchOf(page).isChecked(), true)
  }
  const isOn = (page: Page, wanted: boolean): Promise<void> =>
    until(async () => (await switchOf(page).isChecked()) === wanted, `the switch is ${wanted}`)
  await openInbox(one)
  await row(one, 'Winter fares').focus()
  await one.keyboard.press('m')
  await one.locator('.menu:popover-open .menu-heading', { hasText: 'Fares' }).waitFor()
  await one.getByRole('menuitem', { name: 'Turn off' }).click()
  await row(one, 'Winter fares').waitFor({ state: 'detached' })
  await one.locator('notif-popup .undo-line', { hasText: 'Turned off: Fares' }).waitFor()
  for (const page of pages) await isOn(page, false)
  await until(async () => (await site.inbox(userId)).counts.unarchived === 1, 'it is archived')
  // The answer says that it was discarded.
  await assert.rejects(site.send(userId, { title: 'Summer fares' }, 'fares'), /202/)
  await one.keyboard.press('z')
  await row(one, 'Winter fares').waitFor()
  for (const page of pages) await isOn(page, true)
  await site.send(userId, { title: 'Autumn fares' }, 'fares')
  await openInbox(other)
  await row(other, 'Autumn fares').waitFor()
  await row(other, 'Winter fares').waitFor()
  assert.deepEqual(complaints.flat(), [])
})

test('without a network a type is turned off later, also by the next page', async () => {
  const userId = createUserId()
  await site.send(userId, { title: 'Winter fares' }, 'fares')
  await using context = await browser.newContext()
  const page = await context.newPage()
  const address = site.page({ body: '<notif-popup></notif-popup>', userId })
  await page.goto(address)
  await openInbox(page)
  await row(page, 'Winter fares').focus()
  // Loads the menu.
  await page.keyboard.press('m')
  await page.locator('.menu:popover-open').waitFor()
  const isData = (url: URL): boolean => url.pathname.includes('/users/')
  await context.route(isData, route => route.abort())
  await page.getByRole('menuitem', { name: 'Turn off' }).click()
  await row(page, 'Winter fares').waitFor({ state: 'detached' })
  await page.locator('notif-popup .undo-line', { hasText: 'Turned off: Fares' }).waitFor()
  await until(async () => (await countWaiting(page)) === 2, 'the archiving and the choices wait')
  await page.close()
  await context.unroute(isData)
  assert.equal((await site.inbox(userId)).counts.unarchived, 1)
  const next = await context.newPage()
  await next.goto(address)
  await openInbox(next)
  await until(async () => (await site.inbox(userId)).counts.unarchived === 0, 'it is archived')
  await until(
    async () =>
      (await site.send(userId, { title: 'More' }, 'fares').catch(String)).toString().includes('202'),
    'the type is off'
  )
})

test('what was done without a network is taken back without one, and after it came back', async () => {
  const userId = createUserId()
  await site.send(userId, { title: 'Winter fares' })
  await using context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(site.page({ body: '<notif-popup></notif-popup>', userId }))
  await openInbox(page)
  const fares = row(page, 'Winter fares')
  const isData = (url: URL): boolean => url.pathname.includes('/users/')
  const count = async (): Promise<number> => (await site.inbox(userId)).counts.unarchived
  await fares.focus()
  // Loads the code of the line.
  await fares.hover()

  await context.route(isData, route => route.abort())
  await page.keyboard.press('e')
  await page.locator('notif-popup .undo-line', { hasText: 'Archived' }).waitFor()
  await page.keyboard.press('z')
  await fares.waitFor()
  await context.unroute(isData)
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await until(async () => (await countWaiting(page)) === 0, 'nothing waits')
  assert.equal(await count(), 1)
  await fares.waitFor()

  await context.route(isData, route => route.abort())
  await fares.focus()
  await page.keyboard.press('e')
  await fares.waitFor({ state: 'detached' })
  await context.unroute(isData)
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await until(async () => (await count()) === 0, 'the server has it')
  await page.keyboard.press('z')
  await fares.waitFor()
  await until(async () => (await count()) === 1, 'it is back')
})
