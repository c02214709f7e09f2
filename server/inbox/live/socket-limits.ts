// Limits of one client: the sockets of one address, and the messages of one socket.

import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import { setTimeout } from 'node:timers/promises'

import { NO_SIBLINGS, type Sibling, type Siblings } from '../../core/siblings.ts'
import { addressKey, clientAddress } from '../../http/client-address.ts'
import { MAX_PREFERENCES } from '../../users/preferences/schema.ts'
import { MAX_PAGE_BYTES } from '../read-inbox.sql.ts'

export interface LiveLimits {
  readonly pageBytes: number
  readonly preferences: number
  /** Unsent bytes after which a slow socket is dropped: they are held in memory. */
  readonly backlogBytes: number
}

export const LIVE_LIMITS: LiveLimits = {
  backlogBytes: 1_000_000,
  pageBytes: MAX_PAGE_BYTES,
  preferences: MAX_PREFERENCES
}

export const MAX_MESSAGE_BYTES = 16 * 1024
export const HANDSHAKE_TIMEOUT_MS = 5_000

/** Counts what is open for each key, such as an address or a user. */
export class CountPerKey {
  readonly #limit: number
  readonly #counts = new Map<string, number>()
  readonly #siblings: SiblingCounts | undefined

  /** @param shared - to count together with the sibling processes: these, and a topic that no other limit has */
  constructor(limit: number, shared?: { readonly siblings: Siblings; readonly topic: string }) {
    this.#limit = limit
    this.#siblings = shared && new SiblingCounts(shared.siblings, shared.topic, this.#counts)
  }

  /** Counts one. @returns the function that releases it, once; undefined if the key is at its limit */
  take(key: string): (() => void) | undefined {
    const count = this.#counts.get(key) ?? 0
    if (count + (this.#siblings?.of(key) ?? 0) >= this.#limit) return undefined
    this.#counts.set(key, count + 1)
    this.#siblings?.tell(key)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const remaining = this.#counts.get(key)! - 1
      if (remaining > 0) this.#counts.set(key, remaining)
      else this.#counts.delete(key)
      this.#siblings?.tell(key)
    }
  }
}

/** What the siblings count. Each says how many it has, not what changed, so that a message may come twice. */
class SiblingCounts {
  readonly #siblings: Siblings
  readonly #topic: string
  readonly #own: ReadonlyMap<string, number>
  readonly #others = new Map<number, Map<string, number>>()

  constructor(siblings: Siblings, topic: string, own: ReadonlyMap<string, number>) {
    this.#siblings = siblings
    this.#topic = topic
    this.#own = own
    siblings.on(topic, (text, { number }) => {
      const [key, count] = JSON.parse(text) as [string, number]
      const counts = this.#others.get(number) ?? new Map<string, number>()
      this.#others.set(number, counts)
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    })
    siblings.onLost(number => this.#others.delete(number))
    siblings.onReachable(sibling => {
      for (const key of own.keys()) this.tell(key, sibling)
    })
  }

  of(key: string): number {
    let sum = 0
    for (const counts of this.#others.values()) sum += counts.get(key) ?? 0
    return sum
  }

  tell(key: string, to: Pick<Sibling, 'send'> = this.#siblings): void {
    to.send(this.#topic, JSON.stringify([key, this.#own.get(key) ?? 0]))
  }
}

/** Counts the open sockets, polling sessions and waiting polls of each address. */
export class SocketsPerAddress extends CountPerKey {
  readonly #trustedProxies: BlockList

  constructor(limit: number, trustedProxies: BlockList, siblings: Siblings = NO_SIBLINGS) {
    super(limit, { siblings, topic: 'sockets of address' })
    this.#trustedProxies = trustedProxies
  }

  keyOf(request: IncomingMessage): string {
    return addressKey(clientAddress(request, this.#trustedProxies))
  }

  /** Counts the socket until it closes. @returns false if the address is at its limit */
  admit(request: IncomingMessage): boolean {
    const release = this.take(this.keyOf(request))
    if (release) request.socket.once('close', release)
    return release !== undefined
  }
}

const MAX_TOKENS = 20
const TOKENS_PER_SECOND = 5
const MAX_EXCESS_MESSAGES = 50

/** A token bucket for the messages of one socket. */
export class MessageBudget {
  #tokens = MAX_TOKENS
  #excessCount = 0
  #filledAt = performance.now()

  /** @returns `late`: ignore the message; `abuse`: close the connection */
  tryTake(): 'ok' | 'late' | 'abuse' {
    this.#fill()
    if (this.#tokens >= 1) {
      this.#tokens -= 1
      return 'ok'
    }
    this.#excessCount += 1
    return this.#excessCount > MAX_EXCESS_MESSAGES ? 'abuse' : 'late'
  }

  /** Takes the next token as soon as there is one. For messages whose sender would not repeat them. */
  async wait(): Promise<void> {
    this.#fill()
    this.#tokens -= 1
    if (this.#tokens < 0) {
      await setTimeout((-this.#tokens / TOKENS_PER_SECOND) * 1000, undefined, { ref: false })
    }
  }

  #fill(): void {
    const now = performance.now()
    const refill = ((now - this.#filledAt) / 1000) * TOKENS_PER_SECOND
    this.#tokens = Math.min(MAX_TOKENS, this.#tokens + refill)
    this.#filledAt = now
  }
}
