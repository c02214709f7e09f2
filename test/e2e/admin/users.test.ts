// Users on the dashboard: a wrong address is found, explained and corrected, and the message arrives; and all that the screen of a user does.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import { smtpPeer, type Peer } from '../../channels/email/smtp-peer.ts'
import { until } from '../../support/process.ts'
import { createUserId, openBrowser, openSite, type Site } from '../site.ts'
import { ADMIN_TOKEN, signInWithToken } from './sign-in.ts'

let browser: Browser
let peer: Peer
let site: Site
before(async () => {
  peer = await smtpPeer()
  site = await openSite({
    NOTIF_ADMIN_TOKEN: ADMIN_TOKEN,
    NOTIF_EMAIL_FROM: 'ferries@heron.example',
    NOTIF_SMTP_URL: peer.url
  })
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
  await peer?.[Symbol.asyncDispose]()
})

const createType = async (id: string): Promise<void> => {
  const answer = await fetch(`${site.base}/heron/notifications/${id}`, {
    body: JSON.stringify({
      templates: {
        EMAIL: { html: '<p>The boat leaves at {{ now }}.</p>', subject: 'The boat leaves at {{ now }}' },
        INAPP_WEB: { title: 'Leaves at {{ now }}' }
      },
      title: 'Timetable changes'
    }),
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    method: 'PUT'
  })
  assert.equal(answer.status, 201, await answer.text())
}

async function send(type: string, userId: string): Promise<string> {
  const answer = await site.post('/heron/sender', { parameters: { now: '19:05' }, to: { id: userId }, type })
  assert.equal(answer.status, 200)
  return ((await answer.json()) as { trackingId: string }).trackingId
}

const confirm = (page: Page, name: string | RegExp): Promise<void> =>
  page.locator('notif-admin-dialog').getByRole('button', { name }).click()

test('"I did not get it": found by the email address, explained, corrected, sent again, arrived', async () => {
  const userId = createUserId()
  await createType('timetable')
  await site.post(`/heron/users/${userId}`, { email: 'rcpt-550@heron.example' })
  const trackingId = await send('timetable', userId)

  await using dashboard = await signInWithToken(browser, `${site.base}/admin/heron/sends`)
  const { page } = dashboard
  await page.getByRole('combobox', { name: 'Filter sends' }).fill('rcpt-550@heron.example')
  await page.keyboard.press('Enter')
  await page.waitForURL(/sends\?to=rcpt-550/)
  await page.locator(`tr[data-id="${trackingId}"]`).getByRole('link').click()

  // The page says in the words of the mail server why it did not arrive.
  const story = page.locator('details#EMAIL[open]')
  await story.locator('.said', { hasText: '550' }).first().waitFor()
  await story.getByText('The user has an address').waitFor()
  await page.locator('.meta').getByRole('link', { name: userId }).click()
  await page.waitForURL(url => url.pathname.endsWith(`/users/${userId}`))
  await page.getByText(`Messages to ${userId} fail.`).waitFor()

  await page.getByRole('button', { name: 'Correct the contacts' }).click()
  const dialog = page.locator('notif-admin-dialog')
  await dialog.getByLabel('Email').fill('amara@heron.example')
  await confirm(page, 'Save')
  await page.getByText('The contacts are saved').waitFor()
  await page.locator('.facts').getByText('amara@heron.example').waitFor()

  await page.getByRole('link', { name: 'Why' }).click()
  await page.waitForURL(url => url.pathname.endsWith(trackingId))
  await page.getByRole('button', { name: 'Send again' }).click()
  await confirm(page, /^Send on 1 channel$/)
  await until(() => peer.received.some(({ to }) => to.includes('amara@heron.example')), 'the email arrived')
  await page.locator('details#EMAIL').getByText('Sent', { exact: true }).first().waitFor({ timeout: 30_000 })
  assert.deepEqual(dashboard.complaints(), [])
})

