// What can wait until a page is seen waits for its first paint.

/** Longest wait in milliseconds: a page may be open for hours before anyone looks at it, and its news should be there then. */
const LONGEST = 500

let start = (): void => {}
const hurried = new Promise<void>(resolve => (start = resolve))

/** Something in the page shows that it waits: nothing is put off any more. */
export const hurry = (): void => start()

/** Resolves after the first paint; at once where there is no page, and where something waits already. */
export const ready = (): Promise<void> =>
  new Promise(resolve => {
    void hurried.then(resolve)
    if (typeof requestAnimationFrame === 'undefined') return resolve()
    // The frame's callback runs before its paint, a task queued there after it.
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, LONGEST)
  })
