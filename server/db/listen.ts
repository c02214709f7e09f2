// The LISTEN connection: sends and receives short messages between nodes with LISTEN and NOTIFY.
//
// Messages are lost while the connection is down, and now and then one that seemed to be sent. `onListening` says when to
// look for changes that may have been missed. The same interface over Redis is in inbox/live/redis-connection.ts.

import { randomBytes } from 'node:crypto'

import type { Log } from '../core/log.ts'
import { connect } from './connect.ts'
import type { Sql } from './db.ts'

export interface ListenOptions {
  /** Address of a direct connection, not of a pooler. */
  readonly url: string
  readonly channel: string
  readonly log: Log
  readonly onMessage: (payload: string) => void
  /** Called when the connection listens, for the first time or again. */
  readonly onListening: () => void
  /** Called when a message may not have reached the others. */
  readonly onUnsent: () => void
  /**
   * Time between two messages of the connection to itself. Silence for twice as long means that the connection is dead.
   * Default: 5 s.
   */
  readonly echoIntervalMs?: number
}

export interface ListenConnection {
  /** Sends up to 7,999 bytes to every node that listens, also to this one. Lost while the connection is down. */
  notify(payload: string): void
  readonly isListening: boolean
  close(): Promise<void>
}

const MIN_RETRY_MS = 100
const MAX_RETRY_MS = 5_000

export function openListenConnection({
  url,
  channel,
  log: parentLog,
  onMessage,
  onListening,
  onUnsent,
  echoIntervalMs = 5_000
}: ListenOptions): ListenConnection {
  const log = parentLog.child({ component: 'listen' })
  const echoChannel = `notif_echo_${randomBytes(8).toString('hex')}`
  let current: Sql | undefined
  let receivedAt = 0
  let retryCount = 0
  let isListening = false
  let isClosed = false
  let retryTimer: NodeJS.Timeout | undefined

  const open = async (): Promise<void> => {
    retryTimer = undefined
    let own: Sql | undefined
    const options = {
      connect_timeout: 10,
      connection: { application_name: 'notif-kit listen' },
      fetch_types: false,
      idle_timeout: 0,
      max: 1,
      max_lifetime: null,
      onclose: () => {
        if (own !== undefined && own === current) reconnect('closed')
      },
      onnotice: () => {},
      onnotify(name: string, payload: string) {
        if (own !== current) return
        receivedAt = performance.now()
        if (name === channel) onMessage(payload)
      }
    }
    own = connect(url, options)
    current = own
    receivedAt = performance.now()
    try {
      await own.unsafe(`listen "${channel}"`)
      await own.unsafe(`listen "${echoChannel}"`)
    } catch (error) {
      if (own === current) reconnect('listen failed', error)
      return
    }
    if (own !== current) return
    retryCount = 0
    receivedAt = performance.now()
    isListening = true
    onListening()
  }

  const reconnect = (reason: string, err?: unknown): void => {
    const old = current
    current = undefined
    isListening = false
    // Queries of the old connection fail; no code waits for them.
    old?.end({ timeout: 0 }).catch(() => {})
    if (isClosed || retryTimer) return
    const retryInMs = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** retryCount) * (0.5 + Math.random())
    retryCount += 1
    log.warn(
      { err, event: 'listen_lost', reason, retryInMs: Math.round(retryInMs) },
      'LISTEN connection lost, reconnecting; hints of other nodes are missed until then'
    )
    retryTimer = setTimeout(() => void open(), retryInMs)
    retryTimer.unref()
  }

  const send = (name: string, payload: string): void => {
    const own = current
    if (!own) return
    own`select pg_notify(${name}, ${payload})`.catch((error: unknown) => {
      if (name === channel) onUnsent()
      if (own === current) reconnect('notify failed', error)
    })
  }

  const echo = setInterval(() => {
    if (!current) return
    if (performance.now() - receivedAt > 2 * echoIntervalMs) reconnect('no echo')
    else send(echoChannel, '')
  }, echoIntervalMs)
  echo.unref()
  void open()

  return {
    async close() {
      isClosed = true
      clearInterval(echo)
      clearTimeout(retryTimer)
      const old = current
      current = undefined
      await old?.end({ timeout: 1 }).catch(() => {})
    },
    get isListening() {
      return isListening
    },
    notify(payload) {
      if (!isListening) onUnsent()
      send(channel, payload)
    }
  }
}
