// With NOTIF_CITUS_ROUTE=owner the server connects to the worker that has a shard, follows a shard that moves, and starts without a
// worker that is down. `npm run test:citus` runs the other tests of this folder with this setting too.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { connect } from '../../server/db/connect.ts'
import { OWN_KEYS } from '../process/send-and-read.ts'
import { findEngine, NO_ENGINE } from '../support/citus-engine.ts'
import { nodesOf, withDatabase } from '../support/citus.ts'
import { startServer, until } from '../support/process.ts'
import { startFaultyCluster, type FaultyCluster } from './faulty-cluster.ts'

const isRun = process.env['TEST_CITUS_ROUTE'] === 'owner'
const engine = isRun ? findEngine() : undefined
const missing = isRun ? NO_ENGINE : 'only `npm run test:citus` runs it, with this setting'
if (engine === undefined) process.stderr.write(`skipped: the owners of shards, ${missing}\n`)

/** Within this time a request that cannot be served must be answered. */
const MAX_REFUSAL_MS = 3000

describe(
  'connected to the owners of shards',
  { skip: engine === undefined ? missing : false, timeout: 600_000 },
  () => {
    let faulty: FaultyCluster
    before(async () => {
      faulty = await startFaultyCluster(engine!, { NOTIF_LOG_LEVEL: 'info' })
    })
    after(() => faulty[Symbol.asyncDispose]())

    /** Reads the last statement of each connection that the server has to a node; 0 is the coordinator. */
    const lastStatements = async (node: number, pool: string): Promise<readonly string[]> => {
      const nodes = await nodesOf(faulty.sql, faulty.databaseUrl)
      const sql = connect(withDatabase(nodes[node]!, new URL(faulty.databaseUrl).pathname.slice(1)), {
        max: 1
      })
      try {
        const rows = await sql<{ query: string }[]>`
          select query from pg_stat_activity
          where datname = current_database() and application_name = ${`notif-kit ${pool}`}`
        return rows.map(({ query }) => query)
      } finally {
        await sql.end()
      }
    }

    const assertRefused = async (users: readonly string[], base?: string): Promise<void> => {
      assert.ok(users.length > 0)
      for (const { durationMs, retryAfter, status } of await Promise.all(
        users.map(user => faulty.probe(user, base))
      )) {
        assert.equal(status, 503)
        assert.match(retryAfter ?? '', /^[1-9]\d*$/)
        assert.ok(durationMs < MAX_REFUSAL_MS, `${durationMs} ms`)
      }
    }

    const assertServed = async (users: readonly string[], base?: string): Promise<void> => {
      assert.ok(users.length > 0)
      const answers = await Promise.all(users.map(user => faulty.probe(user, base)))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    }

    const isServed = async (user: string, base?: string): Promise<boolean> =>
      (await faulty.probe(user, base)).status === 200

    test('statements about users go to the workers, and none to the coordinator', async () => {
      using callers = faulty.sendTo([...faulty.usersOn(1), ...faulty.usersOn(2)])
      await callers.more(40)
      await callers.finish()
      await faulty.drained()
      for (const worker of [1, 2]) {
        assert.ok((await lastStatements(worker, 'api')).length > 0, `requests on worker ${worker}`)
        // Housekeeping uses the same connections.
        await until(
          async () => (await lastStatements(worker, 'work')).some(text => text.includes('outbox')),
          `queues on worker ${worker}`
        )
      }
      const ofCoordinator = [...(await lastStatements(0, 'api')), ...(await lastStatements(0, 'work'))]
      assert.ok(ofCoordinator.length > 0)
      assert.deepEqual(
        ofCoordinator.filter(text => /\b(?:outbox|sends|inbox_items|inbox_counters|attempts)\b/.test(text)),
        []
      )
    })

    test('statements about a shard that moved go to its new owner, so the old one may die', async () => {
      const { cluster, readUsers, server, sql } = faulty
      const before = (await readUsers()).get(1)!
      const [from, to] = await sql<{ host: string; port: number }[]>`
        select nodename as host, nodeport as port from pg_dist_node where groupid > 0 order by groupid`
      const [shard] = await sql<{ id: string }[]>`
        select p.shardid as id from pg_dist_placement p join pg_dist_shard s using (shardid)
        where s.logicalrelid = 'sends'::regclass and p.groupid = 1 order by 1 limit 1`
      await sql`select citus_move_shard_placement(${shard!.id}, ${from!.host}, ${from!.port}, ${to!.host}, ${to!.port}, 'force_logical')`
      const now = await readUsers()
      const moved = before.filter(user => now.get(2)!.includes(user)).slice(0, 4)
      await assertServed(moved)
      await server.waitForOutput('shard_moved')

      cluster.kill(1)
      const left = now.get(1)!.slice(0, 4)
      await assertRefused(left)
      await assertServed(moved)
      await cluster.start(1)
      await until(() => isServed(left[0]!), 'the worker is used again')
      await assertServed(left)
    })

    test('the server starts while a worker is down, and serves its users when it is back', async () => {
      const { cluster, databaseUrl } = faulty
      const [own, others] = [faulty.usersOn(2), (await faulty.readUsers()).get(1)!.slice(0, 4)]
      cluster.kill(2)
      await using late = await startServer({ databaseUrl, env: OWN_KEYS })
      await assertServed(others, late.base)
      await assertRefused(own, late.base)
      await cluster.start(2)
      await until(() => isServed(own[0]!, late.base), 'the worker is used')
      await assertServed(own, late.base)
    })
  }
)
