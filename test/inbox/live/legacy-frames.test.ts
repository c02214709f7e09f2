// Legacy clients on the plain endpoint: their query, their frames, and no frame that they do not know.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'

import { userHash } from '../../../server/http/auth.ts'
import { patchItems } from '../../../server/inbox/patch-items.sql.ts'
import { changePreferences } from '../../../server/users/preferences/preferences.sql.ts'
import { isLockAwaited, testDb } from '../../support/db.ts'
import { until as waitUntil } from '../../support/process.ts'
import { ENV, newItem, userKey, transact } from '../test-items.ts'
import { connectLegacyClient, legacyQuery } from './legacy-client.ts'
import { kitClient, plainClient, SECRET, startNode, until } from './test-node.ts'

test('sends new notifications in the legacy format, and no other frames', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url, { heartbeatMs: 50 })
  await node.send(newItem('ada'))
  const client = await connectLegacyClient(node, 'ada')
  client.send('inapp_web/unread_count')
  await client.frames.route('inapp_web/unread_count')
  const item = newItem('ada', {
    content: {
      parameters: { name: 'x' },
      redirectURL: 'https://a.example/?q={{q}}',
      title: '<b>Tom</b> & {{ name }} &lt; {% raw %} {a}'
    },
    subId: 'thread'
  })
  const { change } = await node.send(item, newItem('ada'))
  const { payload } = await client.frames.route('inapp_web/new_notifications')
  assert.equal(payload.notifications.length, 2)
  assert.deepEqual(payload.notifications[1], {
    date: change.items[0]!.date,
    id: item.id,
    notificationId: 'new_comment',
    parameters: { name: 'x' },
    redirectURL: 'https://a.example/?q=%7B{q}}',
    seen: false,
    subNotificationId: 'thread',
    title: '&lt;b&gt;Tom&lt;/b&gt; & &#123;{ name }} &amp;lt; &#123;% raw %} {a}'
  })
  // A change of the read state is not sent, and heartbeats are pings only.
  const { event } = await transact(node.db, 'ada', tx =>
    patchItems(tx, userKey('ada'), { opened: new Date().toISOString(), trackingIds: 'ALL' })
  )
  node.live.publish([event!])
  await new Promise<void>(resolve => client.socket.once('ping', () => resolve()))
  client.send('inapp_web/unread_count')
  await client.frames.find(({ payload }) => payload.count === 0)
  assert.deepEqual(client.frames.routes(), [
    'inapp_web/unread_count',
    'inapp_web/new_notifications',
    'inapp_web/unread_count'
  ])
  client.close()
})

test('opens a socket after the inbox version was read, so that every later notification is sent', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url)
  const { control } = node.db
  for (const userId of ['newcomer', 'regular']) {
    if (userId === 'regular') await node.send(newItem(userId))
    let opened = false
    const client = await control.begin(async tx => {
      await tx`lock table inbox_counters in access exclusive mode`
      const client = plainClient(node, `/?${legacyQuery(userId)}`)
      client.socket.once('open', () => {
        opened = true
      })
      await waitUntil(() => isLockAwaited(t.db.controlWork), 'a statement waits')
      assert.equal(opened, false, userId)
      return client
    })
    if (!opened) await once(client.socket, 'open')
    const item = newItem(userId)
    await node.send(item)
    const { payload } = await client.frames.route('inapp_web/new_notifications')
    assert.deepEqual(
      payload.notifications.map((notification: { id: string }) => notification.id),
      [item.id]
    )
    client.close()
  }
})

