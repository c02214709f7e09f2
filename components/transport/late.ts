// Commands and a connection whose code is still to be fetched.

import type { Environment } from './environment.ts'
import type { Connect } from './live.ts'
import type { Commands } from './transport.ts'

/** Wait before the code of a connection is asked for again, in milliseconds. */
const AGAIN = 5000

/** @param load - called for each command */
export const lateCommands = (load: () => Promise<Commands>): Commands => ({
  changes: async since => (await load()).changes(since),
  identify: async identity => (await load()).identify(identity),
  optIn: async on => (await load()).optIn(on),
  page: async (count, cursor) => (await load()).page(count, cursor),
  patch: async patch => (await load()).patch(patch)
})

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
