// The preferences part of a store; its code is loaded by the first listener or the first choice.

import { atom, onMount, type ReadableAtom } from 'nanostores'

import type { PreferencesPatch } from '../protocol/index.ts'
import type { QuietPreferences } from '../store/inbox/commands.ts'
import { lazyFunctions, lazyModule } from '../store/lazy.ts'
import { publish } from '../store/publish.ts'
import type { LiveConnection } from '../store/receiver.ts'
import type { LiveEvent, StoredChoices } from '../store/transport.ts'
import type { Connection, Outcome, PreferencesState, PreferenceStore } from '../store/types.ts'
import { createLivePause } from './live-pause.ts'

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
  const pause = createLivePause(connection.environment)
  const setState = (state: PreferencesState): void => {
    publish(() => $preferences.set(Object.freeze(state)))
    if (state.state === 'ready') pause.set(state.pause)
  }
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
    'updateSettings',
    'updateTopic'
  ])
  onMount($preferences, () => {
    // The next listener or choice loads the code again.
    const following = follow().catch((error: unknown) => setState({ error, state: 'failed' }))
    return () => void following.then(stop => stop?.())
  })
  connection.listeners.add((event: LiveEvent) => {
    if (!('pause' in event)) return
    // Once they were read, they know of changes that the server does not have yet.
    if ($preferences.value?.state !== 'ready') pause.set(event.pause)
    else if ($preferences.lc === 0) void actions.reloadPreferences().catch(() => {})
  })
  /** Shows a pause at once, also if the preferences were never read. */
  async function updateSettings(patch: PreferencesPatch): Promise<Outcome> {
    const before = pause.$pause.get()
    if (patch.pause) pause.set({ isOn: patch.pause.isOn, until: patch.pause.until ?? null })
    try {
      return await actions.updateSettings(patch)
    } catch (error) {
      if (patch.pause && $preferences.value?.state !== 'ready') pause.set(before)
      throw error
    }
  }
  return {
    $preferences,
    ...actions,
    $pause: pause.$pause,
    end() {
      end.abort()
      pause.set(undefined)
    },
    updateSettings
  }
}
