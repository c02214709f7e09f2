// What one client may take: sockets of one address, and messages of one socket.

import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import { setTimeout } from 'node:timers/promises'

import { addressKey, addressOf } from '../../http/client-address.ts'

/** Bytes of one message from a client. */
export const MESSAGE_LIMIT = 16 * 1024
/** Milliseconds until the hello must have come. */
export const HELLO_TIME = 5_000

/** Counts open sockets by address. */
export class Addresses {
  readonly #limit: number
  readonly #trusted: BlockList
  readonly #open = new Map<string, number>()

  constructor(limit: number, trusted: BlockList) {
    this.#limit = limit
    this.#trusted = trusted
  }

  /** False when the address has enough; otherwise its socket counts until it closes. */
  admit(request: IncomingMessage): boolean {
    const key = addressKey(addressOf(request, this.#trusted))
    const open = this.#open.get(key) ?? 0
    if (open >= this.#limit) return false
    this.#open.set(key, open + 1)
    request.socket.once('close', () => {
      const left = this.#open.get(key)! - 1
      if (left > 0) this.#open.set(key, left)
      else this.#open.delete(key)
    })
    return true
  }
}

const BURST = 20
const PER_SECOND = 5
const STRIKES = 50

/** A token bucket for the messages of one socket: clients have little to say. */
export class Budget {
  #tokens = BURST
  #strikes = 0
  #at = performance.now()

  /** `late`: leave the message alone. `abuse`: hang up. */
  take(): 'ok' | 'late' | 'abuse' {
    this.#fill()
    if (this.#tokens >= 1) {
      this.#tokens -= 1
      return 'ok'
    }
    this.#strikes += 1
    return this.#strikes > STRIKES ? 'abuse' : 'late'
  }

  /** For one who is not told that it was too early: takes the next token as soon as there is one. */
  async wait(): Promise<void> {
    this.#fill()
    this.#tokens -= 1
    if (this.#tokens < 0) await setTimeout((-this.#tokens / PER_SECOND) * 1000, undefined, { ref: false })
  }

  #fill(): void {
    const now = performance.now()
    this.#tokens = Math.min(BURST, this.#tokens + ((now - this.#at) / 1000) * PER_SECOND)
    this.#at = now
  }
}
