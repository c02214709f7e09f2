// Functions that a page gives: where one throws, the page hears of it as of any other error, and everything else goes on.

/** Asked for each notification at each render, and its page wants to read of it once. */
const told = new WeakSet<object>()

/** What the function says, or `otherwise` where it throws. */
export function ask<A extends readonly unknown[], R>(otherwise: R, given: (...args: A) => R, ...args: A): R {
  try {
    return given(...args)
  } catch (error) {
    if (!told.has(given)) reportError(error)
    told.add(given)
    return otherwise
  }
}
