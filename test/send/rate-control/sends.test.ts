// Throttling and deduplication through the real route: exact for parallel sends, batches and nodes.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readDatabaseTime } from '../../../server/db/database-clock.ts'
import type { Route } from '../../../server/http/route.ts'
import {
  deleteExpiredRateCounters,
  lockRateCounters,
  type RateCounterKey
} from '../../../server/send/rate-control/rate-control.sql.ts'
import { parseTypeFile } from '../../../server/types/parse-types-file.ts'
import { typeRoutes } from '../../../server/types/route.ts'
import { openTypes } from '../../../server/types/types.sql.ts'
import { asBackEnd, CLIENT, serve } from '../../http/serve.ts'
import { isLockAwaited, testDb } from '../../support/db.ts'
import { until } from '../../support/process.ts'
import { scheduling } from '../schedule/schedule-server.ts'
import { PROVIDERS, testKit, testSender } from '../test-context.ts'

interface Sent {
  readonly status: number
  readonly body: { readonly trackingId: string; readonly messages: string[] }
}

/** Two nodes with their own caches and batches over one database; the second one listens at `/b`. */
async function nodes() {
  const kits: ReturnType<typeof testKit>[] = []
  const served = await serve(db => {
    const context = testKit(db)
    kits.push(context, testKit(db))
    const second = testSender(kits[1]!, PROVIDERS, { batch: { maxBatchSize: 7 } }).routes.find(
      ({ path }) => path === '/:clientId/sender'
    )!
    const moved: Route = { handle: second.handle, method: 'POST', path: '/:clientId/b', access: 'back-end' }
    const types = typeRoutes({ renderer: context.renderer, types: openTypes(db, context.log) })
    return [...testSender(context, PROVIDERS, { batch: { maxBatchSize: 13 } }).routes, moved, ...types]
  })
  const ask = async (method: string, path: string, body: unknown, headers = {}): Promise<Sent> => {
    const answer = await served.fetch(`/${CLIENT}${path}`, {
      body: JSON.stringify(body),
      headers: { ...asBackEnd, ...headers },
      method
    })
    return { body: (await answer.json()) as Sent['body'], status: answer.status }
  }
  return {
    ...served,
    ask,
    async putType(settings: object) {
      const answer = await ask('PUT', '/notifications/t', {
        templates: { inapp: { title: '{{ n }}' } },
        ...settings
      })
      assert.ok(answer.status < 300, JSON.stringify(answer.body))
      for (const context of kits) context.types.forget(CLIENT)
    },
    send: (body: object, node = 0, headers = {}) =>
      ask('POST', node === 0 ? '/sender' : '/b', { to: { id: 'u1' }, type: 't', ...body }, headers)
  }
}

const countSent = (answers: readonly Sent[]): number => answers.filter(({ status }) => status === 200).length

test('throttling lets exactly its limit of 200 parallel sends over two nodes pass', async () => {
  await using s = await nodes()
  await s.putType({ throttling: { max: 17, period: 1, unit: 'hours' } })
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => s.send({ parameters: { n } }, n % 2))
  )
  assert.equal(countSent(answers), 17)
  for (const { body, status } of answers) {
    assert.ok(status === 200 || status === 202)
    if (status === 202) assert.match(body.messages.join(), /INAPP_WEB was discarded: .*"t" is throttled/)
  }
  const [row] = await s.db.control`
    select (select count(*)::int from inbox_items) as items, (select unopened from inbox_counters) as unopened,
      (select count(*)::int from sends) as sends,
      (select count(*)::int from sends where decisions ->> 'INAPP_WEB' = 'throttled'
        and warnings::text like '%throttled%') as throttled`
  assert.deepEqual({ ...row }, { items: 17, sends: 200, throttled: 183, unopened: 17 })

  // Another user has a counter of its own.
  assert.equal((await s.send({ to: { id: 'u2' } })).status, 200)
  // The window slides: as many sends pass as have left it.
  await s.db.control`
    update rate_counters set sent_at = (select jsonb_agg(case when i <= 5 then ms::bigint - 3600000 else ms::bigint end)
      from jsonb_array_elements_text(sent_at) with ordinality as p(ms, i)) where user_id = 'u1'`
  const more = await Promise.all(Array.from({ length: 20 }, (_, n) => s.send({ parameters: { n } }, n % 2)))
  assert.equal(countSent(more), 5)
})

