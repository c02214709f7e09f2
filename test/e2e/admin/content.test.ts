// Stories of the dashboard, each from a cold sign-in: a template edited and published, an API key, two editors at once.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'

import type { Page } from 'playwright-core'

import { CLIENT, openBrowser, openSite, watchComplaints } from '../site.ts'

const ADMIN_TOKEN = 'token-of-the-operator-77aa'
const AXE = readFileSync(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

const site = await openSite({ NOTIF_ADMIN_TOKEN: ADMIN_TOKEN })
after(() => site[Symbol.asyncDispose]())
const browser = await openBrowser()
after(() => browser.close())

const put = (path: string, body: unknown): Promise<Response> =>
  fetch(`${site.base}${path}`, {
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    method: 'PUT'
  })

async function createType(id: string): Promise<void> {
  const answer = await put(`/${CLIENT}/notifications/${id}`, {
    templates: {
      EMAIL: { html: '<p>Hello, the boat leaves at {{ now }}.</p>', subject: 'The boat leaves at {{ now }}' },
      INAPP_WEB: { title: 'Leaves at {{ now }}' }
    },
    title: 'Timetable changes'
  })
  assert.equal(answer.status, 201, await answer.text())
  const sent = await site.post(`/${CLIENT}/sender`, {
    parameters: { now: '19:05' },
    to: { email: 'amara@heron.example', id: 'amara' },
    type: id
  })
  assert.equal(sent.status, 200, await sent.text())
}

/** @returns a page of its own session, signed in by the form */
async function signIn(path: string): Promise<{ page: Page; complaints: readonly string[] }> {
  const context = await browser.newContext({ viewport: { height: 1000, width: 1440 } })
  const page = await context.newPage()
  const complaints = watchComplaints(page)
  await page.goto(`${site.base}/admin/${CLIENT}/${path}`)
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN)
  await page.getByRole('button', { name: 'Sign in with the token' }).click()
  return { complaints, page }
}

/** Of the session's first read without a cookie, of a template with a fault, and of the icon that the page does not have. */
const isExpected = (complaint: string): boolean => /status of (?:401|404|412|422)/.test(complaint)

const editor = (page: Page) => page.locator('notif-admin-editor .cm-content')

