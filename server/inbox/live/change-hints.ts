// Sends change hints to the other nodes: which inboxes and preferences changed, and which queues got rows back.
//
// Hints are merged and sent after the commit. A hint may be lost: sweeps find what it named.

import { randomBytes } from 'node:crypto'

import { openListenConnection, type ListenConnection, type ListenOptions } from '../../db/listen.ts'
import { QUEUES, type QueueName } from '../../queue/queues.ts'
import { NodePresence } from './node-presence.ts'
import { openRedisConnection, redisChannel } from './redis-connection.ts'

/** Of NOTIFY, which reaches one database only. */
const CHANNEL = 'notif_inbox'

/** NOTIFY rejects payloads of 8,000 bytes and more. */
const MAX_MESSAGE_BYTES = 7_900
/** Merges the hints of this time into few messages. */
const FLUSH_INTERVAL_MS = 25

export interface ChangeHint {
  readonly envId: string
  readonly userId: string
  /** Inbox version; undefined if the preferences changed. */
  readonly version: number | undefined
}

export interface QueueHint {
  /** A worker returned rows to this queue. */
  readonly queue: QueueName
}

export type Hint = ChangeHint | QueueHint

/** `[environment, user, version]`, without the version for preferences; the name of a queue. */
function encodeHint(hint: Hint): string {
  if ('queue' in hint) return JSON.stringify(hint.queue)
  const { envId, userId, version } = hint
  return JSON.stringify(version === undefined ? [envId, userId] : [envId, userId, version])
}

/** Packs hints into JSON arrays `[node, hint, …]`. Every hint fits into one message, because ids are short. */
export function packHints(node: string, hints: Iterable<Hint>): string[] {
  const messages: string[] = []
  const opening = `[${JSON.stringify(node)}`
  let message = opening
  let size = opening.length
  for (const hint of hints) {
    const text = `,${encodeHint(hint)}`
    const bytes = Buffer.byteLength(text)
    if (size + bytes + 1 > MAX_MESSAGE_BYTES) {
      if (message !== opening) messages.push(`${message}]`)
      message = opening
      size = opening.length
    }
    message += text
    size += bytes
  }
  if (message !== opening) messages.push(`${message}]`)
  return messages
}

interface Message {
  readonly node: string
  /** None: the node only says that it is there. */
  readonly hints: readonly Hint[]
  /** A node to which the sender sent no hints until now, because it did not know it. */
  readonly unknown: string | undefined
  /** Whether hints of the sender may not have reached others. */
  readonly hasUnsent: boolean
}

/** @returns undefined for a message of this node or of another format */
export function unpackHints(ownNode: string, message: string): Message | undefined {
  let parts: unknown
  try {
    parts = JSON.parse(message)
  } catch {
    return undefined
  }
  if (!Array.isArray(parts)) return undefined
  const [node, ...rest] = parts as unknown[]
  if (typeof node !== 'string' || node === ownNode) return undefined
  const hints = rest.flatMap((part: unknown): Hint[] => {
    const queue = QUEUES.find(name => name === part)
    if (queue) return [{ queue }]
    if (!Array.isArray(part)) return []
    const [envId, userId, version] = part as unknown[]
    return typeof envId === 'string' &&
      typeof userId === 'string' &&
      (part.length === 2 || typeof version === 'number')
      ? [{ envId, userId, version: version as number | undefined }]
      : []
  })
  const unknown = rest.find(part => isUnknownNode(part))?.unknown
  return { hasUnsent: rest.some(isUnsentMark), hints, node, unknown }
}

const isUnknownNode = (part: unknown): part is { readonly unknown: string } =>
  typeof part === 'object' && part !== null && 'unknown' in part && typeof part.unknown === 'string'

const isUnsentMark = (part: unknown): boolean => typeof part === 'object' && part !== null && 'unsent' in part

/** Of several hints with the same key, only the newest is sent. */
const hintKey = (hint: Hint): string =>
  'queue' in hint
    ? hint.queue
    : [hint.version === undefined ? 'preferences' : 'inbox', hint.envId, hint.userId].join('\0')

