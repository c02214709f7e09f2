// Types, settings, sandbox, schedules and first steps on the dashboard, each with what can be done there.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { until } from '../../support/process.ts'
import { createUserId } from '../site.ts'
import { openDashboard, site } from './dashboard.ts'
import { ADMIN_TOKEN } from './sign-in.ts'

const asAdmin = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await fetch(site.base + path, {
    body: body === undefined ? null : JSON.stringify(body),
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    method
  })
  const text = await answer.text()
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text) as T
}

const putType = (id: string): Promise<{ version: number }> =>
  asAdmin('PUT', `/heron/notifications/${id}`, {
    templates: {
      EMAIL: { html: '<p style="color: teal">Hello, {{ now }}</p>', subject: 'Hello at {{ now }}' },
      INAPP_WEB: { title: 'Hello at {{ now }}' }
    },
    title: 'Timetable changes'
  })

const confirm = (page: Page, name: string | RegExp): Promise<void> =>
  page.locator('notif-admin-dialog').getByRole('button', { exact: true, name }).click()

test('a type gets limits, goes to another environment after a look at the difference, and a test goes to me', async () => {
  await putType('boarding')
  await asAdmin('POST', '/environments', { clientId: 'heron-staging', title: 'Staging' })
  await using dashboard = await openDashboard('/admin/heron/types/boarding')
  const { page } = dashboard
  const dialog = page.locator('notif-admin-dialog')
  await page.getByRole('button', { name: 'Change…' }).click()
  await dialog.getByLabel('A user gets it at most').fill('3')
  await dialog.getByLabel('in so many', { exact: true }).fill('2')
  await dialog.getByLabel('Unit of time').selectOption('hours')
  await dialog.getByLabel('Days in the inbox').fill('30')
  await confirm(page, 'Apply')
  await page.getByText('3 in 2 hours').waitFor()
  await page.getByRole('button', { name: 'Publish version 2' }).click()
  await confirm(page, 'Publish version 2')
  await page.getByText('Version 2 is live').waitFor()
  const { retention, throttling } = await asAdmin<{ retention: number; throttling: object }>(
    'GET',
    '/heron/notifications/boarding'
  )
  assert.equal(retention, 30)
  assert.deepEqual(throttling, { max: 3, period: 2, unit: 'hours' })

  await page.getByRole('button', { name: 'Promote' }).click()
  await dialog.locator('select[name=to]').selectOption('heron-staging')
  await confirm(page, 'Difference')
  await dialog.locator('[data-kind=added]', { hasText: 'Hello at' }).first().waitFor()
  await confirm(page, 'Publish in heron-staging')
  await page.getByText('Published in heron-staging').waitFor()
  const promoted = await asAdmin<{ title: string }>('GET', '/heron-staging/notifications/boarding')
  assert.equal(promoted.title, 'Timetable changes')

  await page.getByRole('button', { name: /test/i }).click()
  await dialog.getByLabel(/address/i).fill('me@heron.example')
  await dialog.locator('[value=confirm]').click()
  await page.locator('notif-admin-toasts, [role=status]').getByText(/test/i).first().waitFor()

  // The environment has no mail server: the sandbox keeps it, and shows it as it would arrive.
  await page.goto(`${site.base}/admin/heron/sandbox`)
  await page
    .getByRole('button', { name: /Hello at/ })
    .first()
    .click()
  const frame = page.frameLocator('.frame iframe')
  await frame.getByText('Hello,').waitFor()
  const color = await frame.getByText('Hello,').evaluate(node => getComputedStyle(node).color)
  assert.equal(color, 'rgb(0, 128, 128)')
  await page.getByRole('link', { name: 'Look why it was sent' }).click()
  await page.getByRole('heading', { level: 1, name: 'boarding, to me@heron.example' }).waitFor()
  assert.deepEqual(dashboard.complaints(), [])
})

