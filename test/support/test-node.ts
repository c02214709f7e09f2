// Starts a node in this process, wired as server/main.ts wires it, with its own settings and port.

import { join } from 'node:path'

import { readConfig, type Config } from '../../server/config/config.ts'
import { createLog } from '../../server/core/log.ts'
import type { Db } from '../../server/db/db.ts'
import { openKeys } from '../../server/environments/encryption/keys.ts'
import { openNode, type Node, type NodeOptions } from '../../server/node.ts'
import { openListener, type Listener } from '../../server/process/listener.ts'
import { TEST_ENCRYPTION } from './test-encryption.ts'

export interface TestNode extends AsyncDisposable {
  readonly node: Node
  readonly config: Config
  /** Address for requests and sockets. */
  readonly base: string
  readonly port: number
  /** Starts to answer requests. */
  serve(): void
}

export interface TestNodeOptions extends Partial<Pick<NodeOptions, 'clock' | 'dist' | 'intervals' | 'log'>> {
  /** One that listens already and that the caller closes. Default: a new one. */
  readonly listener?: Listener
  /** Port of a new listener. Default: a free one. */
  readonly port?: number
}

/** @param env - settings by their names; the other settings have their defaults */
export async function openTestNode(
  db: Db,
  env: Readonly<Record<string, string>>,
  { listener: given, port = 0, ...overrides }: TestNodeOptions = {}
): Promise<TestNode> {
  const read = readConfig(env)
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  const { config } = read
  const keys = await openKeys(db, TEST_ENCRYPTION, config)
  const listener = given ?? (await openListener('127.0.0.1', port))
  const node = openNode({
    base: () => listener.base,
    clock: Date.now,
    config,
    db,
    dist: join(import.meta.dirname, '../../dist'),
    draining: listener.draining,
    keys,
    log: createLog('silent'),
    encryption: TEST_ENCRYPTION,
    server: listener.server,
    ...overrides
  })
  node.start()
  return {
    async [Symbol.asyncDispose]() {
      await node.stop(1000)
      if (!given) await listener.close(0)
      await node.close()
    },
    base: listener.base,
    config,
    node,
    port: Number(new URL(listener.base).port),
    serve: () => listener.serve(node.handleRequest)
  }
}
