// The operations of the client against a started server: each one is applied, and answers with what is stored.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'

import { etagOf, type NotifClient } from '../../server/client/index.ts'
import { CLIENT, SECRET } from '../process/send-and-read.ts'
import { until } from '../support/process.ts'
import { startOwn, type Started } from './server.ts'

let started: Started
let client: NotifClient
before(async () => {
  started = await startOwn()
  client = started.client()
})
after(() => started[Symbol.asyncDispose]())

test('sends, lists, updates and retracts notifications', async () => {
  const first = await client.send({
    inapp: { title: 'One for {{ name }}', url: '/one' },
    parameters: { name: 'Amara' },
    subNotificationId: 'a',
    to: { id: 'u/1 é' },
    type: 'greeting'
  })
  assert.deepEqual(first.messages, [])
  const second = await client.send({
    inapp: { title: 'Two' },
    subNotificationId: 'b',
    to: { id: 'u/1 é' },
    type: 'greeting'
  })
  const page = await client.listInApp('u/1 é', { count: 1 })
  assert.deepEqual(
    page.items.map(({ id, title }) => [id, title]),
    [[second.trackingId, 'Two']]
  )
  const rest = await client.listInApp('u/1 é', { count: 1, cursor: page.next! })
  assert.equal(rest.items[0]!.title, 'One for Amara')
  assert.equal(rest.items[0]!.redirectURL, '/one')
  assert.equal(rest.next, undefined)
  assert.deepEqual(rest.counts, { snoozed: 0, unarchived: 2, unopened: 2, unseen: 2 })

  const opened = new Date().toISOString()
  const reply = { date: opened, message: 'Thanks' }
  const change = await client.updateInAppNotification('u/1 é', {
    opened,
    reply,
    trackingIds: [first.trackingId]
  })
  assert.deepEqual(change.counts, { snoozed: 0, unarchived: 2, unopened: 1, unseen: 1 })
  assert.deepEqual(change.items[0]!.replies, [reply])
  const cleared = await client.updateInAppNotification('u/1 é', {
    opened: null,
    trackingIds: [first.trackingId]
  })
  assert.equal(cleared.counts.unopened, 2)
  const all = await client.updateInAppNotification('u/1 é', {
    archived: opened,
    through: rest.version,
    trackingIds: 'ALL'
  })
  assert.equal(all.counts.unarchived, 0)

  const retracted = await client.retract({
    notificationId: 'greeting',
    subNotificationId: 'a',
    userId: 'u/1 é'
  })
  assert.deepEqual(retracted.trackingIds, [first.trackingId])
  assert.equal((await client.listInApp('u/1 é')).items.length, 1)
})

test('a refused send names the wrong fields and stores nothing', async () => {
  await assert.rejects(client.send({ inapp: { title: '' }, to: { id: 'u2' }, type: 'greeting' }), {
    errors: [{ detail: 'Expected some text.', pointer: '#/inapp/title' }],
    name: 'NotifProblem',
    status: 422,
    type: '/problems#invalid-request'
  })
  assert.equal((await client.listInApp('u2')).items.length, 0)
})

test('the wrong secret is refused', async () => {
  const stranger = started.client({ clientSecret: `${SECRET}x` })
  await assert.rejects(stranger.send({ inapp: { title: 'x' }, to: { id: 'u2' }, type: 'greeting' }), {
    status: 401
  })
})

test('users are identified, merged, cleared and read', async () => {
  const device = { device_id: 'd1', platform: 'ios' }
  await client.identifyUser({
    email: 'amara@example.com',
    id: 'amara',
    number: '202-555-0123',
    properties: { plan: 'gold' },
    pushTokens: [{ device, token: 't1', type: 'APN' }],
    timezone: 'Europe/Berlin'
  })
  const user = await client.identifyUser({ email: null, id: 'amara', properties: { seats: 3 } })
  assert.equal(user.email, undefined)
  assert.equal(user.number, '+12025550123')
  assert.deepEqual(user.properties, { plan: 'gold', seats: 3 })
  assert.deepEqual(await client.getUser('amara'), { ...user })
  assert.deepEqual(await client.getUser('nobody'), { id: 'nobody' })
})

