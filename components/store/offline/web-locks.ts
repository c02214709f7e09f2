// Locks, by which the pages of a browser know which of them are still there. Where a browser has none, all wait for nobody.

const locks = globalThis.navigator?.locks as LockManager | undefined

/** Holds a lock from the time the promise resolves until the function that it gives is called. */
export const acquireLock = (name: string, options: LockOptions = {}): Promise<() => void> =>
  new Promise((resolve, reject) => {
    if (locks) locks.request(name, options, () => new Promise<void>(resolve)).catch(reject)
    else resolve(() => {})
  })

/** Names of the locks that are held anywhere in this browser. */
export async function listHeldLocks(): Promise<string[]> {
  const { held = [] } = (await locks?.query()) ?? {}
  return held.map(({ name = '' }) => name)
}
