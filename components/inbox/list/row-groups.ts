// A long list stands in blocks, so that a browser passes over twenty rows at once of those that nobody sees.

/** Rows of a block. A window shows about as many, and one that comes live costs a block and not the whole list. */
const SIZE = 20

interface Keyed {
  readonly key: string
}

/** Who is in a block stays in it: a row that changed its place in the page would lose the focus. */
export class Blocks<Entry extends Keyed> {
  /** What has come near the window: rows elsewhere go without their buttons, which are a quarter of what a row costs. */
  readonly near = new WeakSet<readonly Entry[]>()
  /** The browser passes over blocks and says so: not all do. */
  #passes = false
  #places = new Map<string, Entry[]>()

  /**
   * The browser passes over the block of an entry now, or no more.
   *
   * @returns whether it is near for the first time
   */
  hear(key = '', skipped: boolean): boolean {
    this.#passes = true
    const place = this.#places.get(key)
    if (skipped || !place || this.near.has(place)) return false
    this.near.add(place)
    return true
  }

  /** @returns what stands in each block: the same array for as long as there is the block */
  cut(entries: readonly Entry[]): readonly (readonly Entry[])[] {
    const blocks = new Set<Entry[]>()
    const places = new Map<string, Entry[]>()
    let block: Entry[] | undefined
    // From the end: what comes live then fills up the block at the top.
    for (const entry of entries.toReversed()) {
      const place = this.#places.get(entry.key)
      // A list in a new order may come back to a block that is closed already.
      const opens = place && !blocks.has(place)
      if (opens || !block || block.length >= (place === block ? 2 * SIZE : SIZE)) {
        block = opens ? place : []
        block.length = 0
        blocks.add(block)
        if (!this.#passes) this.near.add(block)
      }
      block.unshift(entry)
      places.set(entry.key, block)
    }
    if (block) this.near.add(block)
    this.#places = places
    return [...blocks].toReversed()
  }
}
