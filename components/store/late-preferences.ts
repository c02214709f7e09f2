// The preferences part of a store; its code is fetched by the first who wants to see or change them.

import { atom, onMount } from 'nanostores'

import { fetched, late } from '../transport/late.ts'
import type { Line } from './line.ts'
import type { PreferencesState, PreferenceStore } from './store.ts'

export function latePreferences(line: Line): PreferenceStore {
  const $preferences = atom<PreferencesState>({ state: 'busy' })
  const load = fetched('preferences', async () =>
    (await import('./preferences.ts')).createPreferences(line, $preferences)
  )
  const { follow, ...verbs } = late(load, [
    'follow',
    'reloadPreferences',
    'updateDeliveries',
    'updateDelivery'
  ])

  onMount($preferences, () => {
    // What could not be fetched is fetched with the next wish.
    const following = follow().catch((error: unknown) => $preferences.set({ error, state: 'failed' }))
    return () => following.then(end => end?.())
  })
  return { $preferences, ...verbs }
}
