// A node of the cluster dies, or a shard moves, while back ends send: nothing that was accepted is lost or stored twice.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'

import type { Callers } from '../fault/callers.ts'
import { assertConserved } from '../fault/conservation.ts'
import { findEngine, NO_ENGINE } from '../support/citus-engine.ts'
import { until } from '../support/process.ts'
import { startFaultyCluster, type FaultyCluster, type Refusal } from './faulty-cluster.ts'

const engine = process.env['TEST_CITUS'] === '1' ? findEngine() : undefined
const missing = process.env['TEST_CITUS'] === '1' ? NO_ENGINE : 'only `npm run test:citus` runs it'
if (engine === undefined) process.stderr.write(`skipped: faults of a Citus cluster, ${missing}\n`)

/** Within this time a request that cannot be served must be answered. */
const MAX_REFUSAL_MS = 3000

/** Sends of each group of callers before, during and after a fault. */
const SENDS = 20

describe(
  'a Citus cluster under load',
  { skip: engine === undefined ? missing : false, timeout: 600_000 },
  () => {
    let faulty: FaultyCluster
    before(async () => {
      faulty = await startFaultyCluster(engine!)
    })
    after(() => faulty[Symbol.asyncDispose]())
    /** An answer 500 names its request only; the log of the server has the cause. */
    afterEach(context => {
      if ('passed' in context && context.passed) return
      const lines = faulty.server.output().split('\n')
      process.stderr.write(`${lines.filter(line => line.includes('"level":50')).join('\n')}\n`)
    })

    /** Every accepted send of the callers is in the log and in an inbox once, and was mailed. */
    const assertDelivered = async (...all: readonly Callers[]): Promise<void> => {
      await faulty.drained()
      const ids = all.flatMap(({ accepted }) => [...accepted.values()])
      assert.equal(new Set(ids).size, ids.length)
      assert.deepEqual(
        all.flatMap(({ split }) => split),
        []
      )
      const [row] = await faulty.sql<{ items: number; mails: number; sends: number }[]>`
      select (select count(*)::integer from sends where id = any(${ids}::uuid[])) as sends,
        (select count(*)::integer from inbox_items where id = any(${ids}::uuid[])) as items,
        (select count(distinct send_id)::integer from sandbox_messages where send_id = any(${ids}::uuid[])) as mails`
      assert.deepEqual({ ...row }, { items: ids.length, mails: ids.length, sends: ids.length })
      await assertConserved(faulty.sql)
    }

    test('while a worker is down, its users get 503 soon, and the others notice nothing', async () => {
      const [own, others] = [faulty.usersOn(1), faulty.usersOn(2)]
      using hit = faulty.sendTo(own)
      using untouched = faulty.sendTo(others)
      await Promise.all([hit.more(SENDS), untouched.more(SENDS)])

      faulty.cluster.kill(1)
      const refusals: Refusal[] = []
      for (let round = 0; round < 3; round += 1) {
        refusals.push(...(await Promise.all(own.map(user => faulty.probe(user)))))
        await untouched.more(SENDS)
      }
      for (const { durationMs, retryAfter, status } of refusals) {
        assert.equal(status, 503)
        assert.match(retryAfter ?? '', /^[1-9]\d*$/)
        assert.ok(durationMs < MAX_REFUSAL_MS, `${durationMs} ms`)
      }
      await faulty.cluster.start(1)
      await Promise.all([hit.more(SENDS), untouched.more(SENDS)])
      await Promise.all([hit.finish(), untouched.finish()])
      assert.deepEqual([...untouched.repeats], [])
      assert.ok(hit.repeats.has('503'), JSON.stringify([...hit.repeats]))
      await assertDelivered(hit, untouched)
    })

    test('while a shard moves to the other worker, nothing is lost or stored twice', async () => {
      const { sql } = faulty
      const own = faulty.usersOn(1)
      using callers = faulty.sendTo(own)
      await callers.more(SENDS)
      const nodes = await sql<{ host: string; port: number }[]>`
      select nodename as host, nodeport as port from pg_dist_node where groupid > 0 order by groupid`
      const [from, to] = nodes
      const shards = await sql<{ id: string }[]>`
      select p.shardid as id from pg_dist_placement p join pg_dist_shard s using (shardid)
      where s.logicalrelid = 'sends'::regclass and p.groupid = 1 order by 1`
      for (const { id } of shards.slice(0, 1))
        await sql`select citus_move_shard_placement(${id}, ${from!.host}, ${from!.port}, ${to!.host}, ${to!.port}, 'force_logical')`
      await callers.more(SENDS)
      await callers.finish()
      const [left] = await sql<{ count: number }[]>`
      select count(*)::integer as count from pg_dist_placement p join pg_dist_shard s using (shardid)
      where s.logicalrelid = 'sends'::regclass and p.groupid = 1`
      assert.equal(left!.count, shards.length - 1)
      await assertDelivered(callers)
    })

    test('after a restart of the coordinator, the server goes on', async () => {
      using callers = faulty.sendTo([...faulty.usersOn(1), ...faulty.usersOn(2)])
      await callers.more(SENDS)
      faulty.cluster.kill(0)
      await until(() => callers.repeats.size > 0, 'requests fail')
      await faulty.cluster.start(0)
      await callers.more(SENDS)
      await callers.finish()
      await assertDelivered(callers)
    })
  }
)
