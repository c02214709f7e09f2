// What can wait until a page is seen waits for its first paint.

/** Longest wait in milliseconds: a page in the background paints when somebody comes, and its news should be there then. */
const LONGEST = 500

export const painted = (): Promise<void> =>
  new Promise(done => {
    // The frame's callback runs before its paint, a task queued there after it.
    requestAnimationFrame(() => setTimeout(done))
    setTimeout(done, LONGEST)
  })
