// A whole node in this process, put together as the server does it: by its settings, on a port of its own.

import { join } from 'node:path'

import { readConfig, type Config } from '../../server/config/config.ts'
import { createLog } from '../../server/core/log.ts'
import type { Db } from '../../server/db/db.ts'
import { openKeys } from '../../server/environments/encryption/keys.ts'
import { openNode, type Node, type NodeOptions } from '../../server/node.ts'
import { openListener, type Listener } from '../../server/process/listener.ts'
import { SEAL } from './seal.ts'

export interface WholeNode extends AsyncDisposable {
  readonly node: Node
  readonly config: Config
  /** Address, of requests and sockets. */
  readonly base: string
  readonly port: number
  /** From now on requests are answered. */
  serve(): void
}

export interface WholeNodeOptions extends Partial<Pick<NodeOptions, 'clock' | 'dist' | 'intervals' | 'log'>> {
  /** One that listens already, and whose owner closes it. Default: one of its own. */
  readonly front?: Listener
}

/** @param env - settings by their names; the rest is as the server has it */
export async function openWhole(
  db: Db,
  env: Readonly<Record<string, string>>,
  { front: given, ...over }: WholeNodeOptions = {}
): Promise<WholeNode> {
  const read = readConfig(env)
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  const { config } = read
  const keys = await openKeys(db, SEAL, config)
  const front = given ?? (await openListener('127.0.0.1', 0))
  const node = openNode({
    base: () => front.base,
    clock: Date.now,
    config,
    db,
    dist: join(import.meta.dirname, '../../dist'),
    draining: front.draining,
    keys,
    log: createLog('silent'),
    encryption: SEAL,
    server: front.server,
    ...over
  })
  node.start()
  return {
    async [Symbol.asyncDispose]() {
      await node.stop(1000)
      if (!given) await front.close(0)
      await node.close()
    },
    base: front.base,
    config,
    node,
    port: Number(new URL(front.base).port),
    serve: () => front.serve(node.handleRequest)
  }
}
