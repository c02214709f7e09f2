// One idempotency key, one execution: in parallel, in batches, across crashes and nodes.

import assert from 'node:assert/strict'
import { once as event } from 'node:events'
import { test } from 'node:test'

import { sha256 } from '../../server/core/hash.ts'
import { bucketOf } from '../../server/core/id.ts'
import type { DatabaseGroup, Tx } from '../../server/db/db.ts'
import { deleteOldKeys } from '../../server/http/idempotency.sql.ts'
import {
  acquireKeys,
  idempotencyKeyOf,
  runOnce,
  storeAnswers,
  type IdempotencyKey
} from '../../server/http/idempotency.ts'
import { Problem } from '../../server/http/problem.ts'
import { route, type Answer } from '../../server/http/route.ts'
import { countLockWaits, openTestDb, testDb } from '../support/db.ts'
import { isCluster, plainPostgresOnly } from '../support/plain-postgres.ts'
import { until } from '../support/process.ts'
import { random } from '../support/random.ts'
import { asBackEnd, CLIENT, serve } from './serve.ts'

const claim = (key: string, body = 'body', userId = 'u1'): IdempotencyKey => ({
  bucket: bucketOf('e1', userId),
  envId: 'e1',
  fingerprint: sha256(body),
  key,
  userId
})

/** The work of these tests: one row each time, so that executions can be counted. */
const work =
  (note: string, answer: Answer = { body: { zebra: 1, apple: note }, status: 200 }) =>
  async (tx: Tx): Promise<Answer> => {
    await tx`insert into done (note) values (${note})`
    return answer
  }

async function prepared() {
  const t = await testDb()
  await t.db.control`create table done (bucket smallint not null default 0, note text)`
  // The work writes to it on the node that has the keys.
  if (isCluster)
    await t.db.control`select create_distributed_table('done', 'bucket', colocate_with => 'idempotency_keys')`
  const count = async (note: string) =>
    (await t.db.control<{ n: number }[]>`select count(*)::int as n from done where note = ${note}`)[0]!.n
  return {
    count,
    db: t.db,
    group: t.db.of(0),
    url: t.url,
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]()
  }
}

test('answers a repeated request with the same bytes, and does nothing', async () => {
  await using t = await prepared()
  const first = await runOnce(t.group, claim('k'), work('a'))
  const second = await runOnce(t.group, claim('k'), work('a'))
  assert.equal(JSON.stringify(second.body), JSON.stringify(first.body))
  assert.equal(second.status, first.status)
  assert.equal(first.headers?.['idempotent-replayed'], undefined)
  assert.equal(second.headers?.['idempotent-replayed'], 'true')
  assert.equal(await t.count('a'), 1)
})

test('refuses another body under the same key, and separates keys of users and environments', async () => {
  await using t = await prepared()
  await runOnce(t.group, claim('k'), work('a'))
  await assert.rejects(
    runOnce(t.group, claim('k', 'other'), work('a')),
    (error: unknown) => error instanceof Problem && error.slug === 'idempotency-key-reused'
  )
  // Of the same bucket: nothing but their ids tells them apart.
  const neighbour = Array.from({ length: 20_000 }, (_, i) => `u1 ${i}`).find(
    id => bucketOf('e1', id) === bucketOf('e1', 'u1')
  )
  const others = {
    environment: { ...claim('k', 'other'), envId: 'e2' },
    user: claim('k', 'other', neighbour)
  }
  for (const [note, other] of Object.entries(others)) await runOnce(t.group, other, work(note))
  for (const [note, known] of Object.entries({ a: claim('k'), ...others })) {
    const { body } = await runOnce(t.group, known, work('again'))
    assert.deepEqual(body, { apple: note, zebra: 1 })
  }
  await runOnce(t.group, undefined, work('a'))
  await runOnce(t.group, undefined, work('a'))
  assert.equal(await t.count('a'), 3)
})

