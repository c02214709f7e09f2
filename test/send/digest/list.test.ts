// The list of digests that wait: by their time, in pages, with their items, of one environment.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { typeSettings } from '../../../server/types/type.ts'
import { basic, CLIENT, OTHER, OTHER_SECRET } from '../../http/serve.ts'
import { openDesk, type Json } from '../../logs/log-server.ts'

const DAILY = { daily: { enabled: true, hour: 9 }, instant: { enabled: true }, off: { enabled: true } }

interface Digest {
  readonly id: string
  readonly userId: string
  readonly type: string
  readonly channel: string
  readonly sendsAt: string
  readonly items: { readonly count: number; readonly isAtLeast: boolean }
}

test('lists every digest once, the next first, with its items', async () => {
  await using desk = await openDesk()
  const settings = typeSettings.parse({ options: { EMAIL: { ...DAILY, defaultDeliveryOption: 'daily' } } })
  await desk.context.types.put(CLIENT, [{ channels: ['EMAIL'], id: 'news', settings, title: 'News' }])
  const send = (user: string) =>
    desk.send({
      email: { html: '<p>x</p>', subject: 'S' },
      to: { email: `${user}@b.example`, id: user },
      type: 'news'
    })
  for (const user of ['u1', 'u2', 'u3', 'u4', 'u5', 'u1', 'u1']) await send(user)
  const days = ['u3', 'u1', 'u5', 'u2', 'u4']
  for (const [i, user] of days.entries())
    await desk.db.control`
      update outbox set run_at = now() + ${i + 1} * interval '1 hour',
        body = body || jsonb_build_object('dueAt', 1900000000000 + ${i}::int)
      where queue = 'DIGEST' and user_id = ${user}`
  const read = async (query: string) => {
    const { body, status } = await desk.ask('GET', `/${CLIENT}/digests?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body as unknown as { digests: readonly Digest[]; next?: string }
  }
  const all = await read('')
  assert.deepEqual(
    all.digests.map(({ items, userId }) => [userId, items.count]),
    [
      ['u3', 1],
      ['u1', 3],
      ['u5', 1],
      ['u2', 1],
      ['u4', 1]
    ]
  )
  const { id: _, ...second } = all.digests[1]!
  assert.deepEqual(second, {
    channel: 'EMAIL',
    items: { count: 3, isAtLeast: false },
    sendsAt: new Date(1_900_000_000_001).toISOString(),
    type: 'news',
    userId: 'u1'
  })
  assert.equal(all.next, undefined)
  const pages: string[] = []
  for (let next: string | undefined = ''; next !== undefined;) {
    const page: Awaited<ReturnType<typeof read>> = await read(`count=2${next && `&cursor=${next}`}`)
    assert.ok(page.digests.length <= 2)
    pages.push(...page.digests.map(({ userId }) => userId))
    next = page.next
  }
  assert.deepEqual(pages, days)
  const other: { body: Json } = await desk.ask(
    'GET',
    `/${OTHER}/digests`,
    undefined,
    basic(`${OTHER}:${OTHER_SECRET}`)
  )
  assert.deepEqual(other.body['digests'], [])
})

test('counts the items of a large digest up to a limit', async () => {
  await using desk = await openDesk()
  await desk.db.control`
    insert into outbox (bucket, id, queue, env_id, user_id, key, body)
    values (3, gen_random_uuid(), 'DIGEST', ${CLIENT}, 'u', 'k', '{"notificationId":"t","channel":"EMAIL","dueAt":1900000000000}')`
  await desk.db.control`
    insert into digest_items (bucket, key, id, env_id, user_id, notification_id, channel, item)
    select 3, 'k', gen_random_uuid(), ${CLIENT}, 'u', 't', 'EMAIL', '{}' from generate_series(1, 1001)`
  const { body } = await desk.ask('GET', `/${CLIENT}/digests`)
  assert.deepEqual((body['digests'] as readonly Digest[])[0]!.items, { count: 1000, isAtLeast: true })
})
