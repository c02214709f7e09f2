// Functions that a page gives: where one throws, the page hears of it as of any other error, and everything else goes on.

import { warnBy } from './validate.ts'

/** Not by its class: some libraries have one of their own. */
export const isPromise = <T>(said: T): said is T & PromiseLike<Awaited<T>> =>
  typeof (said as Partial<PromiseLike<T>> | null | undefined)?.then === 'function'

/** What the function says, or `otherwise` where it throws, or where what it promised does not come. */
export function callSafely<A extends readonly unknown[], R>(
  otherwise: R,
  given: (...args: A) => R,
  ...args: A
): R {
  const failed = (error: unknown): R => {
    warnBy(({ reportThrown }) => reportThrown(given, error))
    return otherwise
  }
  try {
    const said = given(...args)
    return isPromise(said) ? (said.then(undefined, failed) as R) : said
  } catch (error) {
    return failed(error)
  }
}

/** What is made, or nothing where that throws: symbols and objects without a prototype have neither a text nor a number. */
export function tryTo<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
