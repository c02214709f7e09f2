// The texts used last and what they were compiled to, bounded by their number and their size.

/** Characters of text that one cache holds; what they compile to is several times that. */
const CHARACTERS = 8_000_000
const ENTRIES = 2_000

export interface Cache<T> {
  /** What was kept for the text, or what `make` makes of it now. What `make` throws is not kept. */
  get(text: string, make: (text: string) => T): T
}

export function createCache<T>(entries = ENTRIES, characters = CHARACTERS): Cache<T> {
  // A Map keeps its order of insertion: the first is the one used longest ago.
  const kept = new Map<string, { readonly made: T }>()
  let size = 0
  const drop = (text: string): void => {
    kept.delete(text)
    size -= text.length
  }
  return {
    get(text, make) {
      const known = kept.get(text)
      if (known) {
        // Moving it to the end costs more than most look-ups: only when the cache is filling up.
        if (kept.size > entries / 2 || size > characters / 2) {
          kept.delete(text)
          kept.set(text, known)
        }
        return known.made
      }
      const made = make(text)
      kept.set(text, { made })
      size += text.length
      for (const [oldest] of kept) {
        if (kept.size <= entries && size <= characters) break
        drop(oldest)
      }
      return made
    }
  }
}