test('types and templates are stored, read and deleted', async () => {
  const created = await client.putType('order', {
    channels: ['EMAIL', 'INAPP_WEB'],
    options: { EMAIL: { defaultDeliveryOption: 'instant', off: { enabled: true } } },
    templates: {
      'EMAIL/german': { html: '<p>Hallo</p>', subject: 'Bestellung' },
      email: { html: '<p>Hello</p>', subject: 'Order' },
      INAPP_WEB: { title: 'Order {{ id }}' }
    },
    title: 'Orders'
  })
  assert.equal(created.title, 'Orders')
  const read = await client.getType('order')
  assert.deepEqual(read, created)
  const renamed = await client.putType('order', { title: 'Renamed' }, { ifMatch: etagOf(read) })
  await assert.rejects(client.putType('order', { title: 'Late' }, { ifMatch: etagOf(read) }), { status: 412 })
  await assert.rejects(client.putType('order', { title: 'New' }, { ifNoneMatch: '*' }), { status: 412 })
  await client.putType('order', created, { ifMatch: etagOf(renamed) })
  assert.ok((await client.listTypes()).some(({ id }) => id === 'order'))
  assert.deepEqual(await client.getTemplate('order', 'EMAIL', 'german'), {
    html: '<p>Hallo</p>',
    subject: 'Bestellung'
  })
  await client.putTemplate('order', 'INAPP_WEB', { title: 'Order {{ id }} is there' })
  assert.equal((await client.getTemplate('order', 'INAPP_WEB')).title, 'Order {{ id }} is there')
  await client.send({ parameters: { id: 7 }, to: { email: 'm@example.com', id: 'u3' }, type: 'order' })
  assert.equal((await client.listInApp('u3')).items[0]!.title, 'Order 7 is there')
  await client.deleteTemplate('order', 'EMAIL', 'german')
  await assert.rejects(client.getTemplate('order', 'EMAIL', 'german'), { status: 404 })
  await client.deleteType('order')
  await assert.rejects(client.getType('order'), { status: 404 })
})

test('the server accepts the user hash', async () => {
  for (const userId of ['amara', 'é', '漢字', 'a:b', 'x'.repeat(255)]) {
    const hash = await client.userHash(userId)
    assert.equal(hash, createHmac('sha256', SECRET).update(userId).digest('base64'))
    const answer = await fetch(`${started.process.base}/${CLIENT}/users/${encodeURIComponent(userId)}`, {
      headers: {
        authorization: `Basic ${Buffer.from(`${CLIENT}:${userId}:${hash}`).toString('base64')}`
      }
    })
    assert.equal(answer.status, 200, await answer.text())
  }
})

test('schedules are listed, read, moved and deleted', async () => {
  const at = (ms: number): string => new Date(Date.now() + ms).toISOString()
  const ids: string[] = []
  for (const hours of [3, 1, 2]) {
    const request = {
      inapp: { title: 'Later' },
      schedule: at(hours * 3_600_000),
      to: { id: 'later' },
      type: 'later'
    }
    ids.push((await client.send(request)).trackingId)
  }
  const first = await client.listSchedules({ count: 2, userId: 'later' })
  assert.deepEqual(
    first.schedules.map(({ trackingId }) => trackingId),
    [ids[1], ids[2]]
  )
  const rest = await client.listSchedules({ count: 2, cursor: first.next!, userId: 'later' })
  assert.deepEqual(
    rest.schedules.map(({ trackingId }) => trackingId),
    [ids[0]]
  )
  const schedule = at(4 * 3_600_000)
  assert.equal(
    (await client.updateSchedule(ids[0]!, { inapp: { title: 'Later still' }, schedule })).schedule,
    schedule
  )
  const moved = await client.getSchedule(ids[0]!)
  assert.equal(moved.schedule, schedule)
  assert.equal(moved.request.inapp!.title, 'Later still')
  await client.deleteSchedule(ids[0]!)
  await assert.rejects(client.getSchedule(ids[0]!), { status: 404 })
  await client.updateSchedule(ids[1]!, { schedule: at(-1000) })
  await until(
    async () => (await client.listInApp('later')).items.length === 1,
    'the schedule that was moved to now is sent'
  )
  await assert.rejects(client.updateSchedule(ids[1]!, { schedule }), { status: 409 })
})

test('the log is searched, page by page, and explained', async () => {
  const ids: string[] = []
  for (const title of ['a', 'b', 'c']) {
    const sent = await client.send({
      inapp: { title },
      sms: { message: title },
      to: { id: 'logged' },
      type: 'logged'
    })
    ids.unshift(sent.trackingId)
  }
  const first = await client.queryLogs({ limit: 2, userFilter: ['logged'] })
  const rest = await client.queryLogs({ cursor: first.next!, limit: 2, userFilter: ['logged'] })
  assert.deepEqual(
    [...first.logs, ...rest.logs].map(({ trackingId }) => trackingId),
    ids
  )
  assert.equal(rest.next, undefined)
  const record = await client.getLog(ids[0]!)
  assert.equal(record.user_id, 'logged')
  assert.deepEqual(first.logs[0], record)
  const { channels } = await client.explain(ids[0]!)
  const states = Object.fromEntries(channels.map(({ channel, state }) => [channel, state]))
  assert.deepEqual(states, { INAPP_WEB: 'sent', SMS: 'discarded' })
  const found = await client.queryLogs({
    requestFilter: ['request.inapp.title = "b"'],
    userFilter: ['logged']
  })
  assert.deepEqual(
    found.logs.map(({ trackingId }) => trackingId),
    [ids[1]]
  )
})

