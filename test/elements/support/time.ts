// Time of the page in the hands of a test: what has to happen before a timer ends does, however busy the machine is.

/** Timers of `ms` that begin while it is done do not end before it is. */
export async function within(ms: number, act: () => Promise<void>): Promise<void> {
  const own = window.setTimeout
  const done = Promise.withResolvers<void>()
  window.setTimeout = ((run: () => void, given?: number) =>
    own(given === ms ? () => void done.promise.then(run) : run, given)) as typeof setTimeout
  try {
    await act()
  } finally {
    window.setTimeout = own
    done.resolve()
  }
}
