// The fields of a send through the real route: the effect of each, and what the answer says about it.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { bucketOf } from '../../server/core/id.ts'
import { asBackEnd, CLIENT, serve } from '../http/serve.ts'
import { testKit, testSender } from './test-context.ts'

interface Answered {
  readonly status: number
  readonly body: {
    readonly trackingId: string
    readonly messages: string[]
    readonly trackingIds: string[]
    readonly errors?: { readonly pointer: string }[]
  }
}

async function door() {
  const served = await serve(db => testSender(testKit(db)).routes)
  const { control } = served.db
  return {
    ...served,
    async decisions(id: string): Promise<unknown> {
      const [row] = await control`select decisions from sends where id = ${id}`
      return row!['decisions']
    },
    async item(id: string): Promise<Readonly<Record<string, unknown>>> {
      const [row] = await control`select content from inbox_items where id = ${id}`
      return row!['content']
    },
    async prefer(userId: string, channel: string, delivery: string): Promise<void> {
      await control`
        insert into preferences (bucket, env_id, user_id, key, notification_id, channel, delivery)
        values (${bucketOf(CLIENT, userId)}, ${CLIENT}, ${userId}, 'x', 'comment', ${channel}, ${delivery})`
    },
    async send(more: object, path = '/sender'): Promise<Answered> {
      const answer = await served.fetch(`/${CLIENT}${path}`, {
        body: JSON.stringify({ to: { id: 'u1' }, type: 'comment', ...more }),
        headers: asBackEnd,
        method: 'POST'
      })
      return { body: (await answer.json()) as Answered['body'], status: answer.status }
    },
    /** `comment`: the inbox is its channel, with a German design; a mail has only the default one. */
    async setUp(): Promise<void> {
      await control`
        insert into notifications (env_id, id, title, channels)
        values (${CLIENT}, 'comment', 'Comment', ${['INAPP_WEB']})`
      for (const [channel, id, content] of [
        ['INAPP_WEB', '', { title: 'Hello {{ name }}' }],
        ['INAPP_WEB', 'de', { title: 'Hallo {{ name }}' }],
        ['EMAIL', '', { html: '<p>{{ name }}</p>', subject: 'S' }]
      ] as const) {
        await control`
          insert into templates (env_id, notification_id, channel, id, content)
          values (${CLIENT}, 'comment', ${channel}, ${id}, ${control.json(content)})`
      }
    }
  }
}

const name = { parameters: { name: 'Ada' } }

test('templateId selects a template; a channel without it uses the default template, with a warning', async () => {
  await using d = await door()
  await d.setUp()
  const german = await d.send({ ...name, templateId: 'de' })
  assert.deepEqual([german.status, german.body.messages], [200, []])
  assert.equal((await d.item(german.body.trackingId))['title'], 'Hallo Ada')
  const french = await d.send({ ...name, templateId: 'fr' })
  assert.equal(french.status, 200)
  assert.match(
    french.body.messages.join(),
    /INAPP_WEB: the template "fr" does not exist, so the default template was used/
  )
  assert.equal((await d.item(french.body.trackingId))['title'], 'Hello Ada')
})

test('forceChannels override the channels of the type, but not preferences', async () => {
  await using d = await door()
  await d.setUp()
  const forceChannels = ['EMAIL', 'EMAIL']
  const to = { email: 'a@b.example', id: 'u1' }
  const forced = await d.send({ ...name, forceChannels, to })
  assert.deepEqual([forced.status, forced.body.messages], [200, []])
  assert.deepEqual(await d.decisions(forced.body.trackingId), { EMAIL: 'sent' })
  await d.prefer('u1', 'EMAIL', 'off')
  const refused = await d.send({ ...name, forceChannels, to })
  assert.equal(refused.status, 202)
  assert.match(refused.body.messages.join(), /EMAIL was discarded: the user has switched this channel off/)
  assert.deepEqual(await d.decisions(refused.body.trackingId), { EMAIL: 'preference-off' })
})

