// Divides a long list into groups of rows, each an element with `content-visibility: auto`, which the browser skips while it is far
// from the window.

/** About as many rows as a window shows. A live notification renders one group again and not the whole list. */
const GROUP_SIZE = 20

interface Keyed {
  readonly key: string
}

/** Entries stay in their group: a row that moves in the DOM would lose the focus. */
export class RowGroups<Entry extends Keyed> {
  /** Groups that have come near the window. Rows of others have no buttons, which are a quarter of the cost of a row. */
  readonly near = new WeakSet<readonly Entry[]>()
  /** Whether the browser reports that it skips groups: not all do. */
  #isReported = false
  #groupByKey = new Map<string, Entry[]>()

  /**
   * The browser starts or stops skipping the group of an entry.
   *
   * @returns whether the group is near the window for the first time
   */
  setSkipped(key = '', isSkipped: boolean): boolean {
    this.#isReported = true
    const group = this.#groupByKey.get(key)
    if (isSkipped || !group || this.near.has(group)) return false
    this.near.add(group)
    return true
  }

  /** @returns the entries of each group; a group is the same array at each call */
  group(entries: readonly Entry[]): readonly (readonly Entry[])[] {
    const groups = new Set<Entry[]>()
    const groupByKey = new Map<string, Entry[]>()
    let group: Entry[] | undefined
    // From the end, so that live notifications fill up the first group.
    for (const entry of entries.toReversed()) {
      const before = this.#groupByKey.get(entry.key)
      // A list in a new order may return to a group that is closed already.
      const isOpened = before && !groups.has(before)
      if (isOpened || !group || group.length >= (before === group ? 2 * GROUP_SIZE : GROUP_SIZE)) {
        group = isOpened ? before : []
        group.length = 0
        groups.add(group)
        if (!this.#isReported) this.near.add(group)
      }
      group.unshift(entry)
      groupByKey.set(entry.key, group)
    }
    if (group) this.near.add(group)
    this.#groupByKey = groupByKey
    return [...groups].toReversed()
  }
}
