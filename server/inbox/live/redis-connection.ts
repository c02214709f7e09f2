// Hints over Redis instead of NOTIFY (NOTIF_HINTS_URL), by sharded publish and subscribe: on a Redis cluster only the node that
// owns the channel carries them. One connection sends and receives, because the protocol is RESP3.
//
// Messages are lost while the connection is down. Nothing waits for Redis: no send, and no start of the server.

import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

import type { RedisClientType } from 'redis'

import type { ListenConnection, ListenOptions } from '../../db/listen.ts'

/** Hints that wait for Redis. Beyond, the connection counts as lost. */
const MAX_WAITING_MESSAGES = 1_000
/** Hints have at most 8,000 bytes; a longer message is of another program. */
const MAX_MESSAGE_CHARACTERS = 8_000
const CONNECT_TIMEOUT_MS = 5_000
const CLOSE_TIMEOUT_MS = 1_000
const MIN_RETRY_MS = 100
const MAX_RETRY_MS = 5_000

/** On a cluster, another node owns the channel: `MOVED 3999 127.0.0.1:6381`. */
const MOVED = /^MOVED \d+ (\S*):(\d+)$/

/**
 * Several installations may share a Redis, so each has a channel of its own.
 *
 * @param installation - a text that all its nodes have
 */
export const redisChannel = (installation: string): string =>
  `notif-kit:hints:${hash('sha256', installation, 'hex').slice(0, 16)}`

/** @returns the address of the node that the answer names, with the credentials of `url` */
export function movedTo(url: string, message: string): string | undefined {
  const [, host, port] = MOVED.exec(message) ?? []
  if (port === undefined) return undefined
  const moved = new URL(url)
  // An empty host means: the same.
  if (host) moved.hostname = host.includes(':') ? `[${host}]` : host
  moved.port = port
  return moved.href
}

/** Errors of Redis name no credentials, but may hold the address as a property. */
const messageOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  return message || code || 'unknown'
}

async function createConnection(url: string): Promise<RedisClientType> {
  // Loaded by installations only that use it.
  const { createClient } = await import('redis')
  return createClient({
    commandsQueueMaxLength: MAX_WAITING_MESSAGES,
    disableClientInfo: true,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    name: 'notif-kit',
    RESP: 3,
    socket: { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: false },
    url
  }) as RedisClientType
}

/**
 * The caller notifies at least once in each echo interval. The connection hears its own messages, so silence for twice as long
 * means that it is dead.
 */
export function openRedisConnection({
  url,
  channel,
  log: parentLog,
  onMessage,
  onListening,
  onUnsent,
  echoIntervalMs = 5_000
}: ListenOptions): ListenConnection {
  const log = parentLog.child({ component: 'hints' })
  let current: RedisClientType | undefined
  let isListening = false
  let isLossLogged = false
  let isClosed = false
  let receivedAt = 0
  let retryCount = 0
  let retryTimer: NodeJS.Timeout | undefined

  const open = async (address: string): Promise<void> => {
    retryTimer = undefined
    receivedAt = performance.now()
    let own: RedisClientType | undefined
    try {
      own = await createConnection(address)
      if (isClosed) return
      current = own
      own.on('error', (error: unknown) => lose(own, messageOf(error)))
      own.on('sharded-channel-moved', () => lose(own, 'the channel moved to another node'))
      await own.connect()
      await own.sSubscribe(channel, payload => {
        if (own !== current) return
        receivedAt = performance.now()
        if (payload.length <= MAX_MESSAGE_CHARACTERS) onMessage(payload)
      })
    } catch (error) {
      const moved = movedTo(url, messageOf(error))
      if (moved === undefined || address !== url) return lose(own, messageOf(error))
      own?.destroy()
      return own === current ? open(moved) : undefined
    }
    if (own !== current) return
    retryCount = 0
    receivedAt = performance.now()
    isListening = true
    if (isLossLogged) log.info({ event: 'hints_restored' }, 'Redis carries hints again')
    isLossLogged = false
    onListening()
  }

  const lose = (own: RedisClientType | undefined, reason: string): void => {
    if (own !== current) return
    current = undefined
    isListening = false
    own?.destroy()
    if (isClosed || retryTimer) return
    const retryInMs = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** retryCount) * (0.5 + Math.random())
    retryCount += 1
    // Once for each outage, which lasts for many attempts.
    if (isLossLogged) {
      log.debug({ event: 'hints_retry_failed', reason }, 'Redis still carries no hints; trying again')
    } else {
      log.warn(
        { event: 'hints_lost', reason },
        'Redis does not carry hints; changes of other nodes are found by sweeps only until it does'
      )
    }
    isLossLogged = true
    retryTimer = setTimeout(() => void open(url), retryInMs)
    retryTimer.unref()
  }

  const watch = setInterval(() => {
    if (performance.now() - receivedAt > 2 * echoIntervalMs) lose(current, 'it does not answer')
  }, echoIntervalMs)
  watch.unref()
  void open(url)

  return {
    async close() {
      isClosed = true
      clearInterval(watch)
      clearTimeout(retryTimer)
      const old = current
      current = undefined
      isListening = false
      // What was sent just before leaves with it.
      const timeout = pause(CLOSE_TIMEOUT_MS, undefined, { ref: false })
      if (old?.isReady) await Promise.race([old.close(), timeout])
      old?.destroy()
    },
    get isListening() {
      return isListening
    },
    notify(payload) {
      const own = current
      if (!own || !isListening) return onUnsent()
      own.sPublish(channel, payload).catch((error: unknown) => {
        onUnsent()
        lose(own, messageOf(error))
      })
    }
  }
}
