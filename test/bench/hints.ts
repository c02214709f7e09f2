// Sends on one node and their receipt on another one, with hints over Redis beside hints over NOTIFY.

import { setTimeout as pause } from 'node:timers/promises'

import { testDb } from '../support/db.ts'
import { startRedis, whyNoRedis } from '../support/redis.ts'
import { warmUp } from './accept.ts'
import { processTime, postgresTime } from './cpu.ts'
import { median, type Measurement, type Say } from './measure.ts'
import { receipts } from './receipt.ts'
import { serve, type Server } from './server.ts'

/** As many nodes listen. */
const NODES = 4
const RATES = [200, 1000] as const
/** Nodes look for one another every few seconds. */
const ACQUAINTANCE_MS = 6_000

interface Seen {
  readonly p50: number
  readonly p99: number
  /** Microseconds of the processor for each send. */
  readonly nodeUs: number
  readonly postgresUs: number
}

/** Nodes over a database of their own: those that know each other tell each other what they write. */
async function openNodes(env: Readonly<Record<string, string>>) {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await testDb())
  const nodes: Server[] = []
  for (let i = 0; i < NODES; i += 1) nodes.push(stack.use(await serve(database.url, env)))
  const [{ backend }] = await database.db.control<[{ backend: number }]>`select pg_backend_pid() as backend`
  const parts = stack.move()
  return { [Symbol.asyncDispose]: () => parts.disposeAsync(), backend, nodes }
}

async function measure(
  { backend, nodes }: Awaited<ReturnType<typeof openNodes>>,
  perSecond: number,
  seconds: number
): Promise<Seen> {
  const now = () => ({
    node: nodes.reduce((sum, { pid }) => sum + processTime(pid), 0),
    postgres: postgresTime(backend)
  })
  const before = now()
  const { p50, p99, received, sent } = await receipts(nodes[0]!.port, perSecond, seconds, nodes.at(-1)!.port)
  if (received < sent) throw new Error(`${sent - received} messages did not arrive at ${perSecond}/s.`)
  const after = now()
  return {
    nodeUs: (after.node - before.node) / sent,
    p50,
    p99,
    postgresUs: (after.postgres - before.postgres) / sent
  }
}

export async function hints({ rounds, seconds, say }: Say): Promise<Measurement[]> {
  const missing = whyNoRedis()
  if (missing !== undefined) throw new Error(missing)
  await using redis = await startRedis()
  await using withNotify = await openNodes({})
  await using withRedis = await openNodes({ NOTIF_HINTS_URL: redis.url })
  for (const { nodes } of [withNotify, withRedis]) await warmUp(nodes[0]!, say, false)
  await pause(ACQUAINTANCE_MS)
  const measurements: Measurement[] = []
  for (const perSecond of RATES) {
    const seen: { notify: Seen; redis: Seen }[] = []
    for (let round = 0; round < rounds; round += 1) {
      const notify = await measure(withNotify, perSecond, seconds)
      seen.push({ notify, redis: await measure(withRedis, perSecond, seconds) })
    }
    const of = (side: 'notify' | 'redis', what: keyof Seen): number =>
      median(seen.map(one => one[side][what]))
    measurements.push({
      better: 'below',
      ceiling: { name: 'NOTIFY', value: of('notify', 'p99') },
      facts: {
        nodeUs: of('redis', 'nodeUs'),
        notifyNodeUs: of('notify', 'nodeUs'),
        notifyP50Ms: of('notify', 'p50'),
        notifyPostgresUs: of('notify', 'postgresUs'),
        p50Ms: of('redis', 'p50'),
        postgresUs: of('redis', 'postgresUs')
      },
      name: `hints over Redis, ${NODES} nodes, p99 at ${perSecond}/s`,
      ours: of('redis', 'p99'),
      ratio: median(seen.map(one => one.redis.p99 / one.notify.p99)),
      unit: 'ms'
    })
    say(
      `${perSecond}/s: p99 ${of('redis', 'p99').toFixed(1)} ms, NOTIFY ${of('notify', 'p99').toFixed(1)} ms`
    )
  }
  return measurements
}
