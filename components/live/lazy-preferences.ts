// The preferences part of a store; its code is fetched by the first who wants to see or change them.

import type { ReadableAtom } from 'nanostores'

import { cell } from '../store/cell.ts'
import { fetched, late } from '../store/lazy.ts'
import type { Line } from '../store/receiver.ts'
import type { KeptChoices } from '../store/transport.ts'
import type { Connection, PreferencesState, PreferenceStore } from '../store/types.ts'

interface LatePreferences extends PreferenceStore {
  /** Goes on with what an earlier page left behind; rejects when the server refuses any of it. */
  adopt(left: readonly KeptChoices[]): Promise<unknown>
  end(): void
}

/** @param $connection - that of the store: whoever follows the preferences listens to it, and so keeps the line open */
export function latePreferences(line: Line, $connection: ReadableAtom<Connection>): LatePreferences {
  let state: PreferencesState = { state: 'busy' }
  function tell(next: PreferencesState): void {
    state = next
    $preferences.notify()
  }
  const over = new AbortController()
  const load = fetched('preferences', async () =>
    (await import('../store/preferences/preferences.ts')).createPreferences(
      { ...line, $connection },
      tell,
      over.signal
    )
  )
  const { follow, ...verbs } = late(load, [
    'adopt',
    'follow',
    'reloadPreferences',
    'updateDeliveries',
    'updateDelivery'
  ])
  const $preferences = cell(
    () => state,
    () => {
      // What could not be fetched is fetched with the next wish.
      const following = follow().catch((error: unknown) => tell({ error, state: 'failed' }))
      return () => void following.then(end => end?.())
    }
  )
  return { $preferences, ...verbs, end: () => over.abort() }
}
