// A change or deletion that races with the send happens before it or after it, never in part.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { random } from '../../support/random.ts'
import { at, HOUR, scheduling } from './schedule-server.ts'

const RACES = 200
const send = { inapp: { title: 'first' }, to: { id: 'u1' }, type: 't' }

test('200 races of changes and deletions with the claimed row', async t => {
  await using s = await scheduling()
  const next = random()
  t.diagnostic(`seed ${next.seed}`)
  const seen = new Map<string, number>()
  for (let race = 0; race < RACES; race++) {
    const id = await s.later(send)
    const deletes = next(2) === 0
    const ask = () =>
      deletes
        ? s.ask('DELETE', `/schedule/${id}`)
        : s.ask('PATCH', `/schedule/${id}`, { inapp: { title: 'second' }, schedule: at(HOUR) })
    const order = next(5)
    // The row is claimed first, because without a claim there is no race.
    const rows = await s.claimNow(id)
    const run = () => s.runQueue(rows)
    const pause = async () => {
      for (let turn = next(60); turn > 0; turn--) await new Promise(setImmediate)
    }
    const [answer] =
      order === 0
        ? [await ask(), await run()]
        : order === 1
          ? [await run().then(ask)]
          : order === 2
            ? await Promise.all([pause().then(ask), run()])
            : await Promise.all([ask(), pause().then(run)])

    const [row] = await s.db.control`
      select (select content ->> 'title' from inbox_items where id = ${id}) as item,
        (select body -> 'send' -> 'inapp' ->> 'title' from outbox where id = ${id}) as waits,
        (select leased from outbox where id = ${id}) as leased,
        (select decisions ->> 'INAPP_WEB' from sends where id = ${id}) as decision`
    const state = { ...row }
    const what = `race ${race}, order ${order}: ${answer.status} ${JSON.stringify(state)}`
    if (answer.status === 409) {
      assert.deepEqual(state, { decision: 'sent', item: 'first', leased: null, waits: null }, what)
    } else {
      assert.equal(answer.status, 200, what)
      const expected = deletes
        ? { decision: 'deleted', item: null, leased: null, waits: null }
        : { decision: 'scheduled', item: null, leased: false, waits: 'second' }
      assert.deepEqual(state, expected, what)
      if (!deletes) await s.ask('DELETE', `/schedule/${id}`)
    }
    const kind = `${deletes ? 'deleted' : 'changed'} ${answer.status === 200 ? 'before' : 'after'}`
    seen.set(kind, (seen.get(kind) ?? 0) + 1)
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(seen)))
  assert.equal(seen.size, 4, 'every order was met')
  const [head] = await s.db.control`
    select unopened, (select count(*)::int from inbox_items) as items from inbox_counters`
  assert.equal(head!['unopened'], head!['items'])
})

test('a page with a next one is not empty, even if its schedules were just sent', async t => {
  await using s = await scheduling()
  const next = random()
  t.diagnostic(`seed ${next.seed}`)
  const rows = RACES + 2
  const id = await s.later(send)
  await s.db.control`
    insert into outbox (bucket, id, queue, run_at, env_id, user_id, send_id, body)
    select bucket, overlay(id::text placing lpad(to_hex(i), 4, '0') from 10)::uuid, queue, run_at, env_id, user_id, send_id, body
    from outbox, generate_series(2, ${rows}) i where id = ${id}`
  for (let race = 0; race < RACES; race++) {
    const pause = async () => {
      for (let turn = next(40); turn > 0; turn--) await new Promise(setImmediate)
    }
    const [{ body }] = await Promise.all([
      s.ask('GET', '/schedule?count=1'),
      pause().then(
        () =>
          s.db
            .control`delete from outbox where id = (select id from outbox where queue = 'SCHEDULE' order by run_at, id limit 1)`
      )
    ])
    assert.equal(body.schedules.length, 1, `race ${race}: ${JSON.stringify(body)}`)
    assert.ok(body.next)
  }
})
