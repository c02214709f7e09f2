// Delays work until the page was painted, because its result is not visible before.

/** Longest wait: a page in a background tab may not be painted for hours, and its connection should be open when it is. */
const MAX_DELAY_MS = 500

let skipWait = (): void => {}
const skipped = new Promise<void>(resolve => (skipWait = resolve))

/** Ends the wait: an element shows that it is loading. */
export const skipPaintWait = (): void => skipWait()

/** Resolves after the first paint; immediately if there is no page, or after `skipPaintWait`. */
export const whenPainted = (): Promise<void> =>
  new Promise(resolve => {
    void skipped.then(resolve)
    if (typeof requestAnimationFrame === 'undefined') return resolve()
    // A frame's callback runs before its paint; a task that is queued there runs after it.
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, MAX_DELAY_MS)
  })
