// Sends and one send on the dashboard, from a cold sign-in: found by an email address, explained, sent again.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { createUserId } from '../site.ts'
import { browser, openDashboard, site } from './dashboard.ts'

/** A user with an address, and one send of a type to that user. */
async function sendTo(email: string, type = 'timetable'): Promise<{ userId: string; trackingId: string }> {
  const userId = createUserId()
  await site.post(`/heron/users/${userId}`, { email })
  const answer = await site.post('/heron/sender', {
    email: { html: '<p>The boat leaves at 19:05</p>', subject: 'Your 18:40 leaves at 19:05' },
    inapp: { title: 'Your 18:40 leaves at 19:05' },
    to: { id: userId },
    type
  })
  const { trackingId } = (await answer.json()) as { trackingId: string }
  return { trackingId, userId }
}

test('a member finds a send by an email address, sees why, and sends it again', async () => {
  const { trackingId, userId } = await sendTo('amara@heron.example')
  await using dashboard = await openDashboard('/admin/heron/sends')
  const { page } = dashboard
  await page.locator(`tr[data-id="${trackingId}"]`).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('amara@heron.example')
  await page.keyboard.press('Enter')
  await page.waitForURL(/sends\?to=amara/)
  await page.locator(`tr[data-id="${trackingId}"]`).getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: `timetable, to ${userId}` }).waitFor()
  await page.getByText('What happened when').waitFor()
  assert.equal(new URL(page.url()).pathname, `/admin/heron/sends/${trackingId}`)

  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: `Send this again to ${userId}?` }).waitFor()
  await dialog.getByRole('button', { name: /^Send on \d channels?$/ }).click()
  await page.waitForURL(
    url => /\/sends\/[\da-f-]{36}$/.test(url.pathname) && !url.pathname.endsWith(trackingId)
  )
  await page.getByText('Sent again').waitFor()
  assert.deepEqual(dashboard.complaints(), [])
})

test('the address holds the filter, and new sends appear by themselves', async () => {
  const first = await sendTo('ida@heron.example', 'harbour')
  await sendTo('odd@heron.example', 'other')
  await using dashboard = await openDashboard('/admin/heron/sends?type=harbour')
  const { page } = dashboard
  await page.locator(`tr[data-id="${first.trackingId}"]`).waitFor()
  assert.equal(await page.locator('tr[data-id]').count(), 1)
  const second = await sendTo('ida@heron.example', 'harbour')
  await page.locator(`tr[data-id="${second.trackingId}"]`).waitFor()

  await page.getByLabel('Failed').check({ force: true })
  await page.waitForURL(/status=failure/)
  await page.getByText('No send matches').waitFor()
  await page.goBack()
  await page.locator(`tr[data-id="${first.trackingId}"]`).waitFor()
})

test('new sends wait behind a button while a row is chosen', async () => {
  const first = await sendTo('mei@heron.example', 'calm')
  await using dashboard = await openDashboard('/admin/heron/sends?type=calm')
  const { page } = dashboard
  await page.locator(`tr[data-id="${first.trackingId}"]`).waitFor()
  await page.keyboard.press('j')
  await page.locator('tr.chosen').waitFor()
  const second = await sendTo('mei@heron.example', 'calm')
  await page.getByRole('button', { name: '1 new' }).click()
  await page.locator(`tr[data-id="${second.trackingId}"]`).waitFor()
})

test('a paused live tail shows nothing new until it goes on', async () => {
  const first = await sendTo('mei@heron.example', 'paused')
  await using dashboard = await openDashboard('/admin/heron/sends?type=paused')
  await using witness = await openDashboard('/admin/heron/sends?type=paused')
  const row = (page: Page, trackingId: string) => page.locator(`tr[data-id="${trackingId}"]`)
  await row(dashboard.page, first.trackingId).waitFor()
  await row(witness.page, first.trackingId).waitFor()
  await dashboard.page.getByRole('switch', { name: 'Live tail' }).uncheck({ force: true })
  const second = await sendTo('mei@heron.example', 'paused')
  await row(witness.page, second.trackingId).waitFor()
  assert.equal(await row(dashboard.page, second.trackingId).count(), 0)
  assert.equal(await dashboard.page.getByRole('button', { name: '1 new' }).count(), 0)
  await dashboard.page.getByRole('switch', { name: 'Live tail' }).check({ force: true })
  await row(dashboard.page, second.trackingId).waitFor()
  assert.deepEqual(dashboard.complaints(), [])
})

