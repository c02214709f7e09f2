// The connection comes once the page is painted: nobody can see a number before that.

import { ready } from '../store/first-paint.ts'
import type { NotifStore } from '../store/types.ts'
import type { KitConfig } from './config.ts'
import { openStore } from './open-store.ts'

let home = new URL(import.meta.url).origin

/** @param address - of the server where a page names none; without this, the origin of the script */
export const setHome = (address: string): void => void (home = address)

/** First and longest wait before code that did not come is asked for again, in milliseconds. */
const [FIRST, LONGEST] = [1000, 30_000]

/** @param lost - the code did not come; what it is given asks for it again at once. Returns whether anybody still wants it */
export async function loadStore(
  config: KitConfig,
  lost: (again: () => void) => boolean
): Promise<NotifStore | undefined> {
  await ready()
  for (let wait = FIRST; ; wait = Math.min(LONGEST, 2 * wait)) {
    const connection = await import('../live/index.ts').catch(() => undefined)
    if (connection) return openStore(config, home, connection)
    const wanted = await new Promise<unknown>(again => {
      if (!lost(() => again(true))) return again(false)
      // The timer, and the end of who listens for something sooner.
      const signal = AbortSignal.timeout(wait)
      signal.addEventListener('abort', again)
      addEventListener('online', again, { signal })
      document.addEventListener('visibilitychange', again, { signal })
    })
    if (!wanted) return undefined
  }
}
