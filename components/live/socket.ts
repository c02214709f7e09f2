// Keeps one socket open: detects silence, reconnects when the page wakes up, and stops for good when it is refused. partysocket
// reconnects after a close; a dialect (socket-io.ts, websocket.ts) reads and writes the texts. Behind a proxy that refuses
// WebSockets, events come by polls, and a socket is tried from time to time.

import ReconnectingWebSocket from 'partysocket/ws'

import { CLOSE_REFUSED, HEARTBEAT_MS } from '../protocol/index.ts'
import type { BaseEnvironment } from '../store/environment.ts'
import { createRetry } from '../store/retry.ts'
import type { LiveEvent } from '../store/transport.ts'
import type { Fallback } from './frames.ts'

export interface Session {
  /** Does nothing after this connection has ended. */
  send(text: string): void
  emit(event: LiveEvent | undefined): void
  /** Ends a connection on which the handshake failed, and opens another one after the back-off. */
  drop(): void
}

/** Called for each new connection; returns the function that reads its texts. */
type Dialect = (session: Session) => (text: string) => void

/** 0.5..5 s: partysocket has no jitter, so all clients would reconnect at the same moment after a restart of the server. */
const chooseFirstDelay = (): number => 500 + Math.random() * 4500

const OPEN = 1
/** How late a heartbeat may be. */
const HEARTBEAT_GRACE_MS = 5000
/** Longest wait for a socket, and for its first message. */
const OPEN_TIMEOUT_MS = 10_000
/** After so many sockets that could not be opened, polls begin. */
const FAILURES_BEFORE_POLLS = 2
/** During polls: wait before the next socket, doubled each time. */
const [SOCKET_RETRY_MS, MAX_SOCKET_RETRY_MS] = [60_000, 300_000]

interface Options {
  readonly url: URL
  readonly dialect: Dialect
  readonly listener: (event: LiveEvent) => void
  readonly environment: BaseEnvironment
  readonly fallback: Fallback
}

/** Opens the socket and returns the function that closes it for good. */
export function keepSocket({ dialect, environment, fallback, listener, url }: Options): () => void {
  let socket: ReconnectingWebSocket | undefined
  /** Changes with every opening and closing, so that a message for an old connection is not sent on a new one. */
  let connectionId = 0
  let isOnline: boolean | undefined
  let lastMessageAt = 0
  let cancelTimer = (): void => {}
  /** The server has accepted the credentials on this connection. */
  let isAccepted = false
  let stopPolls: (() => void) | undefined
  let socketRetryMs = SOCKET_RETRY_MS
  const retry = createRetry(environment)
  const isPolling = (): boolean => stopPolls !== undefined && isOnline === true

  function setOnline(now: boolean): void {
    if (isOnline !== now) listener({ type: now ? 'online' : 'offline' })
    isOnline = now
  }

  function closeSocket(): void {
    const old = socket
    socket = undefined
    connectionId++
    isAccepted = false
    cancelTimer()
    retry.cancel()
    old?.close()
  }

  function endPolls(): void {
    stopPolls?.()
    stopPolls = undefined
  }

  function startPolls(): void {
    stopPolls ??= fallback.poll(
      event => {
        if (event.type === 'refused') stop()
        else setOnline(true)
        listener(event)
      },
      () => {
        endPolls()
        setOnline(false)
        if (!socket) restart()
      }
    )
  }

  /** Called when a socket has closed, could not be opened, or is silent. */
  function endConnection(): void {
    if (!isAccepted) fallback.failed.count++
    isAccepted = false
    if (isPolling()) {
      closeSocket()
      cancelTimer = environment.after(socketRetryMs, start)
      socketRetryMs = Math.min(MAX_SOCKET_RETRY_MS, 2 * socketRetryMs)
    } else {
      setOnline(false)
      if (fallback.failed.count >= FAILURES_BEFORE_POLLS) startPolls()
    }
  }

  // Creates a new socket: `reconnect` of partysocket does nothing while it waits for its next attempt.
  function restart(): void {
    closeSocket()
    start()
  }

  /** Restarts the time-out of the heartbeat: a dead network path closes no socket. */
  function observeHeartbeat(timeoutMs = 2 * HEARTBEAT_MS): void {
    lastMessageAt = environment.now()
    cancelTimer()
    cancelTimer = environment.after(timeoutMs, () => {
      endConnection()
      if (socket) restart()
    })
  }

  function openSession(): Session {
    const ownId = connectionId
    return {
      drop() {
        if (ownId !== connectionId) return
        closeSocket()
        if (!isPolling()) setOnline(false)
        retry.schedule(start)
      },
      emit(event) {
        if (ownId !== connectionId || !event) return
        if (event.type === 'refused') stop()
        else {
          isAccepted = true
          fallback.failed.count = 0
          socketRetryMs = SOCKET_RETRY_MS
          endPolls()
          setOnline(true)
          retry.reset()
        }
        listener(event)
      },
      send(text) {
        if (ownId === connectionId && socket?.readyState === OPEN) socket.send(text)
      }
    }
  }

  function start(): void {
    const own = new ReconnectingWebSocket(url.href, [], {
      connectionTimeout: OPEN_TIMEOUT_MS,
      // The hello must be the first message.
      maxEnqueuedMessages: 0,
      maxReconnectionDelay: 30_000,
      minReconnectionDelay: chooseFirstDelay(),
      reconnectionDelayGrowFactor: 1.6,
      shouldReconnectOnClose: ({ code }) => code !== CLOSE_REFUSED && !isPolling()
    })
    socket = own
    let readText: ((text: string) => void) | undefined
    own.addEventListener('open', () => {
      if (own !== socket) return
      connectionId++
      observeHeartbeat(OPEN_TIMEOUT_MS)
      readText = dialect(openSession())
    })
    own.addEventListener('message', ({ data }) => {
      if (own !== socket) return
      observeHeartbeat()
      readText?.(String(data))
    })
    own.addEventListener('close', ({ code, reason }) => {
      if (own !== socket) return
      connectionId++
      cancelTimer()
      endConnection()
      if (code !== CLOSE_REFUSED) return
      // The frame with the reason did not arrive.
      stop()
      listener({ detail: '', title: reason, type: 'refused' })
    })
  }

  const unwatch = environment.watch(signal => {
    if (!socket) {
      // The new network may allow sockets.
      if (stopPolls && (signal === 'wake' || signal === 'show')) restart()
      return
    }
    // The socket may still work, for example to a server on this machine: the next heartbeat sets it online again.
    if (signal === 'lost') setOnline(false)
    else if (signal === 'wake' || signal === 'show') {
      // After a sleep the socket may look open although the connection is dead.
      const isOpen = socket.readyState === OPEN
      const isTrusted =
        isOnline !== false && environment.now() - lastMessageAt <= HEARTBEAT_MS + HEARTBEAT_GRACE_MS
      if (isOpen ? !isTrusted : socket.readyState > OPEN) restart()
    }
  })

  function stop(): void {
    unwatch()
    endPolls()
    closeSocket()
  }

  start()
  if (fallback.failed.count >= FAILURES_BEFORE_POLLS) startPolls()
  return stop
}
