// Throttling and de-duplication through the real route: exact over parallel sends, groups and nodes.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { databaseTime } from '../../../server/db/database-clock.ts'
import type { Route } from '../../../server/http/route.ts'
import {
  deleteOldGates,
  lockGates,
  type GateKey
} from '../../../server/send/rate-control/rate-control.sql.ts'
import { parseTypeFile } from '../../../server/types/file.ts'
import { typeRoutes } from '../../../server/types/route.ts'
import { openTypes } from '../../../server/types/types.sql.ts'
import { asBackEnd, CLIENT, serve } from '../../http/serve.ts'
import { someoneWaits, testDb } from '../../support/db.ts'
import { until } from '../../support/process.ts'
import { scheduling } from '../schedule/schedule-server.ts'
import { PROVIDERS, testKit, testSender } from '../test-context.ts'

interface Sent {
  readonly status: number
  readonly body: { readonly trackingId: string; readonly messages: string[] }
}

/** Two nodes, each with its caches and groups, over one database; the second one listens at `/b`. */
async function nodes() {
  const kits: ReturnType<typeof testKit>[] = []
  const served = await serve(db => {
    const context = testKit(db)
    kits.push(context, testKit(db))
    const second = testSender(kits[1]!, PROVIDERS, { batch: { size: 7 } }).routes.find(
      ({ path }) => path === '/:clientId/sender'
    )!
    const moved: Route = { handle: second.handle, method: 'POST', path: '/:clientId/b', who: 'back-end' }
    const types = typeRoutes({ renderer: context.renderer, types: openTypes(db, context.log) })
    return [...testSender(context, PROVIDERS, { batch: { size: 13 } }).routes, moved, ...types]
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
      const made = await ask('PUT', '/notifications/t', {
        templates: { inapp: { title: '{{ n }}' } },
        ...settings
      })
      assert.ok(made.status < 300, JSON.stringify(made.body))
      for (const context of kits) context.types.forget(CLIENT)
    },
    send: (body: object, node = 0, headers = {}) =>
      ask('POST', node === 0 ? '/sender' : '/b', { to: { id: 'u1' }, type: 't', ...body }, headers)
  }
}

const through = (answers: readonly Sent[]): number => answers.filter(({ status }) => status === 200).length

test('200 parallel sends over two nodes: exactly as many as the throttle lets through', async () => {
  await using s = await nodes()
  await s.putType({ throttling: { max: 17, period: 1, unit: 'hours' } })
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => s.send({ parameters: { n } }, n % 2))
  )
  assert.equal(through(answers), 17)
  for (const { body, status } of answers) {
    assert.ok(status === 200 || status === 202)
    if (status === 202) assert.match(body.messages.join(), /INAPP_WEB was discarded: .*"t" is throttled/)
  }
  const [row] = await s.db.control`
    select (select count(*)::int from inbox_items) as items, (select unopened from inbox_heads) as unopened,
      (select count(*)::int from sends) as sends,
      (select count(*)::int from sends where decisions ->> 'INAPP_WEB' = 'throttled'
        and warnings::text like '%throttled%') as throttled`
  assert.deepEqual({ ...row }, { items: 17, sends: 200, throttled: 183, unopened: 17 })

  // Another user has an own gate.
  assert.equal((await s.send({ to: { id: 'u2' } })).status, 200)
  // The stretch slides: as many come through as have left it.
  await s.db.control`
    update gates set passed = (select jsonb_agg(case when i <= 5 then ms::bigint - 3600000 else ms::bigint end)
      from jsonb_array_elements_text(passed) with ordinality as p(ms, i)) where user_id = 'u1'`
  const more = await Promise.all(Array.from({ length: 20 }, (_, n) => s.send({ parameters: { n } }, n % 2)))
  assert.equal(through(more), 5)
})

test('200 parallel sends over two nodes: each content once', async () => {
  await using s = await nodes()
  await s.putType({ deduplication: { duration: 600 } })
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => s.send({ parameters: { n: n % 8 } }, Math.floor(n / 8) % 2))
  )
  assert.equal(through(answers), 8)
  const titles = await s.db.control`select content ->> 'title' as title from inbox_items order by 1`
  assert.deepEqual(
    titles.map(row => row['title']),
    ['0', '1', '2', '3', '4', '5', '6', '7']
  )
  const again = await s.send({ parameters: { n: 0 } })
  assert.equal(again.status, 202)
  assert.match(again.body.messages.join(), /the same was sent to this user a short time ago/)
  const [log] = await s.db.control`select decisions from sends where id = ${again.body.trackingId}`
  assert.deepEqual(log!['decisions'], { INAPP_WEB: 'deduplicated' })
  await s.db.control`update gates set passed = jsonb_build_array((passed ->> 0)::bigint - 600000)`
  assert.equal((await s.send({ parameters: { n: 0 } })).status, 200)
})