test('keys choose a row, look at it and open it', async () => {
  const { trackingId } = await sendTo('nour@heron.example', 'keys')
  await using dashboard = await openDashboard('/admin/heron/sends?type=keys')
  const { page } = dashboard
  await page.locator(`tr[data-id="${trackingId}"]`).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press(' ')
  await page.getByRole('complementary', { name: 'Look at it here' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('complementary').waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.pathname.endsWith(trackingId))
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await page.waitForURL(/dead-letters$/)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to or do' }).fill(trackingId)
  await page.getByRole('option', { name: 'Open the send' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.pathname.endsWith(trackingId))
})

test('the filter suggests what the server knows, and finds a send by the rule that decided', async () => {
  // The send creates the type, for which the user then turns the inbox off.
  const { userId } = await sendTo('quiet@heron.example', 'quieter')
  await site.post(`/heron/users/${userId}/preferences`, [
    { channel: 'INAPP_WEB', delivery: 'off', notificationId: 'quieter' }
  ])
  const answer = await site.post('/heron/sender', {
    inapp: { title: 'Your 18:40 leaves at 19:05' },
    to: { id: userId },
    type: 'quieter'
  })
  const { trackingId } = (await answer.json()) as { trackingId: string }
  await using dashboard = await openDashboard('/admin/heron/sends')
  const { page } = dashboard
  await page.getByRole('combobox', { name: 'Filter sends' }).click()
  await page.keyboard.type('decision:preference-o')
  await page.getByRole('option', { name: 'preference-off' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/decision=preference-off/)
  await page.locator(`tr[data-id="${trackingId}"]`).waitFor()
  await page.keyboard.type('quie')
  await page.getByRole('option', { name: /^quieter/ }).click()
  await page.waitForURL(/type=quieter/)
  await page.locator(`tr[data-id="${trackingId}"]`).waitFor()
  assert.equal(await page.locator('tr[data-id]').count(), 1)
  await page.getByRole('radio', { name: 'Discarded' }).check({ force: true })
  await page.waitForURL(/status=discarded/)
  await page.locator(`tr[data-id="${trackingId}"]`).waitFor()
  assert.deepEqual(dashboard.complaints(), [])
})

test('a wrong filter names its fault and asks no server', async () => {
  await using dashboard = await openDashboard('/admin/heron/sends?since=soon')
  await dashboard.page.getByRole('alert').getByText('Unknown time').waitFor()
})

test('a screen works alone on a page of a company with an API key', async () => {
  const { trackingId } = await sendTo('priya@heron.example', 'alone')
  const answer = await fetch(`${site.base}/environments/heron/keys`, {
    body: JSON.stringify({ name: 'back office', scopes: ['read'] }),
    headers: { authorization: 'Bearer the-admin-token-of-heron-ferries', 'content-type': 'application/json' },
    method: 'POST'
  })
  const { key } = (await answer.json()) as { key: string }
  const page = await browser.newPage()
  // Of the same origin, as behind a proxy of the company.
  await page.route('**/office', route =>
    route.fulfill({
      body: `<!doctype html><html lang="en"><title>Office</title><script type="module" src="/notif-admin.js"></script>
        <script>addEventListener('DOMContentLoaded', () => { document.querySelector('notif-admin-sends').auth = () => '${key}' })</script>
        <notif-admin-sends client-id="heron" query="type=alone"></notif-admin-sends>`,
      contentType: 'text/html'
    })
  )
  await page.goto(`${site.base}/office`)
  await page.locator(`tr[data-id="${trackingId}"]`).waitFor()
  await page.getByLabel('Failed').check({ force: true })
  await page.getByText('No send matches').waitFor()
  assert.equal(new URL(page.url()).pathname, '/office')
  await page.close()
})
