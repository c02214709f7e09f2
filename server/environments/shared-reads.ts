// Request coalescing: reads that are requested during a statement share the next statement.
//
// One statement runs at a time, so invented client ids cost an array element each, and no database connection.

const MAX_KEYS_PER_STATEMENT = 1000

/**
 * @param readAll - reads the values of several keys; the map lacks keys without a value
 * @returns a function that reads one key, in the first statement that begins after its call
 */
export function coalesce<T>(
  readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>
): (key: string) => Promise<T | undefined> {
  const waiting = new Map<string, PromiseWithResolvers<T | undefined>>()
  let isReading = false

  const readWaiting = async (): Promise<void> => {
    isReading = true
    while (waiting.size > 0) {
      const batch: [string, PromiseWithResolvers<T | undefined>][] = []
      for (const entry of waiting) {
        if (batch.push(entry) === MAX_KEYS_PER_STATEMENT) break
      }
      for (const [key] of batch) waiting.delete(key)
      try {
        const found = await readAll(batch.map(([key]) => key))
        for (const [key, { resolve }] of batch) resolve(found.get(key))
      } catch (error) {
        for (const [, { reject }] of batch) reject(error)
      }
    }
    isReading = false
  }

  return key => {
    const pending = waiting.get(key) ?? Promise.withResolvers<T | undefined>()
    waiting.set(key, pending)
    if (!isReading) void readWaiting()
    return pending.promise
  }
}
