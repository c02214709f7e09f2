// The hosted product's headless SDK for pages, unmodified, in a real Chromium through TLS, which it insists on.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Page } from 'playwright-core'

import { openHost, type Host } from './page.ts'
import { openTls, type Tls } from './tls.ts'
import { MODES, SECURE, startTwoModes, type Mode, type TwoModes } from './two-modes.ts'

let site: TwoModes
let tls: Tls
let host: Host
before(async () => {
  site = await startTwoModes()
  tls = await openTls(site.base)
  host = await openHost(
    `import { NotificationAPIClientSDK } from '@notificationapi/core'
     globalThis.sdk = NotificationAPIClientSDK
     globalThis.news = []`,
    import.meta.dirname
  )
})
after(async () => {
  await host[Symbol.asyncDispose]()
  await tls[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

/** Opens a page with the SDK of this user. `news` collects the events that it receives. */
async function open(mode: Mode, userId: string, hash = site.hashFor(mode, userId)): Promise<Page> {
  const page = await host.open()
  const config = {
    clientId: mode.clientId,
    hashedUserId: (await hash) ?? '',
    host: tls.host,
    userId,
    websocketHost: tls.host
  }
  await page.evaluate(
    `sdk.init({ ...${JSON.stringify(config)}, onNewInAppNotifications: items => news.push(...items) })`
  )
  return page
}

const evaluate = <T>(page: Page, call: string): Promise<T> => page.evaluate(`(async () => (${call}))()`)

interface Item {
  readonly id: string
  readonly title: string
  readonly seen: boolean
  readonly opened?: string
  readonly clicked?: string
  readonly archived?: string
}

for (const mode of MODES) {
  test(`lists notifications page by page, ${mode.name}`, async () => {
    const userId = `list é ${mode.clientId}`
    const ours = site.ours(mode)
    for (let i = 0; i < 7; i++) {
      await ours.send({ inapp: { title: `<b>${i} {{ "{{" }}` }, to: { id: userId }, type: 'core' })
    }
    const page = await open(mode, userId)
    await page.evaluate('sdk.config.getInAppDefaultCount = 3')
    const all = await evaluate<{ items: Item[]; hasMore: boolean; oldestReceived: string }>(
      page,
      'sdk.getInAppNotifications({ before: new Date().toISOString(), maxCountNeeded: 100 })'
    )
    // The SDK renders titles as Liquid once more and shows them as HTML.
    assert.deepEqual(
      all.items.map(({ title }) => title),
      [6, 5, 4, 3, 2, 1, 0].map(i => `&lt;b&gt;${i} &#123;{`)
    )
    assert.equal(all.hasMore, false)
    const some = await evaluate<{ items: Item[]; hasMore: boolean }>(
      page,
      'sdk.getInAppNotifications({ before: new Date().toISOString(), maxCountNeeded: 2 })'
    )
    assert.ok(some.items.length >= 2 && some.hasMore)
    await page.close()
  })

  test(`sets and clears the read state, ${mode.name}`, async () => {
    const userId = `marks ${mode.clientId}`
    const ours = site.ours(mode)
    const { trackingId } = await ours.send({ inapp: { title: 'x' }, to: { id: userId }, type: 'core' })
    const page = await open(mode, userId)
    const update = (marks: string) =>
      evaluate(page, `sdk.updateInAppNotifications({ ids: ['${trackingId}'], ${marks} })`)
    await update('archived: true, clicked: true, opened: true')
    const [set] = (await ours.listInApp(userId)).items
    assert.ok(set!.archived && set!.clicked && set!.opened)
    await update('archived: false, clicked: false, opened: false')
    const [cleared] = (await ours.listInApp(userId)).items
    assert.ok(!cleared!.archived && !cleared!.clicked && !cleared!.opened)
    await page.close()
  })

  test(`receives new items over its WebSocket, ${mode.name}`, async () => {
    const userId = `live é:${mode.clientId}`
    const ours = site.ours(mode)
    const page = await open(mode, userId)
    await page.evaluate('sdk.openWebSocket()')
    await page.waitForFunction('sdk.websocket.object?.readyState === 1')
    const { trackingId } = await ours.send({ inapp: { title: 'Live' }, to: { id: userId }, type: 'core' })
    await page.waitForFunction('news.length > 0')
    const news = await evaluate<Item[]>(page, 'news')
    assert.deepEqual(
      news.map(({ id, seen, title }) => ({ id, seen, title })),
      [{ id: trackingId, seen: false, title: 'Live' }]
    )
    await page.evaluate('sdk.websocket.disconnect()')
    await page.close()
  })

  test(`identify and user.get, ${mode.name}`, async () => {
    const userId = `someone/${mode.clientId}`
    const page = await open(mode, userId)
    await evaluate(page, `sdk.identify({ id: '${userId}', email: 'a@example.com', number: '+12025550123' })`)
    await evaluate(page, 'sdk.identify({ email: null })')
    const user = await evaluate<Record<string, unknown>>(page, 'sdk.user.get()')
    assert.equal(user['id'], userId)
    assert.equal(user['number'], '+12025550123')
    assert.equal(user['email'], undefined)
    await page.close()
  })

  test(`account metadata, ${mode.name}`, async () => {
    const page = await open(mode, 'meta')
    const answer = await evaluate<{ userAccountMetadata: Record<string, unknown> }>(
      page,
      'sdk.getUserAccountMetadata()'
    )
    const { environmentVapidPublicKey, hasWebPushEnabled, logo } = answer.userAccountMetadata
    assert.equal(Buffer.from(String(environmentVapidPublicKey), 'base64url').length, 65)
    assert.equal(hasWebPushEnabled, true)
    assert.equal(typeof logo, 'string')
    await page.close()
  })

  test(`preferences, ${mode.name}`, async () => {
    const userId = `chooser ${mode.clientId}`
    const ours = site.ours(mode)
    const templates = { EMAIL: { html: 'x', subject: 'x' }, INAPP_WEB: { title: 'x' } }
    await ours.putType('choice', { templates, title: 'Choice' })
    await ours.send({ to: { id: userId }, type: 'choice' })
    const page = await open(mode, userId)
    interface Matrix {
      readonly preferences: readonly { readonly channel: string; readonly delivery: string }[]
      readonly notifications: readonly { readonly title: string; readonly options: object }[]
      readonly subNotifications: readonly unknown[]
    }
    const read = () => evaluate<Matrix>(page, 'sdk.getPreferences()')
    const first = await read()
    assert.deepEqual(
      first.notifications.map(({ title }) => title),
      ['Choice']
    )
    assert.deepEqual(Object.keys(first.notifications[0]!.options).toSorted(), ['EMAIL', 'INAPP_WEB'])
    assert.ok(first.preferences.every(({ delivery }) => delivery === 'instant'))
    await evaluate(
      page,
      "sdk.updateDeliveryOption({ notificationId: 'choice', channel: 'EMAIL', delivery: 'off' })"
    )
    const after = Object.fromEntries((await read()).preferences.map(row => [row.channel, row.delivery]))
    assert.deepEqual(after, { EMAIL: 'off', INAPP_WEB: 'instant' })
    await page.close()
  })

  test(`lists Slack channels of a connected user and stores the choice, ${mode.name}`, async () => {
    const userId = `slack ${mode.clientId}`
    const ours = site.ours(mode)
    await ours.identifyUser({
      id: userId,
      slackToken: {
        authed_user: { id: 'U024BE7LH' },
        incoming_webhook: { channel: '#harbour', channel_id: 'C024BE91L', url: 'https://hooks.slack.com/x' }
      }
    })
    const page = await open(mode, userId)
    const places = await evaluate<Record<string, readonly { readonly id: string; readonly name: string }[]>>(
      page,
      'sdk.slack.getChannels()'
    )
    assert.deepEqual(places['channels'], [{ id: 'C024BE91L', name: 'harbour' }])
    assert.deepEqual(places['me'], { id: 'U024BE7LH', name: 'U024BE7LH' })
    await evaluate(page, "sdk.slack.setChannel('#crew')")
    assert.equal((await ours.getUser(userId)).slackChannel, '#crew')
    const user = await evaluate<{ slackToken?: Record<string, unknown> }>(page, 'sdk.user.get()')
    assert.ok(user.slackToken)
    assert.doesNotMatch(JSON.stringify(user), /hooks\.slack/)
    await page.close()
  })

  test(`reads any resource with rest.generic, ${mode.name}`, async () => {
    const userId = `generic ${mode.clientId}`
    await site.ours(mode).send({ inapp: { title: 'x' }, to: { id: userId }, type: 'core' })
    const page = await open(mode, userId)
    const inbox = await evaluate<{ items: unknown[] }>(page, "sdk.rest.generic('GET', 'inbox')")
    assert.equal(inbox.items.length, 1)
    await page.close()
  })
}

test('accepts a page of another origin whose address has no client id, as in its next release', async () => {
  for (const mode of MODES) {
    const userId = `next é:${mode.clientId}`
    const ours = site.ours(mode)
    const { trackingId } = await ours.send({ inapp: { title: 'Next' }, to: { id: userId }, type: 'core' })
    const page = await host.open()
    const token = `${mode.clientId}:${userId}:${(await site.hashFor(mode, userId)) ?? ''}`
    const ask = <T>(method: string, path: string, body?: unknown) =>
      evaluate<T>(
        page,
        `(await fetch(${JSON.stringify(`https://${tls.host}${path}`)}, {
          body: ${JSON.stringify(body && JSON.stringify(body))},
          headers: { Authorization: 'Basic ' + btoa(${JSON.stringify(token)}) },
          method: '${method}'
        })).json()`
      )
    const before = encodeURIComponent(new Date().toISOString())
    const list = await ask<{ notifications: Item[] }>('GET', `/user/inapp?count=100&before=${before}`)
    assert.deepEqual(
      list.notifications.map(({ id }) => id),
      [trackingId]
    )
    await ask('PATCH', '/user/inapp', { archived: new Date().toISOString(), trackingIds: [trackingId] })
    assert.ok((await ours.listInApp(userId)).items[0]!.archived)
    const user = `/users/${encodeURIComponent(userId)}`
    await ask('POST', user, { email: 'next@example.com', id: userId })
    assert.equal((await ask<{ email: string }>('GET', user)).email, 'next@example.com')
    await ask('POST', `${user}/preferences`, [{ channel: 'SMS', delivery: 'off', notificationId: 'core' }])
    assert.deepEqual(await ask('GET', `${user}/preferences`), await ours.getUserPreferences(userId))
    const account = await ask<{ userAccountMetadata: { logo: string } }>('GET', '/users/account-metadata')
    assert.equal(typeof account.userAccountMetadata.logo, 'string')
    await page.close()
  }
})

test('in secure mode nothing is read, written or received without the right hash', async () => {
  const ours = site.ours(SECURE)
  const { trackingId } = await ours.send({ inapp: { title: 'x' }, to: { id: 'victim' }, type: 'core' })
  for (const hash of ['', await ours.userHash('somebody else')]) {
    const page = await open(SECURE, 'victim', Promise.resolve(hash))
    const answer = await evaluate<Record<string, unknown>>(
      page,
      'sdk.rest.getNotifications(new Date().toISOString(), 10)'
    )
    assert.equal(answer['status'], 401)
    assert.equal(answer['notifications'], undefined)
    await evaluate(page, `sdk.updateInAppNotifications({ ids: ['${trackingId}'], opened: true })`)
    await evaluate(page, "sdk.identify({ email: 'thief@example.com' })")
    await page.evaluate('sdk.openWebSocket()')
    await page.waitForFunction('sdk.websocket.object?.readyState === 3')
    await page.close()
  }
  const [item] = (await ours.listInApp('victim')).items
  assert.equal(item!.opened, undefined)
  assert.deepEqual(await ours.getUser('victim'), { id: 'victim' })
})

test('the pages logged no other errors', () => {
  const unexpected = host.complaints.filter(text => !/status of 401|WebSocket|net::ERR/.test(text))
  assert.deepEqual(unexpected, [])
})