/** Replaces the whole text of the editor by typing. */
async function type(page: Page, text: string): Promise<void> {
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

async function confirm(page: Page, name: string): Promise<void> {
  await page.locator('notif-admin-dialog').getByRole('button', { exact: true, name }).click()
}

const readPublished = async (id: string): Promise<{ version: number; html: string }> => {
  const answer = await fetch(`${site.base}/${CLIENT}/notifications/${id}`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` }
  })
  const { templates, version } = (await answer.json()) as {
    version: number
    templates: { EMAIL: { html: string } }
  }
  return { html: templates.EMAIL.html, version }
}

async function countViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }> }
    }
    const { violations } = await axe.run()
    return violations.map(({ id, nodes }) => `${id}: ${JSON.stringify(nodes.map(node => node.target))}`)
  })
}

test('a template is edited, previewed in two languages, published and rolled back', async () => {
  await createType('timetable')
  const { complaints, page } = await signIn('types')
  await page.getByRole('link', { name: /Timetable changes/ }).click()
  const mails = page.locator('.previews [data-channel=EMAIL]')
  await mails.first().waitFor()

  await page.locator('.variants').getByRole('button', { exact: true, name: 'Email' }).click()
  await page.getByRole('button', { name: 'Language…' }).click()
  await page
    .locator('notif-admin-dialog')
    .getByLabel(/Language tag/)
    .fill('de')
  await confirm(page, 'Add')
  await page.getByLabel('Subject').fill('Das Boot fährt um {{ now }}')
  await type(page, '<p>Hallo, das Boot fährt um {{ now }}.</p>')
  await page.getByLabel('data of').selectOption({ index: 1 })
  await mails.filter({ hasText: 'Das Boot fährt um 19:05' }).waitFor()
  await mails.filter({ hasText: 'The boat leaves at 19:05' }).waitFor()
  await page.frameLocator('.previews [lang=de] iframe').getByText('Hallo, das Boot fährt um 19:05.').waitFor()

  // In app is drawn by the element of the kit.
  await page.locator('.previews notif-feed article', { hasText: 'Leaves at 19:05' }).waitFor()

  // A fault is shown at its line, and keeps the draft from being published.
  await type(page, '<p>Hallo</p>\n<p>{{ now | </p>')
  await page.locator('.fault', { hasText: 'Line 2' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Publish version/ }).isDisabled(), true)
  await type(page, '<p>Hallo, das Boot fährt um {{ now }}.</p>')
  await page.locator('.fault').waitFor({ state: 'detached' })

  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByText('Draft saved as version 2').waitFor()
  assert.equal((await readPublished('timetable')).version, 1)
  await page.getByRole('button', { name: 'Publish version 2' }).click()
  await confirm(page, 'Publish version 2')
  await page.getByText('Version 2 is live').waitFor()
  assert.equal((await readPublished('timetable')).version, 2)

  await page.getByRole('button', { name: 'Roll back' }).click()
  await confirm(page, 'Roll back')
  await page.getByText('Version 1 is live', { exact: true }).waitFor()
  assert.equal((await readPublished('timetable')).version, 1)
  assert.deepEqual(
    complaints.filter(one => !isExpected(one)),
    []
  )
  // Tab leaves the editor: it is no trap.
  await editor(page).click()
  await page.keyboard.press('Tab')
  assert.equal(await editor(page).evaluate(node => node.matches(':focus')), false)
  assert.deepEqual(await countViolations(page), [])
  await page.context().close()
})

test('the save of a second editor meets what the first one changed', async () => {
  await createType('crew')
  const [first, second] = [await signIn('types/crew'), await signIn('types/crew')]
  await editor(second.page).waitFor()
  await editor(first.page).waitFor()
  await type(first.page, '<p>From the first editor.</p>')
  await first.page.getByRole('button', { name: 'Save draft' }).click()
  await first.page.getByText('Draft saved as version 2').waitFor()

  await type(second.page, '<p>From the second editor.</p>')
  await second.page.getByRole('button', { name: 'Save draft' }).click()
  const stale = second.page.getByRole('alert', { name: 'Somebody else saved meanwhile' })
  await stale.locator('[data-kind=added]', { hasText: 'From the first editor.' }).waitFor()
  // The text of the second editor is not lost.
  assert.match((await editor(second.page).textContent())!, /From the second editor/)
  await stale.getByRole('button', { name: 'Save mine over it' }).click()
  await second.page.getByText('Draft saved as version 3').waitFor()
  await first.page.context().close()
  await second.page.context().close()
})

test('a new key that may only send is refused everything else', async () => {
  const { page } = await signIn('settings?section=keys')
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.locator('notif-admin-dialog')
  await dialog.getByLabel(/What uses it/).fill('Billing service')
  await dialog.getByLabel(/^send /).check()
  await confirm(page, 'Create the key')
  const key = (await page.locator('.secret code').textContent())!.trim()
  assert.match(key, /^nk_/)
  const call = async (method: string, path: string, body?: unknown): Promise<number> => {
    const answer = await fetch(`${site.base}/${CLIENT}${path}`, {
      body: body === undefined ? null : JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      method
    })
    return answer.status
  }
  const send = { inapp: { title: 'Paid' }, to: { id: 'amara' }, type: 'paid' }
  assert.equal(await call('POST', '/sender', send), 200)
  assert.equal(await call('GET', '/users'), 403)
  assert.equal(await call('POST', '/logs/query', {}), 403)
  assert.equal(await call('PUT', '/notifications/paid', { title: 'Paid' }), 403)
  assert.equal(await call('DELETE', '/users/amara'), 403)

  // It is shown once.
  await page.reload()
  const row = page.getByRole('row', { name: /Billing service/ })
  await row.waitFor()
  assert.equal(await page.locator('.secret').count(), 0)
  await row.getByRole('button', { name: 'Revoke' }).click()
  await confirm(page, 'Revoke')
  await row.getByText('revoked').waitFor()
  assert.equal(await call('POST', '/sender', send), 401)
  assert.deepEqual(await countViolations(page), [])
  await page.context().close()
})