test('replays an answer without a body, and stores no refused request', async () => {
  await using t = await prepared()
  await runOnce(t.group, claim('empty'), work('empty', { status: 204 }))
  assert.deepEqual(await runOnce(t.group, claim('empty'), work('empty')), {
    headers: { 'idempotent-replayed': 'true' },
    status: 204
  })
  const refuse = async (tx: Tx): Promise<Answer> => {
    await work('refused')(tx)
    throw new Problem('conflict', 'No.')
  }
  await assert.rejects(runOnce(t.group, claim('r'), refuse))
  assert.equal(await t.count('refused'), 0)
  await runOnce(t.group, claim('r'), work('refused'))
  assert.equal(await t.count('refused'), 1)
})

test('repeats a transaction after a conflict, but not after other errors', async () => {
  await using t = await prepared()
  let tries = 0
  const losing = (times: number, code: string) => async (tx: Tx) => {
    if (++tries <= times) {
      await tx`do $$ begin raise exception 'lost' using errcode = '${tx.unsafe(code)}'; end $$`
    }
    return work('won')(tx)
  }
  await runOnce(t.group, claim('lost'), losing(3, '40P01'))
  assert.equal(tries, 4)
  assert.equal(await t.count('won'), 1)
  tries = 0
  await assert.rejects(runOnce(t.group, claim('other'), losing(1, '22003')), { code: '22003' })
  assert.equal(tries, 1)
})

test('executes one of 40 parallel requests on two nodes, although some crash before the commit', async () => {
  await using t = await prepared()
  const other = await openTestDb({ connections: 4, listenUrl: '', url: t.url })
  try {
    const next = random()
    const groups: DatabaseGroup[] = [t.group, other.of(0)]
    for (let round = 0; round < 5; round++) {
      const note = `round ${round}`
      let crashes = 0
      const attempt = async (i: number): Promise<Answer> => {
        const crash = next(5) === 0
        try {
          return await runOnce(groups[i % 2]!, claim(note), async tx => {
            const answer = await work(note)(tx)
            if (!crash) return answer
            crashes++
            // As a killed process: the connection is gone in the middle of the transaction.
            await tx`select pg_terminate_backend(pg_backend_pid())`
            return answer
          })
        } catch {
          return attempt(i + 1)
        }
      }
      const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => attempt(i)))
      assert.equal(await t.count(note), 1, `seed ${next.seed}, ${crashes} crashes`)
      assert.equal(new Set(answers.map(answer => JSON.stringify(answer.body))).size, 1)
      assert.equal(answers.filter(answer => !answer.headers?.['idempotent-replayed']).length, 1)
    }
  } finally {
    await other.close()
  }
})

test('gives each request of a batch its state, in order', async () => {
  await using t = await prepared()
  const { sql } = t.group
  await runOnce(t.group, claim('old'), work('old'))
  const claims = [
    claim('b'),
    claim('old'),
    claim('a'),
    claim('old', 'other'),
    claim('a'),
    claim('a', 'other'),
    claim('b', 'body', 'u2')
  ]
  const verdicts = await sql.begin(async tx => {
    const verdicts = await acquireKeys(tx, claims)
    const fresh = claims.filter((_, i) => verdicts[i]!.state === 'new')
    await storeAnswers(
      tx,
      fresh.map(claim => ({ answer: { body: { of: claim.key }, status: 202 }, key: claim }))
    )
    return verdicts
  })
  assert.deepEqual(
    verdicts.map(verdict => verdict.state),
    ['new', 'replay', 'new', 'reused', 'twin', 'reused', 'new']
  )
  assert.deepEqual(verdicts[4], { of: 2, state: 'twin' })
  const again = await sql.begin(tx => acquireKeys(tx, [claim('b'), claim('a')]))
  assert.deepEqual(again, [
    {
      answer: { body: { of: 'b' }, headers: { 'idempotent-replayed': 'true' }, status: 202 },
      state: 'replay'
    },
    {
      answer: { body: { of: 'a' }, headers: { 'idempotent-replayed': 'true' }, status: 202 },
      state: 'replay'
    }
  ])
})

