// Preferences over HTTP, and their effect on the next send.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'

import type { Preferences } from '#protocol'

import { bucketOf } from '../../../server/core/id.ts'
import { typeRoutes } from '../../../server/types/route.ts'
import { subNotificationRoutes } from '../../../server/types/sub-notifications/route.ts'
import type { TypeStore } from '../../../server/types/type.ts'
import { changePreferences } from '../../../server/users/preferences/preferences.sql.ts'
import { preferenceRoutes } from '../../../server/users/preferences/route.ts'
import { MAX_PREFERENCES } from '../../../server/users/preferences/schema.ts'
import { asBackEnd, asUser, basic, CLIENT, OTHER, serve, type Served } from '../../http/serve.ts'
import { testKit, testSender, type TestKit } from '../../send/test-context.ts'

let server: Served
let context: TestKit
before(async () => {
  server = await serve(db => {
    context = testKit(db)
    const types = context.types as TypeStore
    return [
      ...preferenceRoutes(context),
      ...subNotificationRoutes(context),
      ...typeRoutes({ renderer: context.renderer, types }),
      ...testSender(context).routes
    ]
  })
  for (const id of ['comment', 'invoice', 'news']) await putType(id, {})
})
after(() => server[Symbol.asyncDispose]())

interface Answered {
  readonly status: number
  readonly json: Record<string, unknown> & { messages?: string[] }
}

