// Knows which other nodes listen, so that a node that is alone sends no hints: each would cost a statement.
//
// Every node says regularly that it is there, and answers the first message of a node that it did not know. A node that has begun to
// listen sends hints until the others had time to answer. With each answer it looks for changes that it may have missed, because the
// other one may have thought until then that it was alone.

/** A node that was silent for as many intervals is gone. */
const MAX_SILENT_INTERVALS = 3

export class NodePresence {
  /** By id, when each node was heard last. */
  readonly #heardAt = new Map<string, number>()
  readonly #now: () => number
  readonly #silenceMs: number
  #listeningSince: number

  /**
   * @param intervalMs - between two messages of a node
   * @param now - milliseconds, monotonic
   */
  constructor(intervalMs: number, now: () => number = () => performance.now()) {
    this.#now = now
    this.#silenceMs = MAX_SILENT_INTERVALS * intervalMs
    this.#listeningSince = now()
  }

  /** The connection listens again: other nodes may have come meanwhile. */
  listening(): void {
    this.#listeningSince = this.#now()
  }

  /** @returns whether the node was unknown */
  heard(node: string): boolean {
    const now = this.#now()
    const before = this.#heardAt.get(node)
    this.#heardAt.set(node, now)
    return before === undefined || now - before > this.#silenceMs
  }

  /** Whether others may still have to say that they are there. */
  isSettling(): boolean {
    return this.#now() - this.#listeningSince <= this.#silenceMs
  }

  /** Whether no other node needs hints. */
  isAlone(): boolean {
    if (this.isSettling()) return false
    const now = this.#now()
    for (const [node, at] of this.#heardAt) if (now - at > this.#silenceMs) this.#heardAt.delete(node)
    return this.#heardAt.size === 0
  }
}
