// One socket that is kept open: reconnects with jitter, notices silence, wakes up with its page, and stops for good when
// refused. What is said over it is the business of a dialect (socket-io.ts, websocket.ts).

import ReconnectingWebSocket from 'partysocket/ws'

import { CLOSE_REFUSED, HEARTBEAT } from '../protocol/index.ts'
import type { Surroundings } from '../store/environment.ts'
import type { LiveEvent } from '../store/transport.ts'

export interface Session {
  /** Does nothing once this connection is over. */
  send(text: string): void
  emit(event: LiveEvent | undefined): void
  /** Hangs up and comes back later. */
  drop(): void
}

/** Called for each new connection; gives the function that takes its texts. */
type Dialect = (line: Session) => (text: string) => void

/** 0.5..5 s: partysocket has no jitter of its own, so all clients of a restarted server would come back at once. */
const pause = (): number => 500 + Math.random() * 4500

const OPEN = 1
/** How late a heartbeat may be, in milliseconds. */
const GRACE = 5000

interface Options {
  readonly url: URL
  readonly dialect: Dialect
  readonly listener: (event: LiveEvent) => void
  readonly environment: Surroundings
}

/** Opens the socket and returns the function that closes it for good. */
export function keepSocket({ dialect, environment, listener, url }: Options): () => void {
  let socket: ReconnectingWebSocket | undefined
  /** Changes with every opening and closing, so that an answer for an old connection does not go into a new one. */
  let session = 0
  let online: boolean | undefined
  let heardAt = 0
  let cancelTimer = (): void => {}

  function setOnline(now: boolean): void {
    if (online !== now) listener({ type: now ? 'online' : 'offline' })
    online = now
  }

  function hangUp(): void {
    const old = socket
    socket = undefined
    session++
    cancelTimer()
    old?.close()
  }

  // A new one each time, as `reconnect` of partysocket does nothing while it waits for its next try.
  function restart(): void {
    hangUp()
    start()
  }

  /** A link may be dead without anyone saying so: whoever hears nothing for two heartbeats dials again. */
  function alive(): void {
    heardAt = environment.now()
    cancelTimer()
    cancelTimer = environment.after(2 * HEARTBEAT, () => {
      setOnline(false)
      restart()
    })
  }

  function line(): Session {
    const mine = session
    return {
      drop() {
        if (mine !== session) return
        hangUp()
        setOnline(false)
        cancelTimer = environment.after(pause(), start)
      },
      emit(event) {
        if (mine !== session || !event) return
        if (event.type === 'refused') stop()
        else setOnline(true)
        listener(event)
      },
      send(text) {
        if (mine === session && socket?.readyState === OPEN) socket.send(text)
      }
    }
  }

  function start(): void {
    const own = new ReconnectingWebSocket(url.href, [], {
      connectionTimeout: 10_000,
      // Nothing may be said before the hello.
      maxEnqueuedMessages: 0,
      maxReconnectionDelay: 30_000,
      minReconnectionDelay: pause(),
      reconnectionDelayGrowFactor: 1.6,
      shouldReconnectOnClose: ({ code }) => code !== CLOSE_REFUSED
    })
    socket = own
    let hear: ((text: string) => void) | undefined
    own.addEventListener('open', () => {
      if (own !== socket) return
      session++
      alive()
      hear = dialect(line())
    })
    own.addEventListener('message', ({ data }) => {
      if (own !== socket) return
      alive()
      hear?.(String(data))
    })
    own.addEventListener('close', ({ code, reason }) => {
      if (own !== socket) return
      session++
      cancelTimer()
      setOnline(false)
      if (code !== CLOSE_REFUSED) return
      // The frame that says why did not come through.
      stop()
      listener({ detail: '', title: reason, type: 'refused' })
    })
  }

  const unwatch = environment.watch(signal => {
    if (!socket) return
    // It may only seem so, with a server on this machine: then the next heartbeat says that it is not.
    if (signal === 'lost') setOnline(false)
    else if (signal === 'wake' || signal === 'show') {
      // After a sleep the socket looks open, and nobody is there.
      const open = socket.readyState === OPEN
      const trusted = online !== false && environment.now() - heardAt <= HEARTBEAT + GRACE
      if (open ? !trusted : socket.readyState > OPEN) restart()
    }
  })

  function stop(): void {
    unwatch()
    hangUp()
  }

  start()
  return stop
}
