// Choices in a page apply to the next send, and every tab shows them.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { BrowserContext, Locator, Page } from 'playwright-core'

import { until } from '../support/process.ts'
import { browser, site } from './shared-site.ts'
import { CLIENT, SECRET, toUserHash, createUserId, watchComplaints } from './site.ts'

const BODY = '<notif-preferences></notif-preferences>'

async function tab(context: BrowserContext, userId: string, body = BODY): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(site.page({ body, userId }))
  return page
}

const line = (page: Page): Locator => page.getByRole('group', { name: 'news' })
const inApp = (page: Page): Locator => line(page).getByRole('switch', { name: 'In app' })

/** As the back end knows it. */
async function stored(userId: string, channel: string): Promise<string | undefined> {
  const answer = await fetch(`${site.base}/${CLIENT}/users/${userId}/preferences`, {
    headers: {
      authorization: `Basic ${Buffer.from(`${CLIENT}:${userId}:${toUserHash(userId)}`).toString('base64')}`
    }
  })
  const { preferences } = (await answer.json()) as {
    readonly preferences: readonly { readonly channel: string; readonly delivery: string }[]
  }
  return preferences.find(row => row.channel === channel)?.delivery
}

test('a channel that is turned off gets no later send, and all tabs agree', async () => {
  await using context = await browser.newContext({ viewport: { height: 800, width: 1000 } })
  const user = createUserId()
  await site.send(user, { title: 'The first' })
  const [one, other] = [await tab(context, user), await tab(context, user)]
  const complaints = [watchComplaints(one), watchComplaints(other)]
  await other.bringToFront()
  await inApp(other).waitFor()
  await one.bringToFront()
  await inApp(one).uncheck()
  await until(async () => (await stored(user, 'INAPP_WEB')) === 'off', 'it is kept as off')
  const second = await site.post(`/${CLIENT}/sender`, {
    inapp: { title: 'The second' },
    to: { id: user },
    type: 'news'
  })
  const { messages } = (await second.json()) as { readonly messages: readonly string[] }
  assert.deepEqual(messages, ['INAPP_WEB was discarded: the user has switched this channel off for "news".'])
  await other.bringToFront()
  await until(async () => !(await inApp(other).isChecked()), 'the other tab shows it')
  await inApp(other).check()
  await until(async () => (await stored(user, 'INAPP_WEB')) === 'instant', 'it is kept as on')
  await site.send(user, { title: 'The third' })
  await until(async () => (await site.inbox(user)).items.length === 2, 'two of three')
  const { items } = await site.inbox(user)
  assert.deepEqual(
    items.map(({ title }) => title),
    ['The third', 'The first']
  )
  assert.deepEqual(complaints, [[], []])
})

test('another device shows choices and new types immediately', async () => {
  await using here = await browser.newContext({ viewport: { height: 800, width: 1000 } })
  await using there = await browser.newContext({ viewport: { height: 800, width: 1000 } })
  const user = createUserId()
  const [one, other] = [await tab(here, user), await tab(there, user)]
  const complaints = [watchComplaints(one), watchComplaints(other)]
  // Neither has anything to choose about yet.
  for (const page of [one, other]) await page.getByText('No notification preferences yet').waitFor()
  await site.send(user, { title: 'The first' })
  for (const page of [one, other]) await inApp(page).waitFor()
  await inApp(one).uncheck()
  await until(async () => !(await inApp(other).isChecked()), 'the other device shows it')
  const answer = await site.post(`/${CLIENT}/user_preferences/${user}`, [])
  assert.equal(answer.status, 200)
  for (const page of [one, other])
    await until(() => inApp(page).isChecked(), 'both show what the back end did')
  assert.deepEqual(complaints, [[], []])
})

test('rolls back a refused choice with a message', async () => {
  await using context = await browser.newContext({ viewport: { height: 800, width: 1000 } })
  const user = createUserId()
  await site.send(user, { title: 'The first' })
  const page = await tab(context, user)
  await inApp(page).waitFor()
  await page.route('**/preferences', route =>
    route.request().method() === 'POST'
      ? route.fulfill({
          body: '{"title":"No."}',
          headers: { 'access-control-allow-origin': '*' },
          status: 422
        })
      : route.continue()
  )
  await inApp(page).click()
  await line(page).getByRole('alert').waitFor()
  assert.equal(await inApp(page).isChecked(), true)
  assert.equal(await stored(user, 'INAPP_WEB'), 'instant')
})

