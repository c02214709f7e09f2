// Resolves how often a user gets a topic on a channel, for sends and for the preferences. Pure.

import type { Channel, Delivery } from '#protocol'

import type { EnvironmentSettings } from '../../config/environment-settings.ts'
import type { NotificationType } from '../../types/type.ts'
import { isBlocked } from './delivery-settings.ts'
import type { Preference, Topic } from './preference.ts'

export interface ResolvedFrequency {
  readonly delivery: Delivery
  readonly source: 'user' | 'environment' | 'default'
}

export interface FrequencyRules {
  readonly type: Pick<NotificationType, 'settings'>
  readonly environment: Pick<EnvironmentSettings, 'disabledChannels' | 'defaults'>
  readonly preferences: readonly Preference[]
  /** Channels that the user turned off as a whole. Default: none. */
  readonly channelsOff?: readonly Channel[] | undefined
}

/**
 * A preference of the user overrides the environment, and the environment overrides the default of the type. On a channel
 * that the type locks, only an opt-out at the network counts.
 */
export function resolveFrequency(
  channel: Channel,
  topic: Topic,
  { type, environment, preferences, channelsOff }: FrequencyRules
): ResolvedFrequency {
  const isOff =
    isBlocked(channel, preferences) || (!isLocked(type, channel) && channelsOff?.includes(channel))
  if (isOff) return { source: 'user', delivery: 'off' }
  const chosen = isLocked(type, channel) ? undefined : findPreference(channel, topic, preferences)?.delivery
  if (chosen !== undefined) return { source: 'user', delivery: allowedOn(channel, chosen) }
  if (environment.disabledChannels.includes(channel)) return { source: 'environment', delivery: 'off' }
  const usual =
    type.settings.options[channel]?.defaultDeliveryOption ?? environment.defaults[channel] ?? 'instant'
  return { source: 'default', delivery: allowedOn(channel, usual) }
}

export const isLocked = ({ settings }: FrequencyRules['type'], channel: Channel): boolean =>
  settings.locked?.includes(channel) === true

/** The inbox has no digests: it is on or off. */
const allowedOn = (channel: Channel, delivery: Delivery): Delivery =>
  channel === 'INAPP_WEB' && delivery !== 'off' ? 'instant' : delivery

/** The most specific preference: sub-notification and channel, sub-notification, channel of the type, type. */
export function findPreference<P extends Preference>(
  channel: Channel,
  { notificationId, subNotificationId }: Topic,
  preferences: readonly P[]
): P | undefined {
  let best: P | undefined
  let bestSpecificity = -1
  for (const preference of preferences) {
    const { channel: on, subNotificationId: sub } = preference
    if (preference.notificationId !== notificationId) continue
    if (sub !== '' && sub !== subNotificationId) continue
    if (on !== '' && on !== channel) continue
    const specificity = (sub === '' ? 0 : 2) + (on === '' ? 0 : 1)
    if (specificity > bestSpecificity) {
      bestSpecificity = specificity
      best = preference
    }
  }
  return best
}
