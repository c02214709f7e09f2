// Sends that several processes accept on one port, beside one process with the same work: what sharing costs, and by the time of the
// processor what more cores would carry.

import { testDb } from '../support/db.ts'
import { sendLoad, warmUp } from './accept.ts'
import { familyTime, postgresTime } from './cpu.ts'
import { inTurns, median, type Measurement, type Say } from './measure.ts'
import { serve } from './server.ts'

/** Each process forms groups of its own sends, so few connections make small groups. */
const CONNECTIONS = [64, 128] as const
const PROCESSES = 2
/** Of the machine whose rate is computed: all its cores are busy with Node and Postgres. */
const CORES = 16

/** A server over a database of its own: nodes that know each other tell each other what they write. */
async function openServer(processes: number) {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await testDb())
  const server = stack.use(
    await serve(database.url, { NOTIF_PROCESSES: String(processes), NOTIF_ROLE: 'api' })
  )
  const [{ backend }] = await database.db.control<[{ backend: number }]>`select pg_backend_pid() as backend`
  const parts = stack.move()
  return { [Symbol.asyncDispose]: () => parts.disposeAsync(), backend, server }
}

type Opened = Awaited<ReturnType<typeof openServer>>

export async function processes({ rounds, seconds, say }: Say): Promise<Measurement[]> {
  await using several = await openServer(PROCESSES)
  await using one = await openServer(1)
  for (const { server } of [several, one]) await warmUp(server, say)
  const measurements: Measurement[] = []
  for (const connections of CONNECTIONS) {
    const costs = new Map<Opened, { node: number[]; postgres: number[] }>()
    const load = async (opened: Opened): Promise<number> => {
      const { backend, server } = opened
      const [node, database] = [familyTime(server.pid), postgresTime(backend)]
      const { failures, perSecond, requests } = await sendLoad(server, connections, seconds)
      if (failures > 0) throw new Error(`${failures} sends were refused.`)
      const cost = costs.get(opened) ?? { node: [], postgres: [] }
      costs.set(opened, cost)
      cost.node.push((familyTime(server.pid) - node) / requests)
      cost.postgres.push((postgresTime(backend) - database) / requests)
      return perSecond
    }
    const rates = await inTurns(
      rounds,
      () => load(several),
      () => load(one)
    )
    const costOf = (opened: Opened, part: 'node' | 'postgres'): number => median(costs.get(opened)![part])
    const nodeUs = costOf(several, 'node')
    const postgresUs = costOf(several, 'postgres')
    say(
      `${connections}: ${PROCESSES} processes ${Math.round(rates.ours)}/s, one ${Math.round(rates.ceiling)}`
    )
    measurements.push({
      better: 'above',
      ceiling: { name: 'one process', value: rates.ceiling },
      facts: {
        nodeUs,
        oneNodeUs: costOf(one, 'node'),
        onePostgresUs: costOf(one, 'postgres'),
        postgresUs,
        sixteenCoresPerSecond: (CORES * 1_000_000) / (nodeUs + postgresUs)
      },
      floor: 0.9,
      goal: 0.95,
      name: `accept, ${PROCESSES} processes, ${connections} connections`,
      ours: rates.ours,
      ratio: rates.ratio,
      unit: 'sends/s'
    })
  }
  return measurements
}