test('support sees the inbox, changes a preference, tries what would happen, exports and erases', async () => {
  const userId = createUserId()
  await createType('harbour')
  await site.post(`/heron/users/${userId}`, { email: `${userId}@heron.example`, locale: 'de' })
  await send('harbour', userId)
  await using dashboard = await signInWithToken(browser, `${site.base}/admin/heron/users`)
  const { page } = dashboard
  const search = page.getByRole('searchbox')
  await search.waitFor()
  // The list stays until the code of the page arrives, and what was typed must not lead back to it.
  const code = Promise.withResolvers<void>()
  await page.route('**/assets/**', async route => {
    await code.promise
    await route.continue()
  })
  await search.fill(userId)
  await page.getByRole('link', { name: userId }).click()
  // Ends after the timer of the search, which is older and shorter.
  await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 500)))
  code.resolve()
  await page.waitForURL(url => url.pathname.endsWith(`/users/${userId}`))

  // Her inbox, drawn by the feed of the kit; looking at it marks nothing.
  await page.locator('notif-feed article', { hasText: 'Leaves at 19:05' }).waitFor()
  assert.equal((await site.inbox(userId)).counts.unseen, 1)

  const email = page.getByLabel('Timetable changes, Email')
  await email.selectOption('off')
  await page.getByText('Timetable changes, Email: the choice is saved').waitFor()
  await page.locator('.from[data-source=user]').waitFor()

  // The simulation knows the choice.
  const whatIf = page.locator('notif-admin-what-if')
  await whatIf.getByLabel('Type').selectOption('harbour')
  await whatIf.getByLabel(/JSON/).fill('{ "now": "20:15" }')
  await whatIf.getByRole('button', { name: 'Try it' }).click()
  const foreseen = whatIf.getByRole('listitem').filter({ hasText: 'Email' })
  await foreseen.getByText('Would not go out').waitFor()
  await email.selectOption('')
  await page.locator('.from[data-source=user]').waitFor({ state: 'detached' })
  await whatIf.getByRole('button', { name: 'Try it' }).click()
  await foreseen.getByText('Would go out').waitFor()
  await whatIf.getByLabel(/JSON/).fill('{')
  await whatIf.getByRole('button', { name: 'Try it' }).click()
  await whatIf.getByText('The parameters are no JSON object.').waitFor()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click()
  ])
  assert.equal(download.suggestedFilename(), `${userId}.jsonl`)
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n')
  assert.ok(lines.every(line => JSON.parse(line).table))
  assert.ok(lines.some(line => line.includes(`${userId}@heron.example`)))

  await page.getByRole('button', { name: 'Erase…' }).click()
  const dialog = page.locator('notif-admin-dialog')
  const erase = dialog.getByRole('button', { name: 'Erase this user' })
  assert.equal(await erase.isDisabled(), true)
  await dialog.getByLabel(`Type ${userId} to confirm`).fill(userId)
  await erase.click()
  await page.getByText(`${userId} is erased`).waitFor()
  await page.waitForURL(/\/users$/)
  assert.equal((await site.inbox(userId)).items.length, 0)
  assert.deepEqual(dashboard.complaints(), [])
})

test('support ends a pause of a user, and stops an export that waits', async () => {
  const userId = createUserId()
  await site.post(`/heron/users/${userId}`, { email: `${userId}@heron.example` })
  const asAdmin = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' }
  const at = `${site.base}/heron/users/${userId}`
  const paused = await fetch(`${at}/preferences`, {
    body: '{"pause":{"isOn":true}}',
    headers: asAdmin,
    method: 'PATCH'
  })
  assert.equal(paused.status, 200, await paused.text())
  await using dashboard = await signInWithToken(browser, `${site.base}/admin/heron/users/${userId}`)
  const { page } = dashboard
  await page.getByRole('button', { name: 'End it' }).click()
  await page.getByText('The pause has ended').waitFor()
  await page.getByRole('button', { name: 'End it' }).waitFor({ state: 'detached' })
  const preferences = await fetch(`${at}/preferences`, { headers: asAdmin })
  assert.match(await preferences.text(), /"isOn":false/)

  // Another export of the environment is at work.
  await site.db.control`
    insert into tasks (id, env_id, kind, state, input, per_second, created_by, user_digest, lease_until)
    values (gen_random_uuid(), 'heron', 'none', 'running', '{}', 0, 'test', 'x', now() + interval '1 hour')`
  await page.getByRole('button', { name: 'Export' }).click()
  const task = page.getByRole('region', { name: 'Exporting this user' })
  await task.getByText('waits for a worker').waitFor()
  await page.reload()
  await task.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('The task is stopped').waitFor()
  await task.waitFor({ state: 'detached' })
  assert.deepEqual(dashboard.complaints(), [])
})
