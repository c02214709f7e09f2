// A connection whose code is still to be fetched.

import type { Environment } from './environment.ts'
import type { Connect } from './live.ts'

/** Wait before the code is asked for again, in milliseconds. */
const AGAIN = 5000

/** @param load - called again after it failed */
export const lateConnect =
  (load: () => Promise<Connect>, environment: Pick<Environment, 'after'>): Connect =>
  (listener, version) => {
    let ended = false
    let end = (): void => {}
    async function begin(): Promise<void> {
      try {
        const connect = await load()
        if (!ended) end = connect(listener, version)
      } catch {
        if (ended) return
        listener({ type: 'offline' })
        end = environment.after(AGAIN, () => void begin())
      }
    }
    void begin()
    return () => {
      ended = true
      end()
    }
  }