test('does not deadlock on batches with the same keys in another order', async () => {
  await using t = await prepared()
  const next = random()
  const keys = Array.from({ length: 500 }, (_, i) => `key ${i}`)
  const run = (round: number) =>
    t.group.sql.begin(async tx => {
      const claims = keys.toSorted(() => next(3) - 1).map(key => claim(`${round} ${key}`))
      const verdicts = await acquireKeys(tx, claims)
      const fresh = claims.filter((_, i) => verdicts[i]!.state === 'new')
      await storeAnswers(
        tx,
        fresh.map(claim => ({ answer: { status: 200 }, key: claim }))
      )
      return fresh.length
    })
  for (let round = 0; round < 20; round++) {
    const made = await Promise.all(Array.from({ length: 4 }, () => run(round)))
    assert.equal(
      made.reduce((sum, n) => sum + n, 0),
      keys.length,
      `seed ${next.seed}`
    )
  }
})

test('deletes old keys', async () => {
  await using t = await prepared()
  await runOnce(t.group, claim('k'), work('a'))
  assert.equal(await deleteOldKeys(t.group, 24), 0)
  await t.db.control`update idempotency_keys set created_at = now() - interval '25 hours' where bucket >= 0`
  assert.equal(await deleteOldKeys(t.group, 24), 1)
  await runOnce(t.group, claim('k', 'other'), work('a'))
  assert.equal(await t.count('a'), 2)
})

const trigger = plainPostgresOnly('a trigger on the table of a user waits for a lock of the test')

test('accepts a key that is deleted while it is acquired', { skip: trigger, timeout: 60_000 }, async () => {
  await using t = await prepared()
  await runOnce(t.group, claim('k'), work('a'))
  // Whoever has found the key by inserting it waits here, before the look at its answer.
  await t.db.control.unsafe(`
    create function wait() returns trigger language plpgsql as 'begin
      perform pg_advisory_xact_lock(1); return null; end';
    create trigger wait after insert on idempotency_keys for each statement execute function wait()`)
  let second: Promise<Answer> | undefined
  await t.db.control.begin(async tx => {
    await tx`select pg_advisory_xact_lock(1)`
    second = runOnce(t.group, claim('k'), work('b'))
    await until(async () => {
      const waits = await t.db.control`
        select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`
      return waits.count > 0
    }, 'somebody asks for the key')
    await tx`delete from idempotency_keys where bucket >= 0`
  })
  assert.deepEqual(await second, { body: { apple: 'b', zebra: 1 }, status: 200 })
  assert.equal(await t.count('b'), 1)
})

test('compares path, query and every byte of the body over HTTP, and waits for a slow first request', async () => {
  let running = 0
  let executions = 0
  const gate = new EventTarget()
  await using server = await serve(db => [
    route('POST', '/:clientId/work/:name', 'back-end', call =>
      runOnce(db.of(0), idempotencyKeyOf(call, '', bucketOf(call.env.id, '')), async () => {
        executions++
        if (call.params['name'] === 'slow' && ++running === 1) await event(gate, 'go')
        return { body: { n: executions }, status: 201 }
      })
    )
  ])
  const post = (name: string, body = '{"a":1}', key = 'k') =>
    server.fetch(`/${CLIENT}/work/${name}`, {
      body,
      headers: { ...asBackEnd, 'idempotency-key': key },
      method: 'POST'
    })
  const first = await post('a')
  const again = await post('a')
  assert.equal(first.status, 201)
  assert.equal(again.status, 201)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(await again.text(), await first.text())
  assert.equal((await post('b')).status, 422)
  // What is deleted may stand there: DELETE /users/{id}/preferences?notificationId=...
  assert.equal((await post('a?which=b')).status, 422)
  assert.equal((await post('a', '{"a": 1}')).status, 422)
  assert.equal(executions, 1)

  const all = Array.from({ length: 3 }, () => post('slow', '{}', 'slow'))
  // Released when the others are surely waiting for the key, or else they would only be replays.
  for (;;) {
    if ((await countLockWaits(server.db.groups[0]!.work)) >= 2) break
  }
  gate.dispatchEvent(new Event('go'))
  const texts = await Promise.all(all.map(async response => (await response).text()))
  assert.equal(new Set(texts).size, 1)
  assert.equal(executions, 2)
})