test('replace changes the rendered text, case-sensitively, and not the template', async () => {
  await using d = await door()
  await d.setUp()
  const { body } = await d.send({ ...name, replace: { Ada: 'Grace', hello: 'never' } })
  assert.equal((await d.item(body.trackingId))['title'], 'Hello Grace')
  const after = await d.send(name)
  assert.equal((await d.item(after.body.trackingId))['title'], 'Hello Ada')
})

test('secondaryId means subNotificationId, in a send and in a retraction', async () => {
  await using d = await door()
  await d.setUp()
  const ids: string[] = []
  for (const sub of [{ subNotificationId: 'a' }, { secondaryId: 'a' }, { subNotificationId: 'b' }, {}]) {
    ids.push((await d.send({ ...name, ...sub })).body.trackingId)
  }
  const rows = await d.db.control`select sub_id from inbox_items order by seq`
  assert.deepEqual(
    rows.map(row => row['sub_id']),
    ['a', 'a', 'b', '']
  )
  const retract = async (match: object) =>
    (await d.send({ to: undefined, type: undefined, userId: 'u1', ...match }, '/sender/retract')).body
      .trackingIds
  assert.deepEqual(await retract({ notificationId: 'comment', secondaryId: 'b' }), [ids[2]])
  assert.deepEqual(await retract({ notificationId: 'comment', userId: 'u2' }), [])
  assert.deepEqual(await retract({ notificationId: 'other' }), [])
  const both = await retract({ secondaryId: 'b', subNotificationId: 'a', type: 'comment' })
  assert.deepEqual(both.toSorted(), [ids[0], ids[1]], 'the name of today wins')
  assert.deepEqual(await retract({ notificationId: 'comment' }), [ids[3]])
})

test('a user without an id is identified by the address in any spelling', async () => {
  await using d = await door()
  await d.setUp()
  for (const to of [{ email: 'Ada@B.Example' }, { email: 'ada@b.example' }, { id: 'ada@b.example' }]) {
    assert.equal((await d.send({ ...name, to })).status, 200)
  }
  await d.send({ ...name, to: { number: '(202) 555-0123' } })
  await d.send({ ...name, to: { id: '+12025550123' } })
  const heads = await d.db.control`select user_id, unopened from inbox_counters order by user_id`
  assert.deepEqual(
    heads.map(row => [row['user_id'], row['unopened']]),
    [
      ['+12025550123', 2],
      ['ada@b.example', 3]
    ]
  )
})

test('a send uses stored details where it has none, and does not change them', async () => {
  await using d = await door()
  await d.setUp()
  await d.db.control`
    insert into users (bucket, env_id, id, email) values (${bucketOf(CLIENT, 'u1')}, ${CLIENT}, 'u1', 'kept@b.example')`
  const addresses: unknown[] = []
  for (const to of [
    { id: 'u1' },
    { email: 'now@b.example', id: 'u1' },
    { email: null, id: 'u1' },
    { email: '', id: 'u1' }
  ]) {
    const { body } = await d.send({ ...name, forceChannels: ['EMAIL'], to })
    const [row] = await d.db
      .control`select body ->> 'to' as address from outbox where send_id = ${body.trackingId}`
    addresses.push(row?.['address'])
  }
  assert.deepEqual(addresses, ['kept@b.example', 'now@b.example', 'kept@b.example', 'kept@b.example'])
})

test('warnings say what to do', async () => {
  await using d = await door()
  await d.setUp()
  const { body, status } = await d.send({
    ...name,
    colour: 'red',
    forceChannels: ['INAPP_WEB', 'EMAIL', 'SMS'],
    options: { email: { condition: 'x', colour: 1 } },
    sms: { message: 'x' }
  })
  assert.equal(status, 202)
  assert.deepEqual(body.messages.map(text => /^(?:#[^:]*|[A-Z_]+)/.exec(text)?.[0]).toSorted(), [
    '#/colour',
    '#/options/email/colour',
    'EMAIL',
    'SMS'
  ])
  const mail = await d.send({
    ...name,
    forceChannels: ['EMAIL'],
    options: { email: { condition: 'x' } },
    to: { email: 'a@b.example', id: 'u1' }
  })
  assert.match(mail.body.messages.join(), /EMAIL was discarded: its condition is not met/)
})
