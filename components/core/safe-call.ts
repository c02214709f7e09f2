// Calls functions of the page: if one throws, the error is reported like any other error of the page, and the kit goes on.

import { warnBy } from './validate.ts'

/** Not by `instanceof`, because some libraries have a promise class of their own. */
export const isPromise = <T>(value: T): value is T & PromiseLike<Awaited<T>> =>
  typeof (value as Partial<PromiseLike<T>> | null | undefined)?.then === 'function'

/** Returns the result of the function, or the fallback if it throws or its promise rejects. */
export function callSafely<A extends readonly unknown[], R>(
  fallback: R,
  call: (...args: A) => R,
  ...args: A
): R {
  const onError = (error: unknown): R => {
    warnBy(({ reportThrown }) => reportThrown(call, error))
    return fallback
  }
  try {
    const result = call(...args)
    return isPromise(result) ? (result.then(undefined, onError) as R) : result
  } catch (error) {
    return onError(error)
  }
}

/** Returns undefined on an error: symbols and objects without a prototype cannot be converted to a text or a number. */
export function tryTo<T>(convert: () => T): T | undefined {
  try {
    return convert()
  } catch {
    return undefined
  }
}
