// Keeps what the texts used last were compiled to, bounded by their number and their length.

import { LRUCache } from 'lru-cache'

const MAX_TEXTS = 2_000
/** What a text compiles to takes several times its length. */
const MAX_CHARACTERS = 8_000_000

export interface TemplateCache<T> {
  /** Returns what is cached for the text, or calls `compile` and caches its result. An error is not cached. */
  get(text: string, compile: (text: string) => T): T
}

export function createTemplateCache<T>(
  maxTexts = MAX_TEXTS,
  maxCharacters = MAX_CHARACTERS
): TemplateCache<T> {
  // Objects, because a result may be undefined.
  const cache = new LRUCache<string, { readonly compiled: T }>({
    max: maxTexts,
    maxSize: maxCharacters,
    sizeCalculation: (_, text) => Math.max(1, text.length)
  })
  return {
    get(text, compile) {
      let entry = cache.get(text)
      if (!entry) cache.set(text, (entry = { compiled: compile(text) }))
      return entry.compiled
    }
  }
}
