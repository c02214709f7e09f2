// The hosted product's React components, unmodified, in a real Chromium.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Page } from 'playwright-core'

import { slackPeer, type SlackPeer } from '../channels/slack/slack-peer.ts'
import { until } from '../support/process.ts'
import { ensureLegacySdk, LEGACY_SDK } from './legacy-sdk-packages.ts'
import { openHost, type Host } from './page.ts'
import { openTls, type Tls } from './tls.ts'
import { MODES, SECURE, startTwoModes, type Mode, type TwoModes } from './two-modes.ts'

const APP = `
import { createRoot } from 'react-dom/client'
import * as kit from '@notificationapi/react'
const { NotificationAPIProvider: Provider } = kit
const news = globalThis.news = []
const hear = items => news.push(...items)
const Probe = () => {
  globalThis.context = Provider.useNotificationAPIContext()
  return null
}
globalThis.mount = (config, names) => createRoot(document.getElementById('root')).render(
  <Provider {...config} onNewNotifications={hear} webPushOptInMessage={false}>
    <Probe />
    {names.map(name => { const Element = kit[name]; return <Element key={name} /> })}
  </Provider>
)`

let slack: SlackPeer
let site: TwoModes
let tls: Tls
let host: Host
before(async () => {
  ensureLegacySdk()
  slack = await slackPeer()
  site = await startTwoModes(slack.env)
  tls = await openTls(site.base)
  const fonts = { '.woff': 'empty', '.woff2': 'empty' } as const
  host = await openHost(APP, LEGACY_SDK, { jsx: 'automatic', loader: fonts })
})
after(async () => {
  await host?.[Symbol.asyncDispose]()
  await tls?.[Symbol.asyncDispose]()
  await site?.[Symbol.asyncDispose]()
  await slack?.[Symbol.asyncDispose]()
})

async function open(mode: Mode, userId: string, names: readonly string[]): Promise<Page> {
  const page = await host.open()
  const hash = await site.hashFor(mode, userId)
  const config = {
    apiURL: tls.host,
    clientId: mode.clientId,
    ...(hash !== undefined && { hashedUserId: hash }),
    userId,
    wsURL: tls.host
  }
  await page.evaluate(`mount(${JSON.stringify(config)}, ${JSON.stringify(names)})`)
  await page.waitForFunction('globalThis.context?.notifications')
  return page
}

for (const mode of MODES) {
  const send = (userId: string, title: string) =>
    site.ours(mode).send({ inapp: { title }, to: { id: userId }, type: 'react' })

  test(`the popup shows stored and live notifications, ${mode.name}`, async () => {
    const userId = `popup é:${mode.clientId}`
    await send(userId, 'There <b>before</b> {{ "{{" }}')
    await until(async () => (await site.listeners()) === 0, 'the pages of before are gone')
    const page = await open(mode, userId, ['NotificationPopup'])
    await until(async () => (await site.listeners()) > 0, 'the page listens')
    await page.waitForFunction('context.notifications.length === 1')
    const badge = page.locator('.MuiBadge-badge').first()
    await badge.getByText('1').waitFor()
    const { trackingId } = await send(userId, 'Live')
    await page.waitForFunction('news.length > 0')
    assert.equal(await page.evaluate('news[0].id'), trackingId)
    await badge.getByText('2').waitFor()
    await page.getByRole('button').first().click()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByText('There <b>before</b> {{', { exact: true }).waitFor()
    await until(async () => (await site.ours(mode).listInApp(userId)).counts.unopened === 0, 'all are opened')
    await page.close()
  })

  test(`archives one notification, then all, ${mode.name}`, async () => {
    const userId = `archive ${mode.clientId}`
    const ours = site.ours(mode)
    for (const title of ['One', 'Two', 'Three']) await send(userId, title)
    const page = await open(mode, userId, ['NotificationFeed'])
    const row = page.getByText('Two', { exact: true })
    await row.waitFor()
    const archived = async () =>
      (await ours.listInApp(userId)).items.filter(item => item.archived).map(({ title }) => title)
    const two = (await ours.listInApp(userId)).items.find(({ title }) => title === 'Two')
    // The component loads everything twice after its start and then shows the archived item again, so the test repeats the click.
    const press = (call: string, question: () => Promise<boolean>, what: string) =>
      until(async () => {
        await page.evaluate(`context.${call}`)
        return question()
      }, what)
    await press(
      `markAsArchived(['${two!.id}'])`,
      async () => (await archived()).length === 1,
      'one is archived'
    )
    assert.deepEqual(await archived(), ['Two'])
    await press("markAsArchived('ALL')", async () => (await archived()).length === 3, 'all are archived')
    await press(
      `markAsUnarchived(['${two!.id}'])`,
      async () => (await archived()).length === 2,
      'one is back'
    )
    const clicked = async () => (await ours.listInApp(userId)).items.some(item => item.clicked !== undefined)
    await press(`markAsClicked(['${two!.id}'])`, clicked, 'it is clicked')
    await page.close()
  })

  test(`counter and launcher, ${mode.name}`, async () => {
    const userId = `counter ${mode.clientId}`
    await send(userId, 'Counted')
    const page = await open(mode, userId, ['NotificationCounter', 'NotificationLauncher'])
    await page.waitForFunction(
      "[...document.querySelectorAll('.MuiBadge-badge')].map(badge => badge.textContent).join() === '1,1'"
    )
    await page.getByRole('button').last().click()
    await page.getByText('Counted', { exact: true }).waitFor()
    await page.close()
  })

  test(`identify through the client of the context, ${mode.name}`, async () => {
    const userId = `react-user ${mode.clientId}`
    const page = await open(mode, userId, [])
    await page.evaluate(`context.getClient().identify({ id: '${userId}', email: 'react@example.com' })`)
    await until(
      async () => (await site.ours(mode).getUser(userId)).email === 'react@example.com',
      'it is stored'
    )
    await page.close()
  })
}

