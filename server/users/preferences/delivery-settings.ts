// The settings of a user that are not about one type: channels that are off, the pause and the quiet hours. Pure.
//
// They are a column of the user's row, which every send reads anyway. Most users have none.

import {
  CHANNELS,
  type Channel,
  type ChannelSwitch,
  type Pause,
  type Preferences,
  type QuietHours
} from '#protocol'

import type { Preference } from './preference.ts'

/** As stored. An absent field is at its default. */
export interface DeliverySettings {
  readonly channelsOff?: readonly Channel[]
  /** Milliseconds since 1970; null: until the user ends it. Absent: not paused. */
  readonly pausedUntil?: number | null
  readonly quiet?: Partial<QuietHours>
}

export const QUIET_DEFAULTS: Omit<QuietHours, 'zone'> = {
  days: [1, 2, 3, 4, 5, 6, 7],
  from: '22:00',
  on: false,
  to: '07:00',
  urgentPasses: true
}

export const isPaused = ({ pausedUntil }: DeliverySettings, now: number): boolean =>
  pausedUntil === null || (pausedUntil !== undefined && pausedUntil > now)

/** @param zone - of the user, used unless the quiet hours name one */
export const quietHours = ({ quiet }: DeliverySettings, zone: string): QuietHours => ({
  ...QUIET_DEFAULTS,
  zone,
  ...quiet
})

/** Whether the user opted out of the whole channel at its network (STOP to an SMS). No setting of ours changes that. */
export const isBlocked = (channel: Channel, preferences: readonly Preference[]): boolean =>
  preferences.some(one => one.notificationId === '' && one.channel === channel)

export interface SettingsView {
  readonly settings: DeliverySettings
  /** Channels that the user opted out of at their network. */
  readonly blocked: readonly Channel[]
  /** Channels to list; those that are off are listed in any case. */
  readonly channels: Iterable<Channel>
  /** Milliseconds since 1970. */
  readonly now: number
  readonly zone: string
}

/** @returns the settings as the user reads them */
export function viewSettings({
  blocked,
  channels,
  now,
  settings,
  zone
}: SettingsView): Required<Pick<Preferences, 'channels' | 'pause' | 'quiet'>> {
  const { channelsOff = [], pausedUntil = null } = settings
  const switches: { [C in Channel]?: ChannelSwitch } = {}
  const listed = new Set([...channels, ...channelsOff, ...blocked])
  for (const channel of CHANNELS) {
    if (!listed.has(channel)) continue
    switches[channel] = blocked.includes(channel)
      ? { on: false, state: 'blocked' }
      : { on: !channelsOff.includes(channel) }
  }
  const isOn = isPaused(settings, now)
  const pause: Pause = {
    isOn,
    until: isOn && pausedUntil !== null ? new Date(pausedUntil).toISOString() : null
  }
  return { channels: switches, pause, quiet: quietHours(settings, zone) }
}
