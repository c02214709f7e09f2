// Who hears of something besides the stores.

interface Listeners<T> {
  /** @returns the function that ends it */
  add(listener: (value: T) => void): () => void
  clear(): void
  tell(value: T): void
}

export function createListeners<T>(): Listeners<T> {
  const all = new Set<(value: T) => void>()
  return {
    add(listener) {
      all.add(listener)
      return () => all.delete(listener)
    },
    clear: () => all.clear(),
    tell(value) {
      // As a DOM event would: a listener's error is nobody else's.
      for (const listener of all) queueMicrotask(() => listener(value))
    }
  }
}
