// Shares one connection between all tabs of a browser: the tab that holds a lock keeps it open and forwards its events to the
// others. A new leader connects with its own version, and the greeting tells every tab what it missed.

// A channel has no target origin.
/* oxlint-disable unicorn/require-post-message-target-origin */

import { HEARTBEAT_MS, type Counts, type Pause } from '../protocol/index.ts'
import type { BaseEnvironment } from '../store/environment.ts'
import type { LiveEvent } from '../store/transport.ts'
import { toLiveEvent, type Connect } from './frames.ts'

/** A leader that does not answer for this long counts as frozen. */
const ANSWER_TIMEOUT_MS = 3000
const GREETING_REQUEST = 'ask'

interface KnownVersion {
  readonly version: number
  /** Counters at that version; undefined: not known. */
  readonly counts?: Counts | undefined
}

const pickNewer = (known: KnownVersion, { counts, version }: KnownVersion): KnownVersion =>
  version > known.version || (version === known.version && counts) ? { counts, version } : known

function parseMessage(message: unknown): LiveEvent | undefined {
  const { change, counts, pause, type, version } = Object(message) as Record<string, unknown>
  if (type === 'online' || type === 'offline') return { type }
  const event = toLiveEvent(`inbox/${String(type)}`, change ?? { counts, pause, reset: true, version })
  return event?.type === 'refused' ? undefined : event
}

/**
 * Shares a connection with every tab that uses the same name. In a browser without locks (pages over plain HTTP from another
 * machine) each tab has its own connection.
 */
export function shareConnection(name: string, connect: Connect, environment: BaseEnvironment): Connect {
  const locks = globalThis.navigator?.locks as LockManager | undefined
  if (!locks || typeof BroadcastChannel === 'undefined') return connect

  return (listener, version) => {
    const tabs = new BroadcastChannel(name)
    let stopLeading: (() => void) | undefined
    let request = new AbortController()
    let cancelTimer = (): void => {}
    let isEnded = false
    /** Sent to tabs that open later. */
    let lastState: LiveEvent | undefined
    let newest: KnownVersion = { version: 0 }
    let pause: Pause | undefined
    /** Another tab had the connection before, and the preferences were not read again since. */
    let hasFollowed = false

    function end(): void {
      isEnded = true
      cancelTimer()
      request.abort()
      stopLeading?.()
      tabs.close()
    }

    function broadcast(event: LiveEvent): void {
      if (isEnded) return
      if (event.type === 'refused') {
        // Another tab may have valid credentials.
        end()
      } else {
        if (event.type === 'online' || event.type === 'offline') lastState = event
        if ('pause' in event) ({ pause } = event)
        // An event without a version is never newer.
        newest = pickNewer(newest, event.type === 'change' ? event.change : (event as KnownVersion))
        tabs.postMessage(event)
      }
      listener(event)
      if (event.type !== 'online' || !hasFollowed) return
      hasFollowed = false
      // No tab received events after the last leader ended. The greeting names what the inbox missed, but not whether preferences changed.
      broadcast({ type: 'preferences' })
    }

    const lead = (): Promise<void> =>
      new Promise(release => {
        if (isEnded) return release()
        cancelTimer()
        const disconnect = connect(broadcast, version)
        stopLeading = () => {
          stopLeading = undefined
          disconnect()
          release()
        }
      })

    function requestLock(options: LockOptions): void {
      locks!.request(name, options, lead).catch(() => {
        // Another tab took the lock while this one was frozen: follow the new leader.
        if (!stopLeading || isEnded) return
        stopLeading()
        follow()
      })
    }

    function takeOver(): void {
      hasFollowed = true
      request.abort()
      requestLock({ steal: true })
    }

    function askLeader(): void {
      tabs.postMessage(GREETING_REQUEST)
      // Not all followers at the same moment.
      cancelTimer()
      cancelTimer = environment.after(ANSWER_TIMEOUT_MS * (1 + Math.random()), takeOver)
    }

    function follow(): void {
      request = new AbortController()
      requestLock({ signal: request.signal })
      askLeader()
    }

    tabs.addEventListener('message', ({ data }) => {
      if (stopLeading) {
        if (data !== GREETING_REQUEST) return
        if (lastState) tabs.postMessage(lastState)
        // Also while no version is known: it shows that a leader exists.
        tabs.postMessage({ ...newest, pause, type: 'head' })
        return
      }
      const event = parseMessage(data)
      if (!event) return
      hasFollowed = true
      cancelTimer()
      cancelTimer = environment.after(2 * HEARTBEAT_MS, askLeader)
      listener(event)
    })

    follow()
    return end
  }
}
