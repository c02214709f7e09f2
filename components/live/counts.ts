// The counters of an inbox, which is all that a badge needs: from the greeting of the live connection on, change by change.
// It asks for nothing. Where something is missing it says so, and whoever can ask goes on from what it knew.

import type { ReadableAtom } from 'nanostores'

import type { Counts, Notif } from '../protocol/index.ts'
import { cell } from '../store/cell.ts'
import { newsOf } from '../store/is-new.ts'
import type { Head, Line, Receiver } from '../store/receiver.ts'

interface HeadStore {
  readonly $counts: ReadableAtom<Counts>
  get(): Head | undefined
  /** Knows nothing any more. */
  forget(): void
  start(): void
  stop(): void
}

/** How long the greeting may take before the counters are asked for instead, in milliseconds. */
const PATIENCE = 5000

interface Options {
  readonly line: Line
  /** Called when only a request can tell what the counters are. */
  readonly lost: () => void
  readonly news: (items: readonly Notif[]) => void
}

export function createHead({ line, lost, news }: Options): HeadStore {
  const none: Counts = { unarchived: 0, unopened: 0 }
  let counts = none
  const $counts = cell(() => counts)
  let head: Head | undefined
  let cancel = (): void => {}

  function take(next: Head): void {
    cancel()
    head = next
    ;({ counts } = next)
    $counts.notify()
  }

  const receiver: Receiver = {
    receive(event) {
      const { type } = event
      const known = head?.version ?? -1
      if (type === 'change' && event.change.prev <= known) {
        if (event.change.version <= known) return
        take(event.change)
        const items = newsOf(known, event.change)
        if (items.length > 0) news(items)
      } else if (type === 'head') {
        if (!head && event.counts) take(event as Head)
        // An older one is a sign of life, and so is that of a tab that knows nothing yet.
        else if (event.version > Math.max(0, known)) lost()
      } else if (type === 'offline' ? !head : type === 'change' || type === 'reset') lost()
    },
    version: () => head?.version
  }

  return {
    $counts,
    forget() {
      head = undefined
      counts = none
      $counts.notify()
    },
    get: () => head,
    start() {
      // We were away: what we know says nothing about now, and what came meanwhile is no news.
      head = undefined
      cancel = line.environment.after(PATIENCE, lost)
      line.start(receiver)
    },
    stop() {
      cancel()
      line.stop(receiver)
    }
  }
}
