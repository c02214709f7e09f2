// Functions that a page gives: where one throws, the page hears of it as of any other error, and everything else goes on.

import { say } from './check.ts'

/** What the function says, or `otherwise` where it throws. */
export function ask<A extends readonly unknown[], R>(otherwise: R, given: (...args: A) => R, ...args: A): R {
  try {
    return given(...args)
  } catch (error) {
    say(({ threw }) => threw(given, error))
    return otherwise
  }
}