test('deduplication sends each content of 200 parallel sends over two nodes once', async () => {
  await using s = await nodes()
  await s.putType({ deduplication: { duration: 600 } })
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => s.send({ parameters: { n: n % 8 } }, Math.floor(n / 8) % 2))
  )
  assert.equal(countSent(answers), 8)
  const titles = await s.db.control`select content ->> 'title' as title from inbox_items order by 1`
  assert.deepEqual(
    titles.map(row => row['title']),
    ['0', '1', '2', '3', '4', '5', '6', '7']
  )
  const again = await s.send({ parameters: { n: 0 } })
  assert.equal(again.status, 202)
  assert.match(again.body.messages.join(), /the same content was sent to this user recently/)
  const [log] = await s.db.control`select decisions from sends where id = ${again.body.trackingId}`
  assert.deepEqual(log!['decisions'], { INAPP_WEB: 'deduplicated' })
  const [first] = await s.db.control<{ at: number }[]>`
    select min((sent_at ->> 0)::bigint) as at from rate_counters`
  await s.db.control`update rate_counters set sent_at = ${s.db.control.json([first!.at - 600_000])}`
  assert.equal((await s.send({ parameters: { n: 0 } })).status, 200)
})

test('a duplicate does not count for throttling, and a throttled send is not a duplicate later', async () => {
  await using s = await nodes()
  await s.putType({ deduplication: { duration: 600 }, throttling: { forever: true, max: 2 } })
  const messages = async (n: number) => (await s.send({ parameters: { n } })).body.messages.join()
  assert.equal(await messages(1), '')
  assert.match(await messages(1), /the same content/)
  assert.equal(await messages(2), '')
  assert.match(await messages(3), /throttled/)
  await s.putType({ deduplication: { duration: 600 }, throttling: { forever: true, max: 3 } })
  assert.equal(await messages(3), '', 'it was never sent')
  assert.match(await messages(4), /throttled/)
})

test('a send without an outgoing channel does not count', async () => {
  await using s = await nodes()
  await s.putType({ throttling: { forever: true, max: 1 } })
  assert.equal((await s.send({ forceChannels: ['EMAIL'] })).status, 202)
  assert.equal((await s.send({})).status, 200)
  assert.equal((await s.send({})).status, 202)
  const { trackingId } = (await s.send({ forceChannels: ['EMAIL', 'INAPP_WEB'] })).body
  const [suppressed] = await s.db.control`select decisions from sends where id = ${trackingId}`
  assert.deepEqual(suppressed!['decisions'], { EMAIL: 'no-template', INAPP_WEB: 'throttled' })
})

test(
  'two transactions with the same counters in different orders do not deadlock',
  { timeout: 30_000 },
  async () => {
    await using t = await testDb()
    const [first, second] = ['a', 'b'].map((contentHash): RateCounterKey => ({
      bucket: 1,
      contentHash,
      envId: 'e',
      notificationId: 't',
      userId: 'u'
    })) as [RateCounterKey, RateCounterKey]
    const { sql, work } = t.db.groups[0]!
    const { other, releasedAt } = await sql.begin(async tx => {
      await lockRateCounters(tx, [first])
      const other = work.begin(tx => lockRateCounters(tx, [second, first]))
      await until(() => isLockAwaited(t.db.control), 'the other transaction waits')
      await lockRateCounters(tx, [second])
      return { other, releasedAt: await readDatabaseTime(tx) }
    })
    const counters = await other
    assert.equal(counters.length, 2)
    assert.ok(
      counters.every(({ now }) => now >= Math.floor(releasedAt)),
      'now is the time of the lock'
    )
  }
)

test('a repeated request gets its stored answer and does not count again', async () => {
  await using s = await nodes()
  await s.putType({ throttling: { forever: true, max: 2 } })
  const headers = { 'idempotency-key': 'k' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => s.send({}, 0, headers)))
  assert.equal(new Set(answers.map(({ body }) => body.trackingId)).size, 1)
  assert.equal(countSent(answers), 20)
  assert.equal((await s.send({})).status, 200)
  const late = await s.send({}, 0, { 'idempotency-key': 'l' })
  assert.equal(late.status, 202)
  assert.deepEqual(await s.send({}, 0, { 'idempotency-key': 'l' }), late)
})

test('sends of types without rules do not touch the counters', async () => {
  await using s = await nodes()
  await s.putType({})
  await s.db.control`drop table rate_counters`
  const answers = await Promise.all(Array.from({ length: 40 }, () => s.send({})))
  assert.equal(countSent(answers), 40)
  await s.putType({ throttling: { forever: true, max: 1 } })
  assert.equal((await s.send({})).status, 500, 'sends of types with rules do')
})

