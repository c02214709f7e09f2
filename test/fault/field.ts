// Two nodes behind a balancer, and a database at the end of a road: where the storm takes place.

import { startEmbedded } from '../../server/db/embedded.ts'
import { openDb, type Sql } from '../../server/db/sql.ts'
import { OWN_KEYS } from '../process/call.ts'
import { startServer, temporaryDir, type ServerProcess } from '../support/process.ts'
import { openBalancer, type Balancer } from './balancer.ts'
import { openRoad } from './road.ts'

export interface Field extends AsyncDisposable {
  readonly balancer: Balancer
  readonly road: Awaited<ReturnType<typeof openRoad>>
  /** Those that run. */
  readonly nodes: readonly ServerProcess[]
  /** Past the road. */
  readonly sql: Sql
  /** Of the database that runs now. */
  readonly databasePid: () => number
  /** Starts one more node; resolves when it is ready. */
  join(): Promise<void>
  /** Resolves when every node that was started is ready. @throws when one ended instead */
  joined(): Promise<void>
  kill(node: ServerProcess): Promise<void>
}

/** Of one node. */
const STARTS = 5

/** @param settings - of the nodes */
export async function openField(settings: Readonly<Record<string, string>>): Promise<Field> {
  await using stack = new AsyncDisposableStack()
  const embedded = stack.adopt(
    await startEmbedded({ connections: 100, dataDir: temporaryDir(), say: () => {}, tcp: true }),
    running => running.stop()
  )
  const db = stack.adopt(openDb({ connections: 2, listenUrl: '', url: embedded.url }), open => open.close())
  const road = stack.use(await openRoad(embedded.url))
  const balancer = stack.use(await openBalancer())
  const nodes: ServerProcess[] = []
  let joining: Promise<unknown> = Promise.resolve()
  stack.defer(async () => {
    await joining.catch(() => {})
    for (const node of nodes) await node[Symbol.asyncDispose]()
  })
  const env = { ...OWN_KEYS, ...settings, NOTIF_DEMO: '0', NOTIF_REQUESTS_PER_SECOND: '100000' }
  /** As whoever runs a node does: when the database dies under its start, it ends and is started again. */
  const started = async (tries: number): Promise<ServerProcess> => {
    try {
      return await startServer({ databaseUrl: road.url, env })
    } catch (error) {
      if (tries === STARTS) throw error
      return started(tries + 1)
    }
  }
  const start = async (): Promise<void> => {
    const node = await started(1)
    nodes.push(node)
    balancer.add(node.base)
  }
  const join = (): Promise<void> => {
    const own = start()
    joining = Promise.all([joining, own])
    // Whoever waits for them hears of an end.
    joining.catch(() => {})
    return own
  }
  const field = {
    balancer,
    databasePid: () => embedded.pid,
    join,
    async joined() {
      await joining
    },
    async kill(node: ServerProcess) {
      balancer.remove(node.base)
      nodes.splice(nodes.indexOf(node), 1)
      await node.end('SIGKILL')
    },
    nodes,
    road,
    sql: db.of(0).sql
  }
  await Promise.all([join(), join()])
  const owned = stack.move()
  return { ...field, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
