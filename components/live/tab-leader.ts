// Shares one connection between all tabs of a browser: the tab that holds a lock keeps it open and forwards its events to the
// others. A new leader connects with its own version, and the greeting tells every tab what it missed.

// A channel has no target origin.
/* oxlint-disable unicorn/require-post-message-target-origin */

import { HEARTBEAT, type Counts } from '../protocol/index.ts'
import type { Surroundings } from '../store/environment.ts'
import type { LiveEvent } from '../store/transport.ts'
import { toLiveEvent, type Connect } from './frames.ts'

/** A leader that does not answer for this long counts as frozen. */
const ANSWER_TIMEOUT_MS = 3000
const ASK = 'ask'

interface KnownVersion {
  readonly version: number
  /** Counters at that version; undefined: not known. */
  readonly counts?: Counts | undefined
}

const newer = (known: KnownVersion, { counts, version }: KnownVersion): KnownVersion =>
  version > known.version || (version === known.version && counts) ? { counts, version } : known

function checked(message: unknown): LiveEvent | undefined {
  const { change, counts, type, version } = Object(message) as Record<string, unknown>
  if (type === 'online' || type === 'offline') return { type }
  const event = toLiveEvent(`inbox/${String(type)}`, change ?? { counts, reset: true, version })
  return event?.type === 'refused' ? undefined : event
}

/**
 * The same connection, shared with every tab that uses the same name. Where a browser has no locks (pages over plain
 * http from another machine) each tab has its own.
 */
export function shareConnection(name: string, connect: Connect, environment: Surroundings): Connect {
  const locks = globalThis.navigator?.locks as LockManager | undefined
  if (!locks || typeof BroadcastChannel === 'undefined') return connect

  return (listener, version) => {
    const tabs = new BroadcastChannel(name)
    let stopLeading: (() => void) | undefined
    let request = new AbortController()
    let cancelTimer = (): void => {}
    let ended = false
    // What a tab that comes later must hear.
    let state: LiveEvent | undefined
    let head: KnownVersion = { version: 0 }

    function end(): void {
      ended = true
      cancelTimer()
      request.abort()
      stopLeading?.()
      tabs.close()
    }

    function tell(event: LiveEvent): void {
      if (event.type === 'refused') {
        // Another tab may have valid credentials.
        end()
      } else {
        if (event.type === 'online' || event.type === 'offline') state = event
        // What has no version is not newer.
        else head = newer(head, event.type === 'change' ? event.change : (event as KnownVersion))
        tabs.postMessage(event)
      }
      listener(event)
    }

    const hold = (): Promise<void> =>
      new Promise(release => {
        if (ended) return release()
        cancelTimer()
        const disconnect = connect(tell, version)
        stopLeading = () => {
          stopLeading = undefined
          disconnect()
          release()
        }
      })

    function run(options: LockOptions): void {
      locks!.request(name, options, hold).catch(() => {
        // Another tab took the lock while this one was frozen: follow the new leader.
        if (!stopLeading || ended) return
        stopLeading()
        follow()
      })
    }

    function takeOver(): void {
      request.abort()
      run({ steal: true })
    }

    function ask(): void {
      tabs.postMessage(ASK)
      // Not all followers at the same moment.
      cancelTimer()
      cancelTimer = environment.after(ANSWER_TIMEOUT_MS * (1 + Math.random()), takeOver)
    }

    function follow(): void {
      request = new AbortController()
      run({ signal: request.signal })
      ask()
    }

    tabs.addEventListener('message', ({ data }) => {
      if (stopLeading) {
        if (data !== ASK) return
        if (state) tabs.postMessage(state)
        // Also while nothing is known yet, as a heartbeat.
        tabs.postMessage({ ...head, type: 'head' })
        return
      }
      const event = checked(data)
      if (!event) return
      cancelTimer()
      cancelTimer = environment.after(2 * HEARTBEAT, ask)
      listener(event)
    })

    follow()
    return end
  }
}