/** Pending requests in the offline cache. */
const waiting = (page: Page): Promise<readonly { readonly key: string; readonly choices?: unknown }[]> =>
  page.evaluate(
    () =>
      new Promise(resolve => {
        const opening = indexedDB.open('notif-kit')
        opening.addEventListener('success', () => {
          const all = opening.result.transaction('actions').objectStore('actions').getAll()
          all.addEventListener('success', () => {
            opening.result.close()
            resolve(all.result)
          })
        })
      })
  )

/** Holds all answers to requests of the user until the returned function is called. */
async function cut(context: BrowserContext): Promise<() => Promise<void>> {
  await context.route('**/users/**', route => route.abort())
  return () => context.unroute('**/users/**')
}

test('shows an offline choice, and a later page without preferences sends it once', async () => {
  await using context = await browser.newContext({ viewport: { height: 800, width: 1000 } })
  const user = createUserId()
  await site.send(user, { title: 'The first' })
  const page = await tab(context, user)
  await inApp(page).waitFor()
  const mend = await cut(context)
  await inApp(page).uncheck()
  await until(async () => (await waiting(page)).length === 1, 'it is kept')
  const [{ key }] = (await waiting(page)) as [{ key: string }]
  assert.equal(await inApp(page).isChecked(), false)
  assert.equal(await line(page).getByRole('alert').count(), 0)
  await page.close()
  assert.equal(await stored(user, 'INAPP_WEB'), 'instant')
  await mend()
  const keys: (string | undefined)[] = []
  context.on('request', request => {
    if (request.method() === 'POST' && request.url().endsWith('/preferences'))
      keys.push(request.headers()['idempotency-key'])
  })
  const later = await tab(context, user, '<notif-feed></notif-feed>')
  await until(async () => (await stored(user, 'INAPP_WEB')) === 'off', 'the server has it')
  await until(async () => (await waiting(later)).length === 0, 'nothing waits any more')
  assert.deepEqual(keys, [key])
})

test('choices of two tabs wait without a connection, and the last one that arrives counts', async () => {
  await using context = await browser.newContext({ viewport: { height: 800, width: 1000 } })
  const user = createUserId()
  await site.send(user, { title: 'The first' })
  const [one, other] = [await tab(context, user), await tab(context, user)]
  for (const page of [one, other]) await inApp(page).waitFor()
  const mend = await cut(context)
  await one.bringToFront()
  await inApp(one).uncheck()
  await other.bringToFront()
  await inApp(other).uncheck()
  await inApp(other).check()
  await inApp(other).uncheck()
  await mend()
  await until(async () => (await stored(user, 'INAPP_WEB')) === 'off', 'the server has it')
  await until(async () => (await waiting(one)).length === 0, 'nothing waits any more')
  for (const page of [one, other])
    await until(async () => !(await inApp(page).isChecked()), 'both tabs show it')
})

test('a sign-out deletes pending choices', async () => {
  await using context = await browser.newContext({ viewport: { height: 800, width: 1000 } })
  const user = createUserId()
  await site.send(user, { title: 'The first' })
  const body = `<notif-provider client-id="${CLIENT}" user-id="${user}" user-hash="${toUserHash(user)}">
    <notif-preferences></notif-preferences></notif-provider>`
  const page = await tab(context, user, body)
  await inApp(page).waitFor()
  const mend = await cut(context)
  let tries = 0
  page.on('requestfailed', request => request.method() === 'POST' && tries++)
  await inApp(page).uncheck()
  await until(() => tries === 3, 'nothing is on its way')
  await until(async () => (await waiting(page)).length === 1, 'it is kept')
  await page.evaluate(() => document.querySelector('notif-provider')!.removeAttribute('user-id'))
  await until(async () => (await waiting(page)).length === 0, 'nothing is kept')
  await mend()
  const later = await tab(context, user)
  await inApp(later).waitFor()
  assert.equal(await inApp(later).isChecked(), true)
  assert.equal(await stored(user, 'INAPP_WEB'), 'instant')
})

test('the menu of the inbox opens the preferences, and Esc returns to the bell', async () => {
  await using context = await browser.newContext({ viewport: { height: 800, width: 1000 } })
  const user = createUserId()
  await site.send(user, { title: 'The first' })
  const page = await tab(context, user, '<notif-popup></notif-popup>')
  const complaints = watchComplaints(page)
  await page.locator('notif-popup .bell').click()
  await page.locator('notif-popup [data-act=menu]').click()
  await page.getByRole('menuitem', { name: 'Preferences' }).click()
  const dialog = page.getByRole('dialog', { name: 'Notification preferences' })
  await dialog.getByRole('group', { name: 'News' }).getByRole('switch', { name: 'In app' }).click()
  await until(async () => (await stored(user, 'INAPP_WEB')) === 'off', 'it is kept as off')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  const focused = await page
    .locator('notif-popup')
    .evaluate(popup => popup.shadowRoot!.activeElement?.className)
  assert.equal(focused?.trim(), 'bell')
  assert.deepEqual(complaints, [])
})

