// What can wait until the browser has nothing better to do.

/** Longest wait for an idle moment, in milliseconds: on a busy page it is done as well. */
const LATEST = 100

/** Calls once; the returned function prevents it. */
export function later(run: () => void): () => void {
  // Not every browser has idle moments.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(run, LATEST / 4)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(run, { timeout: LATEST })
  return () => cancelIdleCallback(idle)
}
