// Applies a change of the switches of whole channels, of the pause or of the quiet hours.

import type { Channel, Preferences, PreferencesPatch } from '../../protocol/index.ts'

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
