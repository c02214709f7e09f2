// Locks that show which pages of a browser are still open. In a browser without locks nothing waits.

const locks = globalThis.navigator?.locks as LockManager | undefined

/** Resolves when the lock is held, with the function that releases it. */
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
