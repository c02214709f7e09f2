// A tab without a browser: the real store over the real transport, with a network and a clock that a test controls.

import { createNotifStore, type NotifStore } from '../../components/headless/index.ts'
import type { Environment, Signal } from '../../components/store/environment.ts'
import { userHash } from '../../server/http/auth.ts'
import { CLIENT, SECRET } from '../process/send-and-read.ts'
import type { Node } from './node.ts'
import { openWire, type Wire } from './wire.ts'

export interface Tab extends AsyncDisposable {
  readonly store: NotifStore
  readonly wire: Wire
  /** Ids in the order in which they were announced. */
  readonly announced: readonly string[]
  /** The computer wakes up: a minute has gone by, and the network may be another. */
  wake(): void
}

const MINUTE = 60_000

/** @param dialect - `http`: Socket.IO, `ws`: plain frames */
export async function openTab(
  node: Pick<Node, 'base' | 'port'>,
  userId: string,
  dialect: 'http' | 'ws',
  pageSize: number
): Promise<Tab> {
  const wire = await openWire(node.port)
  const watchers = new Set<(signal: Signal) => void>()
  let slept = 0
  const environment: Partial<Environment> = {
    now: () => Date.now() + slept,
    watch(listener) {
      watchers.add(listener)
      return () => watchers.delete(listener)
    }
  }
  const store = createNotifStore({
    apiUrl: node.base,
    clientId: CLIENT,
    environment,
    pageSize,
    userHash: userHash(SECRET, userId),
    userId,
    wsUrl: `${dialect}://127.0.0.1:${wire.port}${new URL(node.base).pathname}`
  })
  const announced: string[] = []
  store.onNewNotifications(items => announced.push(...items.map(({ id }) => id)))
  // The store works only while the page is visible.
  const leave = [store.$notifications, store.$counts, store.$connection].map($store =>
    $store.listen(() => {})
  )
  return {
    async [Symbol.asyncDispose]() {
      for (const stop of leave) stop()
      store.destroy()
      await wire[Symbol.asyncDispose]()
    },
    announced,
    store,
    wake() {
      slept += MINUTE
      for (const watcher of watchers) watcher('wake')
    },
    wire
  }
}
