// What is made of several values: made anew only when one of them is another.

/**
 * @param from - reads the values
 * @param isSame - says that the old result says the same as the new one, and so may stay
 */
export function memo<From extends unknown[], T>(
  from: () => readonly [...From],
  make: (...from: From) => T,
  isSame: (old: T, made: T) => boolean
): () => T {
  let last: readonly [...From] | undefined
  let result: T
  return () => {
    const now = from()
    if (last?.every((value, index) => value === now[index])) return result
    const made = make(...now)
    if (!last || !isSame(result, made)) result = made
    last = now
    return result
  }
}
