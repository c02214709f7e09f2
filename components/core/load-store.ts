// Loads the code of the connection after the first paint, and opens the store of a page with it.

import { createBackoff } from '../store/backoff.ts'
import { whenPainted } from '../store/first-paint.ts'
import type { NotifStore } from '../store/types.ts'
import type { KitConfig } from './config.ts'

let home = new URL(import.meta.url).origin

/** @param address - of the server if the page configures none. Default: the origin of the script */
export const setHome = (address: string): void => void (home = address)

/**
 * @param onFailure - called if the code could not be loaded, with a function that loads it again immediately. Returns
 *   whether the store is still needed
 * @returns undefined if it is not
 */
export async function loadStore(
  config: KitConfig,
  onFailure: (again: () => void) => boolean
): Promise<NotifStore | undefined> {
  await whenPainted()
  const backoff = createBackoff()
  for (;;) {
    const code = await import('../live/open-store.ts').catch(() => undefined)
    if (code) return code.openStore(config, home)
    const isNeeded = await new Promise<unknown>(resolve => {
      if (!onFailure(() => resolve(true))) return resolve(false)
      // Ends the wait, and the listeners that may end it earlier.
      const signal = AbortSignal.timeout(backoff.nextDelay())
      signal.addEventListener('abort', resolve)
      addEventListener('online', resolve, { signal })
      document.addEventListener('visibilitychange', resolve, { signal })
    })
    if (!isNeeded) return undefined
  }
}

/**
 * Starts to load all code that an opened inbox needs, side by side: on its own each part would be requested only when the
 * part before it has arrived. What fails here is requested again by the code that needs it.
 *
 * @param view - code of higher folders that is needed as well
 */
export function preloadInbox(view: Promise<unknown>): void {
  void Promise.allSettled([
    view,
    import('../announce/live-region.ts'),
    import('../store/inbox/create-inbox.ts'),
    import('../store/offline/cache.ts'),
    import('../transport/http.ts')
  ])
}
