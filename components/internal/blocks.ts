// A long list stands in blocks, so that a browser passes over twenty rows at once of those that nobody sees.

/** Rows of a block. A window shows about as many, and one that comes live costs a block and not the whole list. */
const SIZE = 20

interface Keyed {
  readonly key: string
}

/** Who is in a block stays in it: a row that changed its place in the page would lose the focus. */
export class Blocks {
  #count = 0
  #places = new Map<string, number>()

  /** @returns what stands in each block, with the number of the block */
  cut<Entry extends Keyed>(entries: readonly Entry[]): readonly (readonly [number, readonly Entry[]])[] {
    const blocks = new Map<number, Entry[]>()
    const places = new Map<string, number>()
    let at = -1
    let block: Entry[] | undefined
    // From the end: what comes live then fills up the block at the top.
    for (const entry of entries.toReversed()) {
      const place = this.#places.get(entry.key)
      // A list in a new order may come back to a block that is closed already.
      const opens = place !== undefined && !blocks.has(place)
      if (opens || !block || block.length >= (place === at ? 2 * SIZE : SIZE)) {
        at = opens ? place : this.#count++
        blocks.set(at, (block = []))
      }
      block.unshift(entry)
      places.set(entry.key, at)
    }
    this.#places = places
    return [...blocks].toReversed()
  }
}
