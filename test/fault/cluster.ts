// Starts two nodes behind a load balancer, with a database behind a proxy, for runs with faults.

import { openDb, type Sql } from '../../server/db/db.ts'
import { startEmbedded } from '../../server/db/embedded/embedded.ts'
import { OWN_KEYS } from '../process/send-and-read.ts'
import { startServer, temporaryDir, type ServerProcess } from '../support/process.ts'
import { openBalancer, type Balancer } from './balancer.ts'
import { openDatabaseProxy } from './database-proxy.ts'

export interface Field extends AsyncDisposable {
  readonly balancer: Balancer
  readonly proxy: Awaited<ReturnType<typeof openDatabaseProxy>>
  /** Those that run. */
  readonly nodes: readonly ServerProcess[]
  /** All that ever ran, by their numbers. */
  readonly lives: ReadonlyMap<number, Life>
  /** Past the proxy. */
  readonly sql: Sql
  /** Of the database that runs now. */
  readonly databasePid: () => number
  /** Starts one more node; resolves when it is ready. */
  join(): Promise<void>
  /** Resolves when every node that was started is ready. @throws when one ended instead */
  joined(): Promise<void>
  kill(node: ServerProcess): Promise<void>
}

/** One node until it was killed. */
export interface Life {
  readonly process: ServerProcess
  /** `performance.now()` */
  killed?: number
}

/** Of one node. */
const STARTS = 5

/** @param settingsOf - the node with this number */
export async function openField(
  settingsOf: (node: number) => Readonly<Record<string, string>>
): Promise<Field> {
  await using stack = new AsyncDisposableStack()
  const embedded = stack.adopt(
    await startEmbedded({ connections: 100, dataDir: temporaryDir(), say: () => {}, tcp: true }),
    running => running.stop()
  )
  const db = stack.adopt(openDb({ connections: 2, listenUrl: '', url: embedded.url }), open => open.close())
  const proxy = stack.use(await openDatabaseProxy(embedded.url))
  const balancer = stack.use(await openBalancer())
  const nodes: ServerProcess[] = []
  let joining: Promise<unknown> = Promise.resolve()
  stack.defer(async () => {
    await joining.catch(() => {})
    for (const node of nodes) await node[Symbol.asyncDispose]()
  })
  const common = { ...OWN_KEYS, NOTIF_DEMO: '0', NOTIF_REQUESTS_PER_SECOND: '100000' }
  const lives = new Map<number, Life>()
  let numbers = 0
  /** Starts a node again if the database fails during its start, like a service manager. */
  const started = async (env: Readonly<Record<string, string>>, tries: number): Promise<ServerProcess> => {
    try {
      return await startServer({ databaseUrl: proxy.url, env })
    } catch (error) {
      if (tries === STARTS) throw error
      return started(env, tries + 1)
    }
  }
  const start = async (): Promise<void> => {
    const number = (numbers += 1)
    const node = await started({ ...common, ...settingsOf(number) }, 1)
    lives.set(number, { process: node })
    nodes.push(node)
    balancer.add(node.base)
  }
  const join = (): Promise<void> => {
    const own = start()
    joining = Promise.all([joining, own])
    // The failure is reported where the promise is awaited.
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
      const life = [...lives.values()].find(({ process }) => process === node)!
      await node.end('SIGKILL')
      life.killed = performance.now()
    },
    lives,
    nodes,
    proxy,
    sql: db.of(0).sql
  }
  await Promise.all([join(), join()])
  const owned = stack.move()
  return { ...field, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
