// A server on a Citus cluster of its own whose nodes may be killed, and back ends that send to the users of each worker.

import { bucketOf } from '../../server/core/id.ts'
import { connect } from '../../server/db/connect.ts'
import type { Sql } from '../../server/db/db.ts'
import { startCallers, type Callers } from '../fault/callers.ts'
import { CLIENT, OWN_KEYS, SECRET } from '../process/send-and-read.ts'
import { startCluster, type CitusCluster } from '../support/citus-engine.ts'
import { emptyDatabase } from '../support/citus.ts'
import { startServer, until, type ServerProcess } from '../support/process.ts'

const USERS_PER_NODE = 6

/** Longer than a lease of the email queue: a row is leased, and nobody works on it, if the answer to its claim was lost with a node. */
const MAX_DRAIN_MS = 180_000

export interface Refusal {
  readonly status: number
  readonly retryAfter: string | null
  readonly durationMs: number
}

export interface FaultyCluster extends AsyncDisposable {
  readonly cluster: CitusCluster
  /** Address of the server's database on the coordinator. */
  readonly databaseUrl: string
  readonly server: ServerProcess
  readonly sql: Sql
  /** Ids of users whose rows are on a worker; its number counts from 1. */
  usersOn(worker: number): readonly string[]
  /** Starts back ends that send to these users, also by email. */
  sendTo(users: readonly string[]): Callers
  /** Reads which of many users are on which worker now. */
  readUsers(): Promise<ReadonlyMap<number, readonly string[]>>
  /** Sends to the user once, without a repetition. @param base - of another server */
  probe(user: string, base?: string): Promise<Refusal>
  /** Waits until no row of a queue is left. */
  drained(): Promise<void>
}

const bodyFor =
  (users: readonly string[]) =>
  (key: string, user: number): string =>
    JSON.stringify({
      email: { html: `<p>${key}</p>`, subject: key },
      inapp: { title: key },
      to: { email: `${users[user]}@example.com`, id: users[user] },
      type: 'fault'
    })

/** Reads which of many users are on which worker, by its number. */
async function readUsers(sql: Sql): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await sql<{ bucket: number; worker: number }[]>`
    select b as bucket, p.groupid as worker
    from generate_series(0, 1023) as b
    join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('sends', b::smallint)`
  const workerOf = new Map(rows.map(({ bucket, worker }) => [bucket, worker]))
  const all = Array.from({ length: 200 }, (_, i) => `user${i}`)
  return Map.groupBy(all, user => workerOf.get(bucketOf(CLIENT, user))!)
}

export async function startFaultyCluster(
  engine: string,
  env: Readonly<Record<string, string>> = {}
): Promise<FaultyCluster> {
  const cluster = await startCluster(engine, 2)
  try {
    const database = await emptyDatabase(cluster.url)
    await database.join()
    const server = await startServer({ databaseUrl: database.url, env: { ...OWN_KEYS, ...env } })
    const sql = connect(database.url, { max: 2, onnotice: () => {} })
    const users = await readUsers(sql)
    const authorization = `Basic ${Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')}`
    return {
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]()
        await sql.end({ timeout: 1 })
        cluster.stop()
      },
      cluster,
      databaseUrl: database.url,
      drained: () =>
        until(
          async () => {
            const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from outbox`
            return row!.count === 0
          },
          'the queues are empty',
          MAX_DRAIN_MS
        ),
      async probe(user, base = server.base) {
        const started = performance.now()
        const answer = await fetch(`${base}/${CLIENT}/sender`, {
          body: JSON.stringify({ inapp: { title: 'probe' }, to: { id: user }, type: 'fault' }),
          headers: { authorization },
          method: 'POST',
          signal: AbortSignal.timeout(20_000)
        })
        await answer.text()
        const durationMs = performance.now() - started
        return { durationMs, retryAfter: answer.headers.get('retry-after'), status: answer.status }
      },
      readUsers: () => readUsers(sql),
      sendTo: own =>
        startCallers(() => server.base, { body: bodyFor(own), callers: 3, rest: 20, users: own.length }),
      server,
      sql,
      usersOn: worker => users.get(worker)!.slice(0, USERS_PER_NODE)
    }
  } catch (error) {
    cluster.stop()
    throw error
  }
}
