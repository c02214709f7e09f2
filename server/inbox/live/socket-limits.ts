// Limits of one client: the sockets of one address, and the messages of one socket.

import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import { setTimeout } from 'node:timers/promises'

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

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Counts one. @returns the function that releases it, once; undefined if the key is at its limit */
  take(key: string): (() => void) | undefined {
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#limit) return undefined
    this.#counts.set(key, count + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const remaining = this.#counts.get(key)! - 1
      if (remaining > 0) this.#counts.set(key, remaining)
      else this.#counts.delete(key)
    }
  }
}

/** Counts the open sockets, polling sessions and waiting polls of each address. */
export class SocketsPerAddress extends CountPerKey {
  readonly #trustedProxies: BlockList

  constructor(limit: number, trustedProxies: BlockList) {
    super(limit)
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
