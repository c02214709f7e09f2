// What cannot be done with every value: symbols and objects without a prototype have neither a text nor a number.

/** What is made, or nothing where that throws. */
export function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
