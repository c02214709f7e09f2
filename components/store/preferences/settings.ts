// The switches of whole channels, the pause and the quiet hours: shown as the user sets them, until an answer contains them.

import type { Channel, Preferences, PreferencesPatch } from '../../protocol/index.ts'
import type { Transport } from '../transport.ts'

/** Returns the preferences after a change of their settings. Settings that an older server does not send stay absent. */
export function withSettings(
  preferences: Preferences,
  { channels = {}, pause, quiet }: PreferencesPatch
): Preferences {
  const switches = Object.entries(preferences.channels ?? {}).map(([channel, one]) => [
    channel,
    { ...one, ...channels[channel as Channel] }
  ])
  // Null is the zone of the user, which the server knows.
  const { zone, ...hours } = quiet ?? {}
  return {
    ...preferences,
    ...(preferences.channels && {
      channels: Object.fromEntries(switches) as NonNullable<Preferences['channels']>
    }),
    ...(preferences.pause && pause && { pause: { isOn: pause.isOn, until: pause.until ?? null } }),
    ...(preferences.quiet && { quiet: { ...preferences.quiet, ...hours, ...(zone && { zone }) } })
  }
}

interface Options {
  readonly transport: Pick<Transport, 'updateSettings'>
  /** Reads the preferences. */
  readonly reload: () => Promise<void>
  /** Called when `apply` returns something else. */
  readonly onChange: () => void
}

interface Settings {
  /** Returns the preferences with the changes that no answer contains yet. */
  apply(preferences: Preferences): Preferences
  /** Rejects with a TransportError after the change was rolled back. */
  update(patch: PreferencesPatch): Promise<void>
}

export function createSettings({ onChange, reload, transport }: Options): Settings {
  let pending: readonly PreferencesPatch[] = []
  return {
    apply: preferences => pending.reduce(withSettings, preferences),
    async update(patch) {
      pending = [...pending, patch]
      onChange()
      try {
        await transport.updateSettings(patch)
        await reload()
      } finally {
        pending = pending.filter(one => one !== patch)
        onChange()
      }
    }
  }
}
