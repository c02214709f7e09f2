// A tab without a browser: the real store over the real transport, with a network and a clock that a test controls.

import { createNotifStore, type NotifStore } from '../../components/headless/index.ts'
import type { Environment, ServerClock, Signal } from '../../components/store/environment.ts'
import { userHash } from '../../server/http/auth.ts'
import { CLIENT, SECRET } from '../process/send-and-read.ts'
import type { Node } from './node.ts'
import { openWire, type Wire } from './wire.ts'

export interface Tab extends AsyncDisposable {
  readonly store: NotifStore
  readonly wire: Wire
  /** Ids and dates in the order in which they were announced. */
  readonly announced: readonly string[]
  /** The computer wakes up: a minute has gone by, and the network may be another. */
  wake(): void
}

/** Of a computer that wakes up. */
export const SLEEP_MS = 60_000

/** Above the difference that the travel time of an answer makes, which stores ignore as well. */
const SAME_CLOCK_MS = 5_000

/** A clock of a page that is wrong by some time, which the answers of the server correct. */
function wrongClock(aheadMs: number): ServerClock & { sleep(ms: number): void } {
  let wrongMs = aheadMs
  let offsetMs: number | undefined
  return {
    now: () => Date.now() + wrongMs + (offsetMs ?? 0),
    get offsetMs() {
      return offsetMs
    },
    // The transport compares the server's time with that of this process.
    set offsetMs(given) {
      const next = (given ?? 0) - wrongMs
      if (offsetMs === undefined || Math.abs(next - offsetMs) > SAME_CLOCK_MS) offsetMs = next
    },
    sleep: ms => void (wrongMs += ms)
  }
}

/**
 * @param dialect - `http`: Socket.IO, `ws`: plain frames
 * @param aheadMs - how far the clock of the tab is ahead
 */
export async function openTab(
  node: Pick<Node, 'base' | 'port'>,
  userId: string,
  dialect: 'http' | 'ws',
  pageSize: number,
  aheadMs = 0
): Promise<Tab> {
  const wire = await openWire(node.port)
  const watchers = new Set<(signal: Signal) => void>()
  const clock = wrongClock(aheadMs)
  const environment: Partial<Environment> = {
    clock,
    now: () => clock.now(),
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
  store.onNewNotifications(items => announced.push(...items.map(({ date, id }) => `${id} ${date}`)))
  // The store works only while the page is visible.
  const leave = [store.$notifications, store.$counts, store.$connection, store.$preferences].map($store =>
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
      clock.sleep(SLEEP_MS)
      for (const watcher of watchers) watcher('wake')
    },
    wire
  }
}