test('answers the frames of a legacy client', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url, { vapidPublicKey: 'BPublicKey' })
  const items = [newItem('ada'), newItem('ada'), newItem('ada')]
  const { change } = await node.send(...items)
  const client = plainClient(node, `/ws?envId=env&${legacyQuery('ada')}`)
  // As soon as the socket is open, before the credentials are checked.
  client.socket.once('open', () => {
    client.send('environment/data')
    client.send('inapp_web/notifications', { before: '', count: 50 })
    client.send('user_preferences/get_preferences')
    client.send('user_preferences/patch_preferences', [{ channelPreferences: [], notificationId: 'x' }])
    client.send('what/is/this')
  })
  assert.deepEqual((await client.frames.route('environment/data')).payload, {
    applicationServerKey: 'BPublicKey',
    askForWebPushPermission: true,
    logo: ''
  })
  const list = await client.frames.route('inapp_web/notifications')
  assert.deepEqual(
    list.payload.notifications.map((item: { id: string }) => item.id),
    items.map(item => item.id).toReversed()
  )
  assert.deepEqual((await client.frames.route('user_preferences/preferences')).payload, {
    userPreferences: []
  })
  client.send('inapp_web/notifications', { before: change.items[1]!.date, count: 1 })
  const page = await client.frames.find(({ payload }) => payload.notifications?.length === 1)
  assert.equal(page.payload.notifications[0].id, items[0]!.id)

  client.send('inapp_web/unread_clear', { notificationId: items[1]!.id })
  await counted(2)
  client.send('inapp_web/unread_clear', { notificationId: 'no id' })
  client.send('inapp_web/unread_clear')
  await counted(0)
  client.close()

  async function counted(count: number): Promise<void> {
    for (;;) {
      const heard = client.frames.all.length
      client.send('inapp_web/unread_count')
      const frame = await client.frames.find(frame => client.frames.all.indexOf(frame) >= heard)
      if (frame.payload.count === count) return
      // Stays below the rate limit of one socket.
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
})

test('fills a requested page if there are more notifications, however large they are', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url, { limits: { pageBytes: 10_000 } })
  const parameters = { text: 'x'.repeat(4_000) }
  await node.send(
    ...Array.from({ length: 8 }, () => newItem('ada', { content: { parameters, title: 'hello' } }))
  )
  const client = await connectLegacyClient(node, 'ada')
  // The client takes a shorter page for the last one.
  client.send('inapp_web/notifications', { count: 7 })
  client.send('inapp_web/notifications', { count: 50 })
  await until(() => client.frames.all.length === 2)
  assert.deepEqual(
    client.frames.all.map(({ payload }) => payload.notifications.length),
    [7, 8]
  )
  client.close()
})

test('answers the frames of one socket in order, and loses none of many', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url)
  await node.send(newItem('ada'))
  const client = await connectLegacyClient(node, 'ada')
  const { control } = node.db
  await control.begin(async tx => {
    await tx`lock table inbox_counters in exclusive mode`
    client.send('inapp_web/unread_clear')
    await waitUntil(() => isLockAwaited(t.db.controlWork), 'a statement waits')
    client.send('inapp_web/unread_count')
    client.socket.ping()
    await once(client.socket, 'pong')
  })
  assert.deepEqual((await client.frames.route('inapp_web/unread_count')).payload, { count: 0 })
  // As a page that saves every switch of its user at once.
  const many = 25
  for (let i = 0; i < many; i++) client.send('inapp_web/notifications', { count: 1 })
  await until(
    () => client.frames.routes().filter(route => route === 'inapp_web/notifications').length === many
  )
  client.close()
})

test('closes the connection of a client that sends far too many frames', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url)
  const client = await connectLegacyClient(node, 'ada')
  for (let i = 0; i < 200; i++) client.send('inapp_web/unread_count')
  assert.equal((await client.closed).code, 1008)
})

test('closes the connection without a valid hash, and sends nothing', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url)
  const hash = userHash(SECRET, 'ada')
  for (const path of [
    '/',
    '/?userId=ada&envId=env',
    `/?userId=ada&envId=env&userIdHash=${encodeURIComponent(userHash(SECRET, 'bob'))}`,
    `/?userId=ada&envId=other&userIdHash=${encodeURIComponent(hash)}`,
    `/?userId=&envId=env&userIdHash=${encodeURIComponent(userHash(SECRET, ''))}`
  ]) {
    const client = plainClient(node, path)
    assert.equal((await client.closed).code, 4401, path)
    assert.deepEqual(client.frames.all, [])
  }
  assert.equal(node.live.connectionCount(), 0)
  // Old releases do not encode the hash: `+` arrives as a space.
  const user = Array.from({ length: 100 }, (_, i) => `user${i}`).find(id =>
    userHash(SECRET, id).includes('+')
  )!
  const old = plainClient(node, `/?userId=${user}&envId=env&userIdHash=${userHash(SECRET, user)}`)
  await until(() => node.live.connectionCount() === 1)
  old.close()
})