test('settings probe providers, list members and export the audit log', async () => {
  await using dashboard = await openDashboard('/admin/heron/settings')
  const { page } = dashboard
  const providers = page.getByRole('region', { name: 'Providers' })
  const email = providers.getByRole('row', { name: /^Email/ })
  await email.getByText('Sandbox: messages are kept').waitFor()
  await email.getByRole('button', { name: 'Probe' }).click()
  await email.locator('.check-result').first().waitFor()

  const members = page.getByRole('region', { name: 'Members' })
  await members.getByRole('row', { name: /Admin/ }).first().waitFor()
  await members.getByText('this one').first().waitFor()

  const audit = page.getByRole('region', { name: 'Audit log' })
  await audit.getByLabel('All environments').check()
  await page.waitForURL(/all=1/)
  await audit.getByText('POST /queues/:queue/probe').first().waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    audit.getByRole('button', { name: 'Export' }).click()
  ])
  assert.equal(download.suggestedFilename(), 'audit.jsonl')
  const entries = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { route: string })
  assert.ok(entries.some(({ route }) => route === '/queues/:queue/probe'))

  const server = page.getByRole('region', { name: 'Server' })
  await server.getByText('Set for this server').waitFor()
  assert.match((await server.getByRole('row', { name: /NOTIF_ADMIN_TOKEN/ }).textContent())!, /\[secret\]/)
  assert.ok(!(await server.textContent())!.includes(ADMIN_TOKEN))

  // Its section is in sight, although what is above it came later.
  await page.goto(`${site.base}/admin/heron/settings?section=providers`)
  await server.getByText('Set for this server').waitFor()
  const top = (): Promise<number> => providers.evaluate(one => one.getBoundingClientRect().top)
  await until(async () => Math.abs(await top()) < 200, 'the section is in sight')
  assert.deepEqual(dashboard.complaints(), [])
})

test('Now shows the deliveries of a day and of a week, and its address says which', async () => {
  const userId = createUserId()
  await site.send(userId, { title: 'Boards soon' })
  await using dashboard = await openDashboard('/admin/heron/now?span=24h')
  const { page } = dashboard
  const channels = page.getByRole('region', { name: 'Channels' })
  const row = channels.getByRole('row', { name: /^In app/ })
  await channels.getByText('A minute, on average').waitFor()
  assert.ok(await channels.getByRole('radio', { name: '24 h' }).isChecked())
  await row.getByText('100 %').waitFor()
  const week = page.waitForResponse(/status\/history\?span=7d/)
  await channels.getByRole('radio', { name: '7 d' }).check()
  await page.waitForURL(/now\?span=7d$/)
  assert.equal((await week).status(), 200)
  await row.getByText('100 %').waitFor()
  await channels.getByRole('radio', { name: '1 h' }).check()
  await page.waitForURL(/now$/)
  await channels.getByRole('columnheader', { exact: true, name: 'A minute' }).waitFor()
  assert.deepEqual(dashboard.complaints(), [])
})

test('schedules wait in their order, and one is deleted', async () => {
  const userId = createUserId()
  const schedule = new Date(Date.now() + 3_600_000).toISOString()
  const answer = await site.post('/heron/sender', {
    inapp: { title: 'Boards soon' },
    schedule,
    to: { id: userId },
    type: 'later'
  })
  assert.equal(answer.status, 200, await answer.text())
  await using dashboard = await openDashboard('/admin/heron/schedules')
  const { page } = dashboard
  const row = page.getByRole('row', { name: new RegExp(userId) })
  await row.getByRole('button', { name: 'Delete' }).click()
  await confirm(page, 'Delete')
  await page.getByText('The schedule is deleted').waitFor()
  await row.waitFor({ state: 'detached' })
})

test('the first steps: the command is copied, the send appears live, and its page says why', async () => {
  await asAdmin('POST', '/environments', {
    clientId: 'first',
    clientSecret: 'the-secret-of-first-steps',
    title: 'First'
  })
  await using dashboard = await openDashboard('/admin/first/first-run')
  const { page } = dashboard
  await page.getByText('Waits for the first send').waitFor()
  const send = page.locator('.steps > li').filter({ hasText: 'Send something' })
  assert.equal(await send.getAttribute('data-state'), 'now')
  await send.getByRole('button', { name: 'Copy' }).click()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  const [, body = ''] = /-d '([^]*)'$/.exec(command) ?? []
  const [, url = ''] = /curl (\S+)/.exec(command) ?? []
  const answer = await fetch(url, {
    body,
    headers: {
      authorization: `Basic ${Buffer.from('first:the-secret-of-first-steps').toString('base64')}`,
      'content-type': 'application/json'
    },
    method: 'POST'
  })
  assert.equal(answer.status, 200, await answer.text())
  await page.getByRole('link', { name: 'hello' }).waitFor()
  await page.locator('notif-feed article', { hasText: 'It works' }).waitFor()
  assert.equal(await send.getAttribute('data-state'), 'done')
  await page.getByRole('link', { name: 'Open the page of this send' }).click()
  await page.getByRole('heading', { level: 1, name: 'hello, to you' }).waitFor()
  assert.deepEqual(dashboard.complaints(), [])
})
