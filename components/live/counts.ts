// The counters of an inbox, which is all that a badge needs: from the greeting of the connection, then change by change.
//
// Requests nothing: if a change is missing, it reports the gap, and the inbox continues from the counters known here.

import type { Counts, Notif } from '../protocol/index.ts'
import { findNew, NO_COUNTS } from '../store/inbox-state.ts'
import type { InboxCounts, LiveConnection, Receiver } from '../store/receiver.ts'

interface LiveCounts {
  get(): InboxCounts | undefined
  /** Clears the counters. */
  reset(): void
  start(): void
  stop(): void
}

const GREETING_TIMEOUT_MS = 5000

interface Options {
  readonly connection: LiveConnection
  readonly onCounts: (counts: Counts) => void
  /** Called when the counters must be requested. */
  readonly onGap: () => void
  readonly onNew: (items: readonly Notif[]) => void
}

export function createCounts({ connection, onCounts, onGap, onNew }: Options): LiveCounts {
  let known: InboxCounts | undefined
  let cancelTimer = (): void => {}

  function setCounts(next: InboxCounts): void {
    cancelTimer()
    known = next
    onCounts(Object.freeze(next.counts))
  }

  const receiver: Receiver = {
    receive(event) {
      const { type } = event
      const version = known?.version ?? -1
      if (type === 'change' && event.change.prev <= version) {
        if (event.change.version <= version) return
        setCounts(event.change)
        const items = findNew(version, event.change)
        if (items.length > 0) onNew(items)
      } else if (type === 'head') {
        if (!known && event.counts) setCounts(event as InboxCounts)
        // An older version is only a heartbeat; a tab that knows no version yet sends 0.
        else if (event.version > Math.max(0, version)) onGap()
      } else if (type === 'offline' ? !known : type === 'change' || type === 'reset') onGap()
    },
    version: () => known?.version
  }

  return {
    get: () => known,
    reset() {
      known = undefined
      onCounts(NO_COUNTS)
    },
    start() {
      // The counters of an earlier connection are out of date, and notifications since then are not reported as new.
      known = undefined
      cancelTimer = connection.environment.after(GREETING_TIMEOUT_MS, onGap)
      connection.start(receiver)
    },
    stop() {
      cancelTimer()
      connection.stop(receiver)
    }
  }
}
