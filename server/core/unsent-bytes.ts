// Limits the bytes that clients leave unread: they lie in the memory of the process until the client reads them or is dropped.

/** Unread bytes of one client. A client that reads has fewer than its network holds; a page of an inbox has at most 4 MB. */
const MAX_BYTES_PER_CLIENT = 16 * 1024 * 1024

/** Unread bytes of all clients of a process. */
const MAX_BYTES = 128 * 1024 * 1024

interface Unsent {
  readonly bytes: number
  drop(): void
}

interface Client {
  /** Oldest first. */
  readonly parts: Set<Unsent>
  bytes: number
}

export class UnsentBytes {
  readonly #clients = new Map<string, Client>()
  readonly #maxPerClient: number
  readonly #max: number
  #bytes = 0

  constructor(maxPerClient = MAX_BYTES_PER_CLIENT, max = MAX_BYTES) {
    this.#maxPerClient = maxPerClient
    this.#max = max
  }

  /**
   * Counts bytes that were not sent at once. Beyond a limit, drops the connections that wait longest: of this client, or of the client
   * with the most bytes.
   *
   * @param client - a user, or an address where there is no user
   * @param drop - closes the connection
   * @returns releases the bytes, after they were sent or the connection has closed
   */
  hold(client: string, bytes: number, drop: () => void): () => void {
    const part = { bytes, drop }
    const holder = this.#clients.get(client) ?? { bytes: 0, parts: new Set() }
    this.#clients.set(client, holder)
    holder.parts.add(part)
    holder.bytes += bytes
    this.#bytes += bytes
    while (holder.bytes > this.#maxPerClient && holder.parts.size > 1) this.#dropOldest(client, holder)
    while (this.#bytes > this.#max && this.#clients.size > 1) this.#dropOldest(...this.#largest())
    return () => this.#release(client, holder, part)
  }

  #release(client: string, holder: Client, part: Unsent): void {
    if (!holder.parts.delete(part)) return
    holder.bytes -= part.bytes
    this.#bytes -= part.bytes
    if (holder.parts.size === 0 && this.#clients.get(client) === holder) this.#clients.delete(client)
  }

  #dropOldest(client: string, holder: Client): void {
    const [oldest] = holder.parts
    this.#release(client, holder, oldest!)
    oldest!.drop()
  }

  #largest(): [string, Client] {
    return [...this.#clients].reduce((most, other) => (other[1].bytes > most[1].bytes ? other : most))
  }
}