test('preferences and sub-notifications are set, read and deleted', async () => {
  const options = {
    defaultDeliveryOption: 'instant',
    instant: { enabled: true },
    off: { enabled: true }
  } as const
  await client.putType('harbour', {
    options: { EMAIL: options, INAPP_WEB: options },
    templates: { EMAIL: { html: 'x', subject: 'x' }, INAPP_WEB: { title: 'x' } }
  })
  const part = { notificationId: 'harbour', subNotificationId: 'north' }
  await client.createSubNotification({ ...part, title: 'North' })
  const off = { delivery: 'off', notificationId: 'harbour' } as const
  const set = await client.setUserPreferences('chooser', [
    { ...off, channel: 'EMAIL' },
    { ...off, ...part, channel: 'INAPP_WEB' }
  ])
  assert.deepEqual(set, { count: 2, messages: [] })
  const offPreferences = async () => {
    const { preferences, subNotifications } = await client.getUserPreferences('chooser')
    assert.deepEqual(subNotifications, [{ ...part, title: 'North' }])
    return preferences
      .filter(({ delivery }) => delivery === 'off')
      .map(({ channel, subNotificationId }) => `${channel} ${subNotificationId ?? ''}`)
      .toSorted()
  }
  assert.deepEqual(await offPreferences(), ['EMAIL ', 'EMAIL north', 'INAPP_WEB north'])
  await client.updateUserPreferences('chooser', [
    { ...off, channel: 'EMAIL', delivery: null },
    { ...off, channel: 'INAPP_WEB' }
  ])
  assert.deepEqual(await offPreferences(), ['INAPP_WEB ', 'INAPP_WEB north'])
  await client.deleteUserPreferences('chooser', 'harbour', 'north')
  await client.deleteUserPreferences('chooser', 'harbour')
  await client.updateUserPreferences('chooser', [{ ...off, ...part, channel: 'EMAIL' }])
  assert.deepEqual(await offPreferences(), ['EMAIL north'])
  await client.deleteSubNotification(part)
  const changed = await client.updateUserSettings('chooser', {
    channels: { SMS: { on: false } },
    pause: { isOn: true },
    quiet: { from: '21:30', on: true, zone: 'Europe/Amsterdam' }
  })
  assert.deepEqual(changed.channels, { SMS: { on: false } })
  const { pause, quiet } = await client.getUserPreferences('chooser')
  assert.deepEqual({ pause, quiet }, { pause: changed.pause, quiet: changed.quiet })
  assert.deepEqual(pause, { isOn: true, until: null })
  const wrong = [{ ...off, channel: 'INAPP_WEB', delivery: 'weekly' }] as const
  await assert.rejects(client.updateUserPreferences('chooser', wrong), {
    errors: [
      { detail: 'Expected off or instant, because the inbox has no digests.', pointer: '#/0/delivery' }
    ]
  })
})

test('a user is exported and erased', async () => {
  await client.identifyUser({ email: 'leaving@example.com', id: 'leaving' })
  for (const title of ['a', 'b']) {
    await client.send({ inapp: { title }, to: { id: 'leaving' }, type: 'farewell' })
  }
  const rowCounts = new Map<string, number>()
  for await (const { table, row } of client.exportUser('leaving')) {
    rowCounts.set(table, (rowCounts.get(table) ?? 0) + 1)
    if (table === 'users') assert.equal(row['email'], 'leaving@example.com')
  }
  assert.equal(rowCounts.get('users'), 1)
  assert.equal(rowCounts.get('inbox_items'), 2)
  const { erasureId, removed } = await client.eraseUser('leaving')
  assert.deepEqual(removed, Object.fromEntries(rowCounts))
  assert.deepEqual((await client.getErasure(erasureId!)).removed, removed)
  for await (const line of client.exportUser('leaving')) assert.fail(JSON.stringify(line))
  assert.deepEqual((await client.eraseUser('leaving')).removed, {})
})

test('all users are listed, page by page', async () => {
  const wanted = ['list-a', 'list-b', 'list-c', 'list-d', 'list-e']
  for (const id of wanted) await client.identifyUser({ email: `${id}@example.com`, id })
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.listUsers({ count: 2, ...(cursor !== undefined && { cursor }) })
    assert.ok(page.users.length <= 2)
    found.push(...page.users.map(({ id }) => id))
    cursor = page.next
  } while (cursor !== undefined)
  assert.equal(new Set(found).size, found.length)
  assert.deepEqual(found.filter(id => id.startsWith('list-')).toSorted(), wanted)
})