test('a duplicate uses up no throttle, and what is throttled is no duplicate later', async () => {
  await using s = await nodes()
  await s.putType({ deduplication: { duration: 600 }, throttling: { forever: true, max: 2 } })
  const said = async (n: number) => (await s.send({ parameters: { n } })).body.messages.join()
  assert.equal(await said(1), '')
  assert.match(await said(1), /the same/)
  assert.equal(await said(2), '')
  assert.match(await said(3), /throttled/)
  await s.putType({ deduplication: { duration: 600 }, throttling: { forever: true, max: 3 } })
  assert.equal(await said(3), '', 'it was never sent')
  assert.match(await said(4), /throttled/)
})

test('a send that goes nowhere passes no gate', async () => {
  await using s = await nodes()
  await s.putType({ throttling: { forever: true, max: 1 } })
  assert.equal((await s.send({ forceChannels: ['EMAIL'] })).status, 202)
  assert.equal((await s.send({})).status, 200)
  assert.equal((await s.send({})).status, 202)
  const { trackingId } = (await s.send({ forceChannels: ['EMAIL', 'INAPP_WEB'] })).body
  const [held] = await s.db.control`select decisions from sends where id = ${trackingId}`
  assert.deepEqual(held!['decisions'], { EMAIL: 'no-template', INAPP_WEB: 'throttled' })
})

test(
  'who asks for the same gates in another order waits, and neither fails',
  { timeout: 30_000 },
  async () => {
    await using t = await testDb()
    const [first, second] = ['a', 'b'].map((print): GateKey => ({
      bucket: 1,
      envId: 'e',
      notificationId: 't',
      print,
      userId: 'u'
    })) as [GateKey, GateKey]
    const { sql, work } = t.db.groups[0]!
    const { other, until: held } = await sql.begin(async tx => {
      await lockGates(tx, [first])
      const other = work.begin(tx => lockGates(tx, [second, first]))
      await until(() => someoneWaits(t.db.control), 'it waits')
      await lockGates(tx, [second])
      return { other, until: await databaseTime(tx) }
    })
    const states = await other
    assert.equal(states.length, 2)
    assert.ok(
      states.every(({ at }) => at >= Math.floor(held)),
      'its time is when the lock was had'
    )
  }
)

test('a repeated request gets its answer, and passes no gate again', async () => {
  await using s = await nodes()
  await s.putType({ throttling: { forever: true, max: 2 } })
  const headers = { 'idempotency-key': 'k' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => s.send({}, 0, headers)))
  assert.equal(new Set(answers.map(({ body }) => body.trackingId)).size, 1)
  assert.equal(through(answers), 20)
  assert.equal((await s.send({})).status, 200)
  const late = await s.send({}, 0, { 'idempotency-key': 'l' })
  assert.equal(late.status, 202)
  assert.deepEqual(await s.send({}, 0, { 'idempotency-key': 'l' }), late)
})

test('types that ask for neither never touch the gates', async () => {
  await using s = await nodes()
  await s.putType({})
  await s.db.control`drop table gates`
  const answers = await Promise.all(Array.from({ length: 40 }, () => s.send({})))
  assert.equal(through(answers), 40)
  await s.putType({ throttling: { forever: true, max: 1 } })
  assert.equal((await s.send({})).status, 500, 'and those that do, do')
})

test('a schedule passes its gates when its time comes', async () => {
  await using s = await scheduling()
  await s.db.control`
    insert into notifications (env_id, id, title, channels, settings)
    values (${CLIENT}, 't', 't', ${['INAPP_WEB']}, ${s.db.control.json({ throttling: { forever: true, max: 2 } })})`
  const body = { inapp: { title: 'x' }, to: { id: 'u1' }, type: 't' }
  const ids: string[] = []
  for (let i = 0; i < 4; i++) ids.push(await s.later(body))
  assert.equal((await s.db.control`select 1 from gates`).length, 0)
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

test('house-keeping forgets only what counts no more', async () => {
  await using s = await nodes()
  await s.putType({ deduplication: { duration: 600 } })
  await s.send({ parameters: { n: 1 } })
  await s.send({ parameters: { n: 2 } })
  await s.putType({ throttling: { forever: true, max: 1 } })
  await s.send({})
  const [group] = s.db.groups
  assert.equal(await deleteOldGates(group!), 0)
  await s.db.control`update gates set until = until - interval '601 seconds'`
  assert.equal(await deleteOldGates(group!), 2)
  assert.equal((await s.send({})).status, 202, 'for ever is for ever')
})

test('a type says clearly what its rules may be', async () => {
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
  const made = await s.ask('PUT', '/notifications/x', { ...rules, templates: { inapp: { title: 'x' } } })
  assert.equal(made.status, 201)
  const { deduplication, throttling } = made.body as unknown as typeof rules
  assert.deepEqual({ deduplication, throttling }, rules)
  assert.equal(
    (await s.ask('PUT', '/notifications/x', made.body)).status,
    200,
    'what was read is written back'
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