async function call(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown
): Promise<Answered> {
  const answer = await server.fetch(`/${CLIENT}/${path}`, {
    headers,
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  return { json: (await answer.json()) as Answered['json'], status: answer.status }
}

/** The preferences of a user without any. */
const NOTHING = {
  channels: {},
  notifications: [],
  pause: { isOn: false, until: null },
  preferences: [],
  quiet: {
    days: [1, 2, 3, 4, 5, 6, 7],
    from: '22:00',
    on: false,
    to: '07:00',
    urgentPasses: true,
    zone: 'UTC'
  },
  subNotifications: [],
  topics: []
}

const putType = async (id: string, more: object): Promise<void> => {
  const templates = { email: { html: 'x', subject: 'x' }, inapp: { title: 'x' } }
  const { status } = await call('PUT', `notifications/${encodeURIComponent(id)}`, asBackEnd, {
    templates,
    title: `Title of ${id}`,
    ...more
  })
  assert.ok(status < 300)
}
const set = (user: string, body: unknown, headers = {}) =>
  call('POST', `user_preferences/${encodeURIComponent(user)}`, { ...asBackEnd, ...headers }, body)
const merge = (user: string, body: unknown) => call('POST', `users/${user}/preferences`, asUser(user), body)
const remove = (user: string, query: string, body?: unknown) =>
  call('DELETE', `users/${user}/preferences${query}`, asUser(user), body)
const matrix = async (user: string): Promise<Preferences> => {
  const { json, status } = await call('GET', `users/${user}/preferences`, asUser(user))
  assert.equal(status, 200)
  return json as unknown as Preferences
}
const rowsOf = async (user: string): Promise<string[]> =>
  (await matrix(user)).preferences.map(row =>
    [row.notificationId, row.subNotificationId ?? '', row.channel, row.delivery].join(' ')
  )
const send = async (user: string, type: string, more = {}): Promise<Answered> =>
  call('POST', 'sender', asBackEnd, { to: { email: 'a@example.com', id: user }, type, ...more })
const decisionsOf = async (user: string, type: string, more = {}): Promise<unknown> => {
  const { json } = await send(user, type, more)
  const [row] = await context.db.control`select decisions from sends where id = ${String(json['trackingId'])}`
  return row!['decisions']
}

test('notifies the pages of the user of each change, but not of rejected or reading requests', async () => {
  const told = async (act: Promise<Answered>): Promise<readonly string[]> => {
    const before = context.chosen.length
    context.woken.clear()
    await act
    const users = context.chosen.slice(before)
    // Waiting digests are revisited as well.
    assert.equal(context.woken.has('DIGEST'), users.length > 0)
    return users
  }
  const off = [{ channel: 'EMAIL', delivery: 'off', notificationId: 'comment' }]
  assert.deepEqual(await told(set('t1', off)), ['t1'])
  assert.deepEqual(await told(merge('t2', off)), ['t2'])
  assert.deepEqual(await told(remove('t2', '?notificationId=comment')), ['t2'])
  assert.deepEqual(await told(merge('t2', [{ delivery: 'often', notificationId: 'comment' }])), [])
  assert.deepEqual(await told(call('GET', 'users/t2/preferences', asUser('t2'))), [])
})

describe('what a back end sets', () => {
  test('replaces all preferences, and the next send uses them', async () => {
    assert.deepEqual(await decisionsOf('b1', 'comment'), { EMAIL: 'sent', INAPP_WEB: 'sent' })
    const first = await set('b1', [
      { channel: 'EMAIL', delivery: 'off', notificationId: 'comment' },
      { channel: 'INAPP_WEB', delivery: 'off', notificationId: 'invoice' }
    ])
    assert.deepEqual(first, { json: { count: 2, messages: [] }, status: 200 })
    assert.deepEqual(await decisionsOf('b1', 'comment'), { EMAIL: 'preference-off', INAPP_WEB: 'sent' })
    await set('b1', { preferences: [{ delivery: 'off', notificationId: 'comment' }] })
    assert.deepEqual(await decisionsOf('b1', 'comment'), {
      EMAIL: 'preference-off',
      INAPP_WEB: 'preference-off'
    })
    assert.deepEqual(await decisionsOf('b1', 'invoice'), { EMAIL: 'sent', INAPP_WEB: 'sent' })
  })

  test('deletes all preferences without a body or with an empty list, but not with an object without a list', async () => {
    for (const body of [undefined, []]) {
      await set('b2', [{ delivery: 'off', notificationId: 'comment' }])
      assert.deepEqual(await rowsOf('b2'), ['comment  EMAIL off', 'comment  INAPP_WEB off'])
      assert.equal((await set('b2', body)).status, 200)
      assert.deepEqual(await rowsOf('b2'), [])
    }
    await set('b2', [{ delivery: 'off', notificationId: 'comment' }])
    assert.equal((await set('b2', {})).status, 422)
    assert.equal((await rowsOf('b2')).length, 2)
  })

  test('accepts the older form with `state`, names in any case, empty texts and nulls', async () => {
    await set('b3', [
      { channel: 'EMAIL', notificationId: 'comment', state: false },
      { channel: 'inapp', delivery: '', notificationId: 'comment', state: true, subNotificationId: '' },
      {
        channel: 'email',
        delivery: 'daily',
        notificationId: 'invoice',
        state: false,
        subNotificationId: null
      }
    ])
    assert.deepEqual(await rowsOf('b3'), [
      'comment  EMAIL off',
      'comment  INAPP_WEB instant',
      'invoice  EMAIL daily',
      'invoice  INAPP_WEB instant'
    ])
  })

  test('names each wrong element and writes nothing', async () => {
    await set('b4', [{ channel: 'EMAIL', delivery: 'off', notificationId: 'comment' }])
    const wrong: [unknown, string[]][] = [
      [[{ delivery: 'off' }], ['#/0/notificationId']],
      [[{ notificationId: 'a' }, { delivery: 'never', notificationId: 'b' }], ['#/1/delivery']],
      [[{ channel: 'FAX', delivery: 'off', notificationId: 'b' }], ['#/0/channel']],
      [[{ channel: 'INAPP_WEB', delivery: 'daily', notificationId: 'b' }], ['#/0/delivery']],
      [
        { preferences: [{ channel: 'inapp', delivery: 'hourly', notificationId: 'b' }] },
        ['#/preferences/0/delivery']
      ],
      [[{ notificationId: 'a', state: 'yes' }], ['#/0/state']],
      [[{ delivery: 'off', notificationId: 'x'.repeat(256) }], ['#/0/notificationId']],
      [[{ delivery: 'off', notificationId: 'a', subNotificationId: 'a\nb' }], ['#/0/subNotificationId']],
      [['comment'], ['#/0']],
      [{ preferences: 'off' }, ['#/preferences']],
      ['off', ['#']],
      [
        Array.from({ length: MAX_PREFERENCES + 1 }, (_, i) => ({ delivery: 'off', notificationId: `t${i}` })),
        ['#']
      ]
    ]
    for (const [body, pointers] of wrong) {
      const { json, status } = await set('b4', body)
      assert.equal(status, 422, JSON.stringify(body))
      const errors = json['errors'] as { pointer: string; detail: string }[]
      assert.deepEqual(
        errors.map(({ pointer }) => pointer),
        pointers,
        JSON.stringify(json)
      )
    }
    assert.deepEqual(await rowsOf('b4'), ['comment  EMAIL off', 'comment  INAPP_WEB instant'])
  })

  test('warns about ignored elements and fields', async () => {
    const { json } = await set('b5', [
      { delivery: 'off', delivry: 'off', notificationId: 'comment' },
      { channel: 'EMAIL', notificationId: 'invoice' }
    ])
    assert.equal(json['count'], 1)
    assert.match(json.messages![0]!, /^#\/0\/delivry:/)
    assert.match(json.messages![1]!, /^#\/1: ignored, because it has no delivery/)
  })

  test('applies a request with an idempotency key once', async () => {
    const key = { 'idempotency-key': randomUUID() }
    await set('b6', [{ delivery: 'off', notificationId: 'comment' }], key)
    await set('b6', [])
    const again = await set('b6', [{ delivery: 'off', notificationId: 'comment' }], key)
    assert.deepEqual(again.json, { count: 1, messages: [] })
    assert.deepEqual(await rowsOf('b6'), [])
  })

  test('stores ids of the maximum length', async () => {
    const long = '😀'.repeat(127)
    const user = '😀'.repeat(255)
    await putType(long, {})
    const path = `notifications/${encodeURIComponent(long)}/subNotifications/${encodeURIComponent(long)}`
    assert.equal((await call('PUT', path, asBackEnd, { title: 'Long' })).status, 201)
    const choice = { channel: 'INAPP_WEB', delivery: 'off', notificationId: long, subNotificationId: long }
    // Random texts, because the size of an index row counts after compression.
    const noise = () =>
      Array.from({ length: 127 }, () =>
        String.fromCodePoint(0x10000 + Math.floor(Math.random() * 60_000))
      ).join('')
    const other = {
      channel: 'WEB_PUSH',
      delivery: 'weekly',
      notificationId: noise(),
      subNotificationId: noise()
    }
    const { json, status } = await set(user, [choice, other])
    assert.equal(status, 200, JSON.stringify(json))
    assert.equal((await set(`${noise()}${noise()}`.slice(0, 500), [other])).status, 200)
    assert.deepEqual(await decisionsOf(user, long), { EMAIL: 'sent', INAPP_WEB: 'sent' })
    const sub = await decisionsOf(user, long, { subNotificationId: long })
    assert.deepEqual(sub, { EMAIL: 'sent', INAPP_WEB: 'preference-off' })
    await call('DELETE', path, asBackEnd)
  })
})

describe('what a user sets', () => {
  test('merges a list or an object with a list, and deletes a preference with null', async () => {
    await merge('u1', [{ channel: 'EMAIL', delivery: 'off', notificationId: 'comment' }])
    await merge('u1', { preferences: [{ channel: 'INAPP_WEB', delivery: 'off', notificationId: 'comment' }] })
    assert.deepEqual(await rowsOf('u1'), ['comment  EMAIL off', 'comment  INAPP_WEB off'])
    await merge('u1', [{ channel: 'EMAIL', delivery: null, notificationId: 'comment' }])
    assert.deepEqual(await rowsOf('u1'), ['comment  EMAIL instant', 'comment  INAPP_WEB off'])
    assert.deepEqual(await decisionsOf('u1', 'comment'), { EMAIL: 'sent', INAPP_WEB: 'preference-off' })
  })

  test('loses no preference of 40 concurrent merges, and does not mix concurrent replacements', async () => {
    const types = Array.from({ length: 40 }, (_, i) => `t${i}`)
    await Promise.all(
      types.map(notificationId => merge('u2', [{ channel: 'EMAIL', delivery: 'off', notificationId }]))
    )
    const [stored] = await context.db.control`select count(*)::int as n from preferences where user_id = 'u2'`
    assert.equal(stored!['n'], 40)
    const whole = (delivery: string, ids: string[]) =>
      ids.map(notificationId => ({ delivery, notificationId }))
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([
        set('u2', whole('off', ['a', 'b', 'd'])),
        set('u2', whole('daily', ['c', 'b', 'a'])),
        set('u2', whole('weekly', ['b']))
      ])
      const rows = await context.db.control`select distinct delivery from preferences where user_id = 'u2'`
      assert.equal(rows.length, 1, JSON.stringify(rows))
    }
  })

  test('limits the preferences of a user', async () => {
    const half = (from: number) =>
      Array.from({ length: MAX_PREFERENCES / 2 }, (_, i) => ({
        delivery: 'off',
        notificationId: `n${from + i}`
      }))
    assert.equal((await merge('u3', half(0))).status, 200)
    assert.equal((await merge('u3', half(MAX_PREFERENCES / 2))).json['count'], MAX_PREFERENCES)
    const { json, status } = await merge('u3', [{ delivery: 'off', notificationId: 'one more' }])
    assert.equal(status, 422)
    assert.match(String(json['message']), /at most 1000 preferences/)
    assert.equal((await merge('u3', half(0))).status, 200)
    // A user with more preferences than a lowered limit may delete some.
    const more = ['one more', 'and one'].map(notificationId => ({
      channel: '' as const,
      delivery: 'off' as const,
      notificationId,
      subNotificationId: ''
    }))
    const user = { bucket: bucketOf(CLIENT, 'u3'), envId: CLIENT, userId: 'u3' }
    await context.db.control.begin(tx => changePreferences(tx, user, { choices: more, kind: 'merge' }))
    assert.deepEqual((await remove('u3', '?notificationId=n0')).json, {
      count: MAX_PREFERENCES + 1,
      messages: []
    })
  })

  test('removes preferences by query or body, with and without a sub-notification, and ignores other fields', async () => {
    const all = [
      { delivery: 'off', notificationId: 'comment' },
      { delivery: 'off', notificationId: 'comment', subNotificationId: 's1' },
      { delivery: 'off', notificationId: 'comment', subNotificationId: 's2' },
      { delivery: 'off', notificationId: 'invoice' }
    ]
    const left = async () =>
      (
        await context.db.control`
        select notification_id || ' ' || sub_id as name from preferences where user_id = 'u4' order by 1`
      ).map(row => row['name'] as string)
    await set('u4', all)
    assert.equal((await remove('u4', '?notificationId=comment&subNotificationId=s1&userId=u4')).status, 200)
    assert.deepEqual(await left(), ['comment ', 'comment s2', 'invoice '])
    assert.equal((await remove('u4', '', { notificationId: 'comment', subNotificationId: 's2' })).status, 200)
    assert.deepEqual(await left(), ['comment ', 'invoice '])
    await set('u4', all)
    assert.deepEqual(await decisionsOf('u4', 'comment'), {
      EMAIL: 'preference-off',
      INAPP_WEB: 'preference-off'
    })
    assert.deepEqual((await remove('u4', '?notificationId=comment')).json, { count: 1, messages: [] })
    assert.deepEqual(await left(), ['invoice '])
    assert.deepEqual(await decisionsOf('u4', 'comment'), { EMAIL: 'sent', INAPP_WEB: 'sent' })
    assert.equal((await remove('u4', '')).status, 422)
    assert.equal((await remove('u4', '?notificationId=invoice', ['x'])).status, 422)
    assert.deepEqual(await left(), ['invoice '])
  })
})

describe('the matrix', () => {
  test('lists sent and chosen topics with effective values and enabled frequencies', async () => {
    await putType('digest', {
      channels: ['email', 'inapp', 'slack'],
      templates: {
        email: { html: 'x', subject: 'x' },
        inapp: { title: 'x' },
        slack: { text: 'x' }
      },
      options: {
        EMAIL: {
          daily: { enabled: true, hour: '9' },
          defaultDeliveryOption: 'daily',
          monthly: { enabled: false }
        }
      },
      title: 'Digest'
    })
    assert.deepEqual(await matrix('m1'), NOTHING)
    await send('m1', 'digest')
    assert.deepEqual(await matrix('m1'), {
      ...NOTHING,
      channels: { EMAIL: { on: true }, INAPP_WEB: { on: true }, SLACK: { on: true } },
      notifications: [
        {
          channels: ['EMAIL', 'INAPP_WEB', 'SLACK'],
          notificationId: 'digest',
          options: {
            EMAIL: {
              daily: { enabled: true, hour: '9' },
              defaultDeliveryOption: 'daily',
              instant: { enabled: true },
              off: { enabled: true }
            },
            INAPP_WEB: {
              defaultDeliveryOption: 'instant',
              instant: { enabled: true },
              off: { enabled: true }
            },
            SLACK: { defaultDeliveryOption: 'instant', instant: { enabled: true }, off: { enabled: true } }
          },
          title: 'Digest'
        }
      ],
      preferences: [
        { channel: 'EMAIL', delivery: 'daily', isInherited: true, notificationId: 'digest' },
        { channel: 'INAPP_WEB', delivery: 'instant', isInherited: true, notificationId: 'digest' },
        { channel: 'SLACK', delivery: 'instant', isInherited: true, notificationId: 'digest' }
      ],
      subNotifications: []
    })
  })

  test('says which rows are not stored, and takes them back as they are', async () => {
    await putType('taken-back', { channels: ['email', 'inapp'] })
    await send('m6', 'taken-back')
    const before = (await matrix('m6')).preferences
    assert.ok(before.length > 1 && before.every(({ isInherited }) => isInherited))
    await merge(
      'm6',
      before.map(({ channel, notificationId }) => ({ channel, delivery: 'off', notificationId }))
    )
    assert.ok((await matrix('m6')).preferences.every(row => row.delivery === 'off' && !row.isInherited))
    assert.deepEqual((await merge('m6', before)).json, { count: 0, messages: [] })
    assert.deepEqual((await matrix('m6')).preferences, before)
    await merge('m6', [{ delivery: 'off', notificationId: 'taken-back' }])
    const whole = (await matrix('m6')).preferences
    assert.ok(
      whole.every(row => row.delivery === 'off' && row.isInherited),
      'stored for the type, not for a channel'
    )
  })

  test('offers the effective frequency, also if the type does not offer it', async () => {
    await putType('must', { options: { EMAIL: { off: { enabled: false } } } })
    const offered = async (): Promise<readonly string[]> => {
      const { notifications } = await matrix('m5')
      return Object.keys(notifications[0]!.options.EMAIL!).filter(key => key !== 'defaultDeliveryOption')
    }
    await send('m5', 'must')
    assert.deepEqual(await offered(), ['instant'])
    for (const delivery of ['daily', 'off']) {
      await merge('m5', [{ channel: 'EMAIL', delivery, notificationId: 'must' }])
      assert.deepEqual((await rowsOf('m5'))[0], `must  EMAIL ${delivery}`)
      assert.deepEqual((await offered()).toSorted(), [delivery, 'instant'].toSorted())
    }
    await merge('m5', [{ channel: 'EMAIL', delivery: null, notificationId: 'must' }])
    assert.deepEqual(await offered(), ['instant'])
  })

  test('lists a scheduled send after its time, and no deleted or disabled type', async () => {
    await send('m2', 'news', { schedule: new Date(Date.now() + 3_600_000).toISOString() })
    assert.deepEqual(await rowsOf('m2'), [])
    await set('m2', [{ delivery: 'off', notificationId: 'never made' }])
    assert.deepEqual(await rowsOf('m2'), [])
    await send('m2', 'news')
    assert.equal((await rowsOf('m2')).length, 2)
    await putType('news', { enabled: false })
    assert.deepEqual(await rowsOf('m2'), [])
  })

  test('belongs to one user and one environment', async () => {
    await set('m3', [{ delivery: 'off', notificationId: 'comment' }])
    const path = `/${CLIENT}/users/m3/preferences`
    assert.equal((await server.fetch(path, { headers: asUser('m4') })).status, 401)
    const other = await server.fetch(`/${OTHER}/users/m3/preferences`, { headers: basic(`${OTHER}:m3`) })
    assert.deepEqual(await other.json(), NOTHING)
    assert.equal((await server.fetch(path, { headers: asBackEnd })).status, 200)
  })
})

describe('sub-notifications', () => {
  const sub = (method: string, type: string, id: string, body?: unknown) =>
    call(method, `notifications/${type}/subNotifications/${encodeURIComponent(id)}`, asBackEnd, body)

  test('have a title, and are listed for users who got or chose them', async () => {
    assert.equal((await sub('PUT', 'comment', 'p/1', { title: 'Pier' })).status, 201)
    assert.deepEqual(await sub('PUT', 'comment', 'p/1', { title: 'The pier' }), {
      json: { notificationId: 'comment', subNotificationId: 'p/1', title: 'The pier' },
      status: 200
    })
    await sub('PUT', 'comment', 'p2', { title: 'Harbour' })
    await send('s1', 'comment', { subNotificationId: 'p/1' })
    await send('s1', 'comment', { subNotificationId: 'a post that nobody named' })
    assert.deepEqual((await matrix('s1')).subNotifications, [
      { notificationId: 'comment', subNotificationId: 'p/1', title: 'The pier' }
    ])
    await merge('s1', [
      { channel: 'EMAIL', delivery: 'off', notificationId: 'comment', subNotificationId: 'p/1' }
    ])
    assert.deepEqual(await rowsOf('s1'), [
      'comment  EMAIL instant',
      'comment p/1 EMAIL off',
      'comment  INAPP_WEB instant',
      'comment p/1 INAPP_WEB instant'
    ])
    await send('s2', 'comment')
    assert.deepEqual((await matrix('s2')).subNotifications, [])
    // A preference for one is listed even without a title.
    await merge('s2', [{ delivery: 'off', notificationId: 'comment', subNotificationId: 'x' }])
    assert.deepEqual((await matrix('s2')).subNotifications, [
      { notificationId: 'comment', subNotificationId: 'x', title: 'X' }
    ])
    assert.equal((await sub('DELETE', 'comment', 'p/1')).status, 200)
    assert.equal((await sub('DELETE', 'comment', 'p/1')).status, 404)
  })

  test('need a type, a title and an id', async () => {
    assert.match(String((await sub('PUT', 'nothing', 'a', { title: 'A' })).json['detail']), /"nothing"/)
    assert.equal((await sub('PUT', 'nothing', 'a', { title: 'A' })).status, 404)
    assert.equal((await sub('DELETE', 'nothing', 'a')).status, 404)
    assert.equal((await sub('PUT', 'comment', 'a', {})).status, 422)
    assert.equal((await sub('PUT', 'comment', 'a', { title: 'a\nb' })).status, 422)
    assert.equal((await sub('PUT', 'comment', 'x'.repeat(256), { title: 'A' })).status, 400)
  })
})