test('shows preferences as switches: on keeps its frequency, a wrong frame changes nothing', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url, { limits: { preferences: 3 } })
  const { control } = node.db
  const EMAIL = { daily: { enabled: true }, defaultDeliveryOption: 'daily', instant: { enabled: false } }
  await control`
    insert into notifications (env_id, id, title, channels, settings)
    values (${ENV}, 'news', '<i>News</i> & more', '{EMAIL,INAPP_WEB}', ${control.json({ options: { EMAIL } })})`
  await control`
    insert into sub_notifications (env_id, notification_id, key, id, title)
    values (${ENV}, 'news', 'x', 's1', '<img src=x onerror=alert(1)>')`
  const rows = await transact(node.db, 'ada', tx =>
    changePreferences(tx, userKey('ada'), {
      choices: [
        { channel: 'EMAIL', delivery: 'weekly', notificationId: 'news', subNotificationId: '' },
        { channel: 'INAPP_WEB', delivery: 'off', notificationId: 'news', subNotificationId: 's1' }
      ],
      kind: 'merge'
    })
  )
  assert.equal(rows, 2)
  const client = await connectLegacyClient(node, 'ada')
  const own = kitClient(node, 'ada')
  await own.frames.route('inbox/head')
  const settings = (email: boolean, inApp: boolean) => [
    { channel: 'EMAIL', channelName: 'Email', state: email },
    { channel: 'INAPP_WEB', channelName: 'In-App', state: inApp }
  ]
  client.send('user_preferences/get_preferences')
  assert.deepEqual((await client.frames.route('user_preferences/preferences')).payload, {
    userPreferences: [
      {
        notificationId: 'news',
        settings: settings(true, true),
        subNotificationPreferences: [
          {
            notificationId: 'news',
            settings: settings(true, false),
            subNotificationId: 's1',
            title: '&lt;img src=x onerror=alert(1)&gt;'
          }
        ],
        // The client inserts titles as HTML.
        title: '&lt;i&gt;News&lt;/i&gt; & more'
      }
    ]
  })

  const stored = async (): Promise<string> => {
    const found = await control`
      select string_agg(concat_ws(' ', sub_id, channel, delivery), ', ' order by sub_id, channel) as all
      from preferences where user_id = 'ada'`
    return found[0]!['all'] as string
  }
  const patch = (channel: string, state: unknown, more = {}) =>
    client.send('user_preferences/patch_preferences', [
      { channelPreferences: [{ channel, state }], notificationId: 'news', ...more }
    ])
  const becomes = async (expected: string): Promise<void> => {
    let now = await stored()
    for (let looks = 0; now !== expected && looks < 1000; looks += 1) {
      await new Promise(resolve => setTimeout(resolve, 5))
      now = await stored()
    }
    assert.equal(now, expected)
  }
  patch('EMAIL', true)
  patch('EMAIL', 'yes')
  patch('FAX', false)
  patch('INAPP_WEB', false)
  await becomes(' EMAIL weekly,  INAPP_WEB off, s1 INAPP_WEB off')
  patch('EMAIL', false)
  await becomes(' EMAIL off,  INAPP_WEB off, s1 INAPP_WEB off')
  // Switched on again, it gets the first frequency that the type offers: instant is not offered.
  patch('EMAIL', true)
  patch('INAPP_WEB', true)
  // Exceeds the limit of preferences by one.
  patch('EMAIL', false, { subNotificationId: 's1' })
  patch('INAPP_WEB', true, { subNotificationId: 's1' })
  await becomes(' EMAIL daily,  INAPP_WEB instant, s1 INAPP_WEB instant')
  await own.frames.route('inbox/preferences')
  own.close()
  client.close()
})

test('asks a client to reconnect whose inbox is still being read when the drain begins', async () => {
  await using t = await testDb()
  await using node = await startNode(t.url)
  const client = await t.db.control.begin(async tx => {
    await tx`lock table inbox_counters in access exclusive mode`
    const late = plainClient(node, `/?${legacyQuery('ada')}`)
    await waitUntil(() => isLockAwaited(t.db.controlWork), 'a statement waits')
    await node.live.drain()
    return late
  })
  assert.equal((await client.closed).code, 1012)
})
