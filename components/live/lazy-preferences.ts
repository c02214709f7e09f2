// The preferences part of a store; its code is loaded by the first listener or the first choice.

import { atom, onMount, type ReadableAtom } from 'nanostores'

import type { QuietPreferences } from '../store/inbox/commands.ts'
import { lazyFunctions, lazyModule } from '../store/lazy.ts'
import { publish } from '../store/publish.ts'
import type { LiveConnection } from '../store/receiver.ts'
import type { StoredChoices } from '../store/transport.ts'
import type { Connection, PreferencesState, PreferenceStore } from '../store/types.ts'

interface LazyPreferences extends PreferenceStore {
  /** Continues with choices that an earlier page left behind; rejects if the server refuses one of them. */
  restore(left: readonly StoredChoices[]): Promise<unknown>
  makeQuiet: QuietPreferences['makeQuiet']
  end(): void
}

/** @param $connection - of the store: the preferences listen to it while they have listeners, which keeps the connection open */
export function createLazyPreferences(
  connection: LiveConnection,
  $connection: ReadableAtom<Connection>
): LazyPreferences {
  const $preferences = atom<PreferencesState>({ state: 'busy' })
  const setState = (state: PreferencesState): void => publish(() => $preferences.set(Object.freeze(state)))
  const end = new AbortController()
  const load = lazyModule('preferences', async () =>
    (await import('../store/preferences/preferences.ts')).createPreferences(
      { ...connection, $connection },
      setState,
      end.signal
    )
  )
  const { follow, ...actions } = lazyFunctions(load, [
    'restore',
    'follow',
    'makeQuiet',
    'reloadPreferences',
    'updateDeliveries',
    'updateDelivery',
    'updateSettings'
  ])
  onMount($preferences, () => {
    // The next listener or choice loads the code again.
    const following = follow().catch((error: unknown) => setState({ error, state: 'failed' }))
    return () => void following.then(stop => stop?.())
  })
  return { $preferences, ...actions, end: () => end.abort() }
}