for (const mode of MODES) {
  test(`a preference that is switched off applies to the next send, ${mode.name}`, async () => {
    const userId = `chooser ${mode.clientId}`
    const ours = site.ours(mode)
    await ours.putType('harbour', {
      options: {
        INAPP_WEB: { defaultDeliveryOption: 'instant', instant: { enabled: true }, off: { enabled: true } }
      },
      templates: { INAPP_WEB: { title: 'Harbour' } },
      title: 'Harbour news'
    })
    await ours.createSubNotification({
      notificationId: 'harbour',
      subNotificationId: 'north',
      title: 'North pier'
    })
    await ours.send({ to: { id: userId }, type: 'harbour' })
    const page = await open(mode, userId, ['NotificationPreferencesInline'])
    await page.getByText('Harbour news', { exact: true }).click()
    await page.getByText('In-App', { exact: true }).first().waitFor()
    await page.getByRole('switch').or(page.locator('input[type=checkbox]')).first().click()
    const delivery = async () =>
      (await ours.getUserPreferences(userId)).preferences.find(
        row => row.channel === 'INAPP_WEB' && row.subNotificationId === undefined
      )?.delivery
    await until(async () => (await delivery()) === 'off', 'the choice is stored')
    await ours.send({ to: { id: userId }, type: 'harbour' })
    assert.equal((await ours.listInApp(userId)).items.length, 1)
    await page.evaluate("context.updateDelivery('harbour', 'INAPP_WEB', 'instant')")
    await until(async () => (await delivery()) === 'instant', 'it is on again')
    await page.close()
  })
}

for (const mode of MODES) {
  test(`Slack: a connected user chooses a channel, receives a message and disconnects, ${mode.name}`, async () => {
    const userId = `slack ${mode.clientId}`
    const ours = site.ours(mode)
    const slackToken = { access_token: 'xoxb-good', authed_user: { id: 'U024BE7LH' }, ok: true }
    await ours.identifyUser({ id: userId, slackToken })
    const page = await open(mode, userId, ['SlackConnect'])
    const field = page.getByLabel('Channel or User')
    await field.fill('har')
    await page.getByRole('option', { name: '#harbour' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Slack notifications will be sent to:').waitFor()
    await until(async () => (await ours.getUser(userId)).slackChannel === '#harbour', 'the choice is stored')
    const { messages } = await ours.send({ slack: { text: 'Ahoy' }, to: { id: userId }, type: 'slack' })
    assert.deepEqual(messages, [])
    const slackMessages = () => slack.received.filter(({ body }) => body['channel'] === '#harbour')
    await until(async () => slackMessages().length > 0, 'the message is in Slack')
    assert.equal(slackMessages().pop()!.body['text'], 'Ahoy')
    slack.received.length = 0
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('button', { name: 'Connect Slack' }).waitFor()
    await until(async () => (await ours.getUser(userId)).slackToken === undefined, 'the connection is gone')
    assert.equal((await ours.getUser(userId)).slackChannel, undefined)
    await page.close()
  })
}

test('infinite scrolling loads more than a thousand items', async () => {
  const userId = 'many'
  const ours = site.ours(SECURE)
  for (let i = 0; i < 1100; i += 50) {
    const some = Array.from({ length: 50 }, (_, k) => `${i + k}`)
    await Promise.all(some.map(title => ours.send({ inapp: { title }, to: { id: userId }, type: 'react' })))
  }
  const page = await open(SECURE, userId, ['NotificationFeed'])
  await page.waitForFunction('context.notifications.length >= 1000')
  // Scrolling requests further pages near the end.
  const more = '(context.loadNotifications(false), context.notifications.length === 1100)'
  await page.waitForFunction(more, undefined, { polling: 300 })
  await page.close()
})

test('the pages logged no other errors', () => {
  const unexpected = host.complaints.filter(text => !/net::ERR/.test(text))
  assert.deepEqual(unexpected, [])
})