test('rate control applies to a schedule when its time comes', async () => {
  await using s = await scheduling()
  await s.db.control`
    insert into notifications (env_id, id, title, channels, settings)
    values (${CLIENT}, 't', 't', ${['INAPP_WEB']}, ${s.db.control.json({ throttling: { forever: true, max: 2 } })})`
  const body = { inapp: { title: 'x' }, to: { id: 'u1' }, type: 't' }
  const ids: string[] = []
  for (let i = 0; i < 4; i++) ids.push(await s.later(body))
  assert.equal((await s.db.control`select 1 from rate_counters`).length, 0)
  assert.equal((await s.ask('POST', '/sender', body)).status, 200)
  for (const id of ids) await s.runQueue(await s.claimNow(id))
  const sends = await s.db.control`
    select decisions ->> 'INAPP_WEB' as decision, warnings from sends where id = any(${ids}::uuid[]) order by id`
  assert.deepEqual(
    sends.map(row => row['decision']),
    ['sent', 'throttled', 'throttled', 'throttled']
  )
  assert.match(sends[1]!['warnings'].join(), /throttled/)
  const [row] = await s.db.control`
    select (select count(*)::int from inbox_items) as items, (select count(*)::int from outbox) as waiting`
  assert.deepEqual({ ...row }, { items: 2, waiting: 0 })
})

test('housekeeping deletes only counters that have expired', async () => {
  await using s = await nodes()
  await s.putType({ deduplication: { duration: 600 } })
  await s.send({ parameters: { n: 1 } })
  await s.send({ parameters: { n: 2 } })
  await s.putType({ throttling: { forever: true, max: 1 } })
  await s.send({})
  const [group] = s.db.groups
  assert.equal(await deleteExpiredRateCounters(group!), 0)
  await s.db.control`update rate_counters set expires_at = now() where expires_at < now() + interval '1 hour'`
  assert.equal(await deleteExpiredRateCounters(group!), 2)
  assert.equal((await s.send({})).status, 202, 'a counter without an expiry stays')
})

test('wrong rules of a type are refused with the pointer of the field', async () => {
  await using s = await nodes()
  const wrong: readonly (readonly [object, string])[] = [
    [{ throttling: { max: 0, forever: true } }, '#/throttling/max'],
    [{ throttling: { max: 1001, forever: true } }, '#/throttling/max'],
    [{ throttling: { max: 1.5, forever: true } }, '#/throttling/max'],
    [{ throttling: { forever: true } }, '#/throttling/max'],
    [{ throttling: { max: 1 } }, '#/throttling/period'],
    [{ throttling: { max: 1, period: 1 } }, '#/throttling/unit'],
    [{ throttling: { max: 1, period: 0, unit: 'days' } }, '#/throttling/period'],
    [{ throttling: { max: 1, period: 1, unit: 'weeks' } }, '#/throttling/unit'],
    [{ throttling: { max: 1, forever: true, scope: ['notificationId'] } }, '#/throttling/scope'],
    [{ throttling: { max: 1, forever: true, every: 2 } }, '#/throttling/every'],
    [{ deduplication: {} }, '#/deduplication/duration'],
    [{ deduplication: { duration: 0 } }, '#/deduplication/duration'],
    [{ deduplication: { duration: '60' } }, '#/deduplication/duration'],
    [{ deduplication: 60 }, '#/deduplication']
  ]
  for (const [settings, pointer] of wrong) {
    const { body, status } = await s.ask('PUT', '/notifications/x', settings)
    const { errors } = body as unknown as { errors: { pointer: string }[] }
    assert.deepEqual([status, errors[0]!.pointer], [422, pointer], JSON.stringify(body))
  }
  const rules = {
    deduplication: { duration: 60 },
    throttling: { forever: false, max: 3, period: 2, scope: ['userId', 'notificationId'], unit: 'months' }
  }
  const created = await s.ask('PUT', '/notifications/x', { ...rules, templates: { inapp: { title: 'x' } } })
  assert.equal(created.status, 201)
  const { deduplication, throttling } = created.body as unknown as typeof rules
  assert.deepEqual({ deduplication, throttling }, rules)
  assert.equal(
    (await s.ask('PUT', '/notifications/x', created.body)).status,
    200,
    'an answer can be sent back as it is'
  )
})

test('a type file takes the same rules, and names the line of a wrong one', () => {
  const text = (unit: string) =>
    `deduplication: { duration: 60 }\nthrottling:\n  max: 3\n  period: 1\n  unit: ${unit}\ntemplates:\n  inapp: { title: x }\n`
  const { faults, types } = parseTypeFile('t.yaml', text('hours'), { check: () => [] })
  assert.deepEqual(faults, [])
  const { deduplication, throttling } = types[0]!.settings
  assert.deepEqual(
    { deduplication, throttling },
    { deduplication: { duration: 60 }, throttling: { max: 3, period: 1, unit: 'hours' } }
  )
  const wrong = parseTypeFile('t.yaml', text('weeks'), { check: () => [] })
  assert.deepEqual(
    wrong.faults.map(({ line }) => line),
    [5]
  )
})
