// Tabs for some types with the real server: in two pages at once, live, and with notifications that the list has not loaded.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { until } from '../support/process.ts'
import { browser, site } from './shared-site.ts'
import { chooseInMenu, CLIENT, createUserId, SECRET, watchComplaints } from './site.ts'

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

test('a tab by a tag of 70 types counts, pages, and marks and archives all of them and nothing else', async () => {
  const userId = createUserId()
  const types = Array.from({ length: 70 }, (_, i) => `boat-${i}`)
  for (const type of types) {
    const answer = await fetch(`${site.base}/${CLIENT}/notifications/${type}`, {
      body: JSON.stringify({ channels: ['INAPP_WEB'], tags: ['boats'], title: type }),
      headers: {
        authorization: `Basic ${Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')}`,
        'content-type': 'application/json'
      },
      method: 'PUT'
    })
    assert.ok(answer.ok, await answer.text())
  }
  for (const type of types) await site.send(userId, { title: `Line of ${type}` }, type)
  for (let i = 0; i < 55; i++) await site.send(userId, { title: `News ${i}` })
  await using context = await browser.newContext()
  const tabs = JSON.stringify([{ label: 'Boats', tags: ['boats'] }])
  const address = site.page({ body: `<notif-popup tabs='${tabs}'></notif-popup>`, userId })
  const [one, other] = [await context.newPage(), await context.newPage()]
  const complaints = [watchComplaints(one), watchComplaints(other)]
  for (const page of [one, other]) {
    await page.goto(address)
    await openInbox(page)
    await tabOf(page, /^\s*Boats 70\s*$/).waitFor()
  }
  await one.bringToFront()
  await tabOf(one, 'Boats').click()
  await rows(one).nth(40).waitFor()
  // The next page, of 50, has the others.
  for (let count = await rows(one).count(); count < types.length;) {
    await rows(one).last().scrollIntoViewIfNeeded()
    await rows(one).nth(count).waitFor()
    count = await rows(one).count()
  }
  const titles = await rows(one).locator('.title').allTextContents()
  assert.deepEqual(titles.toSorted(), types.map(type => `Line of ${type}`).toSorted())

  await site.send(userId, { title: 'A boat more' }, types[69])
  for (const page of [one, other]) await tabOf(page, /^\s*Boats 71\s*$/).waitFor()
  await one.getByRole('button', { name: 'Mark all as read' }).click()
  for (const page of [one, other]) {
    await tabOf(page, /^\s*Boats\s*$/).waitFor()
    await tabOf(page, /^\s*Unread 55\s*$/).waitFor()
  }
  await one.keyboard.press('z')
  for (const page of [one, other]) await tabOf(page, /^\s*Boats 71\s*$/).waitFor()
  await chooseInMenu(one.locator('notif-popup'), 'Archive all')
  await one.locator('notif-popup .undo-line', { hasText: 'All 71 archived' }).waitFor()
  for (const page of [one, other]) await tabOf(page, /^\s*Unread 55\s*$/).waitFor()
  await until(async () => (await site.inbox(userId)).counts.unarchived === 55, 'the server has it')
  assert.deepEqual(complaints.flat(), [])
})
