// Knows which other nodes listen, so that a node that is alone sends no hints: each would cost a statement.
//
// Every node says in each round that it is there. A node that has begun to listen sends hints until the others had time to say so. A
// node that hears one which it did not know tells it: the other one then looks for changes whose hints it was not sent.
//
// Rounds are counted, not time: a process that stood still for a minute would otherwise take all others for gone when it goes on.

/** A node that was silent for more rounds than these is gone. */
const MAX_SILENT_ROUNDS = 3

export class NodePresence {
  /** By id, the round in which each node was heard last. */
  readonly #heardIn = new Map<string, number>()
  #round = 0
  #listeningSince = 0

  /** The connection listens again: other nodes may have come meanwhile. */
  listening(): void {
    this.#listeningSince = this.#round
  }

  nextRound(): void {
    this.#round += 1
    for (const [node, round] of this.#heardIn) if (this.#isPast(round)) this.#heardIn.delete(node)
  }

  /** @returns whether the node was unknown */
  heard(node: string): boolean {
    const isUnknown = !this.#heardIn.has(node)
    this.#heardIn.set(node, this.#round)
    return isUnknown
  }

  /** Whether others may still have to say that they are there. Until then the node sends all hints. */
  isSettling(): boolean {
    return !this.#isPast(this.#listeningSince)
  }

  /** Whether no other node needs hints. */
  isAlone(): boolean {
    return !this.isSettling() && this.#heardIn.size === 0
  }

  #isPast(round: number): boolean {
    return this.#round - round > MAX_SILENT_ROUNDS
  }
}
