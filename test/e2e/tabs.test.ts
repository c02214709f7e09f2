// Tabs for some types with the real server: in two pages at once, live, and with notifications that the list has not loaded.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { browser, site } from './shared-site.ts'
import { createUserId, watchComplaints } from './site.ts'

const TABS = JSON.stringify([{ label: 'Mentions', types: ['mention'] }])

const tabOf = (page: Page, text: string | RegExp) => page.locator('notif-popup .tab', { hasText: text })
const rows = (page: Page) => page.locator('notif-popup article')

async function openInbox(page: Page): Promise<void> {
  await page.bringToFront()
  await page.locator('notif-popup .bell').click()
  await page.locator('notif-popup .heading').waitFor()
}

test('a tab counts and lists its type in two pages at once, also what the list has not loaded', async () => {
  const userId = createUserId()
  await site.send(userId, { title: 'Mention 1' }, 'mention')
  await site.send(userId, { title: 'Mention 2' }, 'mention')
  for (let i = 0; i < 60; i++) await site.send(userId, { title: `News ${i}` })
  await using context = await browser.newContext()
  const address = site.page({ body: `<notif-popup tabs='${TABS}'></notif-popup>`, userId })
  const [one, other] = [await context.newPage(), await context.newPage()]
  const complaints = [watchComplaints(one), watchComplaints(other)]
  for (const page of [one, other]) {
    await page.goto(address)
    await openInbox(page)
    await tabOf(page, /^\s*Mentions 2\s*$/).waitFor()
  }
  // They are older than the first page of the list.
  await tabOf(one, 'Mentions').click()
  await rows(one).nth(1).waitFor()
  assert.equal(await rows(one).count(), 2)

  await site.send(userId, { title: 'Mention 3' }, 'mention')
  for (const page of [one, other]) await tabOf(page, /^\s*Mentions 3\s*$/).waitFor()
  await one.bringToFront()
  await one.getByRole('button', { name: 'Mark all as read' }).click()
  await tabOf(one, /^\s*Mentions\s*$/).waitFor()
  await tabOf(other, /^\s*Mentions\s*$/).waitFor()
  await tabOf(other, /Unread 60/).waitFor()
  assert.deepEqual(complaints.flat(), [])
})
