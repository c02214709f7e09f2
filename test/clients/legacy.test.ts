// The hosted product's first SDK for pages, unmodified, in a real Chromium over a plain WebSocket.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Page } from 'playwright-core'

import { until } from '../support/process.ts'
import { openHost, type Host } from './page.ts'
import { MODES, SECURE, startTwoModes, type Mode, type TwoModes } from './two-modes.ts'

let site: TwoModes
let host: Host
before(async () => {
  site = await startTwoModes()
  host = await openHost(
    `import NotificationAPI from 'notificationapi-js-client-sdk'
     import 'notificationapi-js-client-sdk/dist/styles.css'
     globalThis.NotificationAPI = NotificationAPI`,
    import.meta.dirname,
    { loader: { '.eot': 'empty', '.svg': 'empty', '.ttf': 'empty', '.woff': 'empty', '.woff2': 'empty' } }
  )
})
after(async () => {
  await host[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

async function open(
  mode: Mode,
  userId: string,
  hash: Promise<string | undefined> = site.hashFor(mode, userId)
): Promise<Page> {
  const page = await host.open()
  const options = {
    clientId: mode.clientId,
    restBaseURL: site.base,
    userId,
    userIdHash: await hash,
    websocket: site.base.replace('http', 'ws')
  }
  await page.evaluate(`globalThis.client = new NotificationAPI(${JSON.stringify(options)})`)
  return page
}

const count = (page: Page): Promise<string> => page.evaluate('client.state.unread + ""')
const titles = (page: Page): Promise<string[]> =>
  page.$$eval('.notificationapi-notification-title', all => all.map(one => one.textContent ?? ''))

for (const mode of MODES) {
  test(`the widget lists items, counts them, receives a live item and marks all as read, ${mode.name}`, async () => {
    const userId = `widget é:${mode.clientId}`
    const ours = site.ours(mode)
    const send = (title: string) => ours.send({ inapp: { title }, to: { id: userId }, type: 'legacy' })
    await send('<img src=x onerror=alert(1)> {{ "{{" }}')
    await send('Second')
    const page = await open(mode, userId)
    await page.evaluate("client.showInApp({ root: 'root' })")
    await page.waitForFunction('client.state.notifications.length === 2 && client.state.unread === 2')
    await send('Third')
    await page.waitForFunction('client.state.notifications.length === 3')
    assert.equal(await count(page), '3')
    await page.click('.notificationapi-button')
    await page.waitForSelector('.notificationapi-notification')
    assert.deepEqual((await titles(page)).toSorted(), ['<img src=x onerror=alert(1)> {{', 'Second', 'Third'])
    assert.equal(await count(page), '0')
    await until(async () => (await ours.listInApp(userId)).counts.unopened === 0, 'all are read')
    await page.close()
  })

  test(`marks one item as read from its menu, ${mode.name}`, async () => {
    const userId = `menu ${mode.clientId}`
    const ours = site.ours(mode)
    for (const title of ['a', 'b']) await ours.send({ inapp: { title }, to: { id: userId }, type: 'legacy' })
    const page = await open(mode, userId)
    await page.evaluate("client.showInApp({ root: 'root', inline: true, markAsReadMode: 'MANUAL' })")
    await page.waitForSelector('.notificationapi-notification')
    const first = page.locator('.notificationapi-notification').first()
    await first.hover()
    await first.locator('.notificationapi-notification-menu-button').click()
    await page.locator('.notificationapi-notification-menu').getByText(/read/i).click()
    await until(async () => (await ours.listInApp(userId)).counts.unopened === 1, 'one is read')
    await page.close()
  })

  test(`loads older pages, ${mode.name}`, async () => {
    const userId = `many ${mode.clientId}`
    const ours = site.ours(mode)
    for (let i = 0; i < 60; i++) {
      await ours.send({ inapp: { title: `${i}` }, to: { id: userId }, type: 'legacy' })
    }
    const page = await open(mode, userId)
    await page.evaluate("client.showInApp({ root: 'root', inline: true })")
    await page.waitForFunction('client.state.notifications.length >= 50')
    await page.evaluate('client.requestMoreNotifications()')
    await page.waitForFunction('client.state.notifications.length === 60')
    await page.close()
  })

  test(`identify, ${mode.name}`, async () => {
    const userId = `known/${mode.clientId}`
    const page = await open(mode, userId)
    await page.evaluate(`client.identify({ id: '${userId}', email: 'known@example.com' })`)
    assert.equal((await site.ours(mode).getUser(userId)).email, 'known@example.com')
    await page.close()
  })

  test(`preferences over its socket, ${mode.name}`, async () => {
    const userId = `chooser ${mode.clientId}`
    const ours = site.ours(mode)
    const templates = { EMAIL: { html: 'x', subject: 'x' }, INAPP_WEB: { title: 'x' } }
    await ours.putType('pier', { templates, title: 'Pier <img src=x onerror=alert(1)>' })
    await ours.send({ to: { id: userId }, type: 'pier' })
    const page = await open(mode, userId)
    interface Shown {
      readonly title: string
      readonly settings: readonly { readonly channel: string; readonly state: boolean }[]
    }
    const states = async () => {
      const [shown] = await page.evaluate<readonly Shown[]>('client.getUserPreferences()')
      assert.match(shown!.title, /^Pier /)
      return Object.fromEntries(shown!.settings.map(({ channel, state }) => [channel, state]))
    }
    // Requested before its socket is open, when the SDK does not listen for the answer yet.
    const early = await page.evaluate(`Promise.race([
      (client.websocket = new WebSocket(client.websocket.url), client.getUserPreferences()),
      new Promise(resolve => setTimeout(resolve, 5_000, 'no answer'))
    ])`)
    assert.notEqual(early, 'no answer')
    assert.deepEqual(await states(), { EMAIL: true, INAPP_WEB: true })
    await page.evaluate("client.patchUserPreference('pier', 'INAPP_WEB', false)")
    const off = async () =>
      (await ours.getUserPreferences(userId)).preferences.filter(({ delivery }) => delivery === 'off')
    await until(async () => (await off()).length === 1, 'the choice is stored')
    assert.deepEqual(await states(), { EMAIL: true, INAPP_WEB: false })
    await ours.send({ to: { id: userId }, type: 'pier' })
    assert.equal((await ours.listInApp(userId)).items.length, 1)
    await page.evaluate('client.showUserPreferences()')
    await page.getByText('Pier <img src=x onerror=alert(1)>', { exact: true }).waitFor()
    await page.close()
  })

  test(`reads the settings of the environment, ${mode.name}`, async () => {
    const page = await open(mode, 'environment')
    await page.waitForFunction("client.state.webPushSettings.applicationServerKey !== ''")
    const key = await page.evaluate<string>('client.state.webPushSettings.applicationServerKey')
    assert.equal(Buffer.from(key, 'base64url').length, 65)
    await page.close()
  })
}

test('in secure mode the server refuses its socket without the right hash', async () => {
  for (const hash of [undefined, await site.ours(SECURE).userHash('somebody else')]) {
    const page = await open(SECURE, 'victim', Promise.resolve(hash))
    await page.waitForFunction('client.websocket.readyState === 3')
    await page.evaluate("client.identify({ email: 'thief@example.com' })")
    await page.close()
  }
  assert.deepEqual(await site.ours(SECURE).getUser('victim'), { id: 'victim' })
})

test('the pages logged no other errors', () => {
  const unexpected = host.complaints.filter(text => !/status of 401|WebSocket/.test(text))
  assert.deepEqual(unexpected, [])
})
