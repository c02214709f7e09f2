// Sends accepted over a Citus cluster of a coordinator and two workers, by each route, beside one plain Postgres. All nodes share the cores of
// this machine, so this shows what a cluster costs, and not what several machines gain.

import { findEngine, installEngine, NO_ENGINE, startCluster } from '../support/citus-engine.ts'
import { emptyDatabase } from '../support/citus.ts'
import { testDb } from '../support/db.ts'
import { sendLoad, warmUp } from './accept.ts'
import { median, type Measurement, type Say } from './measure.ts'
import { serve, type Server } from './server.ts'

const CONNECTIONS = [32, 128] as const
const ROUTES = ['coordinator', 'owner'] as const

export async function citus({ rounds, seconds, say }: Say): Promise<Measurement[]> {
  const engine = findEngine()
  if (engine === undefined) throw new Error(NO_ENGINE)
  await installEngine(engine)
  await using stack = new AsyncDisposableStack()
  const plain = stack.use(await testDb())
  const cluster = await startCluster(engine, 2)
  stack.defer(() => cluster.stop())
  const database = await emptyDatabase(cluster.url)
  await database.join()
  const start = async (url: string, env: Readonly<Record<string, string>>): Promise<Server> => {
    const server = stack.use(await serve(url, { NOTIF_ROLE: 'api', ...env }))
    await warmUp(server, say)
    return server
  }
  const beside = await start(plain.url, {})
  const servers: Server[] = []
  for (const route of ROUTES) servers.push(await start(database.url, { NOTIF_CITUS_ROUTE: route }))
  const measurements: Measurement[] = []
  for (const connections of CONNECTIONS) {
    const load = async (server: Server): Promise<number> => {
      const { failures, perSecond } = await sendLoad(server, connections, seconds)
      if (failures > 0) throw new Error(`${failures} sends were refused.`)
      return perSecond
    }
    const seen: { plain: number; routes: number[] }[] = []
    for (let round = 0; round < rounds; round += 1) {
      const own = await load(beside)
      const routes: number[] = []
      for (const server of servers) routes.push(await load(server))
      seen.push({ plain: own, routes })
    }
    for (const [i, route] of ROUTES.entries()) {
      measurements.push({
        better: 'above',
        ceiling: { name: 'plain Postgres', value: median(seen.map(one => one.plain)) },
        name: `accept on Citus by the ${route}, ${connections} connections`,
        ours: median(seen.map(({ routes }) => routes[i]!)),
        ratio: median(seen.map(one => one.routes[i]! / one.plain)),
        unit: 'sends/s'
      })
    }
  }
  return measurements
}