test('a page without preferences loads neither their code nor their data', async () => {
  await using context = await browser.newContext({ viewport: { height: 800, width: 1000 } })
  const user = createUserId()
  await site.send(user, { title: 'The first' })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  const about = (): readonly string[] =>
    asked.filter(path => /\/preferences|\/choices-|\/preference-/.test(path))
  await page.goto(site.page({ body: '<notif-popup></notif-popup>', userId: user }))
  await page.locator('notif-popup .bell').click()
  await page.locator('notif-popup article', { hasText: 'The first' }).waitFor()
  const read = (): Promise<unknown> =>
    page.evaluate(async () => {
      const kit = await import(document.querySelector<HTMLScriptElement>('script[src]')!.src)
      const { preferences } = await kit.getNotifContext(document.body)
      return preferences?.notifications[0].title
    })
  await page.evaluate(async () => {
    const kit = await import(document.querySelector<HTMLScriptElement>('script[src]')!.src)
    const { notifications } = await kit.getNotifContext(document.body)
    if (notifications.length !== 1) throw new Error(`${notifications.length} notifications`)
  })
  assert.deepEqual(about(), [])
  await until(async () => (await read()) === 'News', 'they are read when somebody asks')
  assert.ok(about().some(path => path.endsWith('.js')))
  assert.ok(about().includes(`/${CLIENT}/users/${user}/preferences`))
})

const ask = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
  const authorization = `Basic ${Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')}`
  const headers = { authorization, 'content-type': 'application/json' }
  const answer = await fetch(`${site.base}/${CLIENT}/${path}`, { ...init, headers })
  assert.ok(answer.ok, `${path}: ${answer.status}`)
  return (await answer.json()) as T
}

test('a daily email waits for its digest, and is sent when the user chooses instant', async () => {
  await using context = await browser.newContext({ viewport: { height: 800, width: 1000 } })
  const user = createUserId()
  await ask('notifications/minutes', {
    body: JSON.stringify({
      options: { EMAIL: { daily: { enabled: true }, defaultDeliveryOption: 'instant' } },
      templates: {
        email: { html: '<p>Read them.</p>', subject: 'The minutes' },
        inapp: { title: 'Minutes' }
      },
      title: 'Minutes'
    }),
    method: 'PUT'
  })
  const send = { to: { email: 'amara@heron.example', id: user }, type: 'minutes' }
  await site.post(`/${CLIENT}/sender`, send)
  const page = await tab(context, user)
  const often = page.getByRole('group', { name: 'Minutes' }).getByRole('combobox', { name: /email/i })
  await often.selectOption('daily')
  await until(async () => (await stored(user, 'EMAIL')) === 'daily', 'it is kept as daily')

  interface Told {
    readonly channels: readonly {
      readonly channel: string
      readonly state: string
      readonly explanation: string
    }[]
  }
  const mail = ({ channels }: Told): Told['channels'][number] =>
    channels.find(({ channel }) => channel === 'EMAIL')!
  const simulated = mail(await ask<Told>('simulate', { body: JSON.stringify({ send }), method: 'POST' }))
  const planned = /digest of (\d{4}-\d\d-\d\dT09:00:00\.000Z)/.exec(simulated.explanation)?.[1]
  assert.ok(planned, simulated.explanation)
  const { trackingId } = (await (await site.post(`/${CLIENT}/sender`, send)).json()) as { trackingId: string }
  const explain = async (): Promise<Told['channels'][number]> =>
    mail(await ask<Told>(`logs/${trackingId}/explain`))
  const waiting = await explain()
  assert.equal(waiting.state, 'scheduled')
  assert.ok(waiting.explanation.includes(planned), waiting.explanation)
  const mails = async (): Promise<readonly unknown[]> =>
    (await ask<{ messages: readonly unknown[] }>(`sandbox/messages?user=${user}&channel=EMAIL`)).messages
  await until(async () => (await mails()).length === 1, 'the first mail went out before the choice')

  await often.selectOption('instant')
  await until(async () => (await mails()).length === 2, 'the digest goes out')
  assert.notEqual((await explain()).state, 'scheduled')
})