const isOlder = (waiting: Hint, hint: Hint): boolean =>
  'version' in waiting && 'version' in hint && (waiting.version ?? 0) < (hint.version ?? 0)

export interface ChangeHintsOptions extends Omit<
  ListenOptions,
  'channel' | 'onMessage' | 'onListening' | 'onUnsent'
> {
  /** Of Postgres or Redis. */
  readonly url: string
  /** A text that all nodes of an installation have: several may share a Redis. Default: ''. */
  readonly installation?: string
  readonly onHint: (hint: Hint) => void
  /** Called when hints may have been missed: this or another node listens again, or another one did not know this one. */
  readonly onMissed: () => void
  /** Id of this node for others. Processes that tell each other directly have the same. Default: a random one. */
  readonly node?: string
}

/** Between two messages with which a node says that it is there, if no interval is given. */
const ROUND_MS = 5_000

export class ChangeHints {
  readonly #node: string
  readonly #connection: ListenConnection
  #waiting = new Map<string, Hint>()
  #timer: NodeJS.Timeout | undefined
  #flushedAt = 0
  readonly #presence = new NodePresence()
  #hasUnsent = false
  readonly #rounds: NodeJS.Timeout

  constructor({
    node = randomBytes(6).toString('base64url'),
    installation = '',
    onHint,
    onMissed,
    ...options
  }: ChangeHintsOptions) {
    this.#node = node
    const isRedis = !options.url.startsWith('postgres')
    const open = isRedis ? openRedisConnection : openListenConnection
    this.#connection = open({
      ...options,
      channel: isRedis ? redisChannel(installation) : CHANNEL,
      onListening: () => {
        this.#presence.listening()
        this.#say(...(this.#hasUnsent ? [{ unsent: true as const }] : []))
        this.#hasUnsent = false
        onMissed()
      },
      onMessage: text => {
        const message = unpackHints(this.#node, text)
        if (!message) return
        const isUnknown = this.#presence.heard(message.node)
        if (isUnknown && !this.#presence.isSettling()) this.#say({ unknown: message.node })
        if (message.unknown === this.#node || message.hasUnsent) onMissed()
        for (const hint of message.hints) onHint(hint)
      },
      onUnsent: () => (this.#hasUnsent = true)
    })
    this.#rounds = setInterval(() => {
      this.#presence.nextRound()
      this.#say()
    }, options.echoIntervalMs ?? ROUND_MS).unref()
  }

  /** Whether hints of other nodes arrive. */
  get isListening(): boolean {
    return this.#connection.isListening
  }

  /** Sends at once if nothing was sent in the last 25 ms, else together with the next hints. A node that is alone sends nothing. */
  send(hints: readonly Hint[]): void {
    // Also if no other node was heard: none can be heard now.
    if (!this.#connection.isListening) this.#hasUnsent = true
    if (this.#presence.isAlone()) return
    for (const hint of hints) {
      const key = hintKey(hint)
      const waiting = this.#waiting.get(key)
      if (!waiting || isOlder(waiting, hint)) this.#waiting.set(key, hint)
    }
    if (this.#timer || this.#waiting.size === 0) return
    const waitMs = this.#flushedAt + FLUSH_INTERVAL_MS - performance.now()
    if (waitMs <= 0) this.#flush()
    else this.#timer = setTimeout(() => this.#flush(), waitMs)
  }

  async close(): Promise<void> {
    clearInterval(this.#rounds)
    clearTimeout(this.#timer)
    this.#flush()
    await this.#connection.close()
  }

  /** Says that this node is there. */
  #say(...parts: readonly ({ readonly unknown: string } | { readonly unsent: true })[]): void {
    this.#connection.notify(JSON.stringify([this.#node, ...parts]))
  }

  #flush(): void {
    this.#timer = undefined
    this.#flushedAt = performance.now()
    const hints = this.#waiting
    this.#waiting = new Map()
    for (const message of packHints(this.#node, hints.values())) this.#connection.notify(message)
  }
}
