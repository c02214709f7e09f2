// Questions that come while one is under way are asked together: one statement at a time, however many ask for what there
// is not. Whoever makes client ids up costs a line of an array each, and no connection.

/** Keys of one statement. */
const MOST = 1000

/**
 * @param readAll - finds what there is of these keys; one that is missing is not there
 * @returns reads one of them, in the first statement that begins after the call
 */
export function coalesce<T>(
  readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>
): (key: string) => Promise<T | undefined> {
  const waiting = new Map<string, PromiseWithResolvers<T | undefined>>()
  let busy = false

  const readOn = async (): Promise<void> => {
    busy = true
    while (waiting.size > 0) {
      const asked: [string, PromiseWithResolvers<T | undefined>][] = []
      for (const one of waiting) {
        if (asked.push(one) === MOST) break
      }
      for (const [key] of asked) waiting.delete(key)
      try {
        const found = await readAll(asked.map(([key]) => key))
        for (const [key, { resolve }] of asked) resolve(found.get(key))
      } catch (error) {
        for (const [, { reject }] of asked) reject(error)
      }
    }
    busy = false
  }

  return key => {
    const asked = waiting.get(key) ?? Promise.withResolvers<T | undefined>()
    waiting.set(key, asked)
    if (!busy) void readOn()
    return asked.promise
  }
}
