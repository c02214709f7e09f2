// How often a user gets a topic on a channel: the one rule for sends and for what the preferences show. Pure.

import type { Channel, Delivery } from '#protocol'

import type { EnvironmentSettings } from '../../config/environment.ts'
import type { NotificationType } from '../../types/type.ts'
import type { Preference, Topic } from './preference.ts'

export interface Wanted {
  readonly delivery: Delivery
  /** Whose word it is. */
  readonly by: 'user' | 'environment' | 'default'
}

export interface Rules {
  readonly type: Pick<NotificationType, 'settings'>
  readonly environment: Pick<EnvironmentSettings, 'disabledChannels' | 'defaults'>
  /** All that the user has chosen, about whatever topic. */
  readonly preferences: readonly Preference[]
}

/** The user's word beats the environment's, always; the environment's beats the type's default. */
export function resolve(channel: Channel, topic: Topic, { type, environment, preferences }: Rules): Wanted {
  const chosen = choiceFor(channel, topic, preferences)
  if (chosen !== undefined) return { by: 'user', delivery: onChannel(channel, chosen) }
  if (environment.disabledChannels.includes(channel)) return { by: 'environment', delivery: 'off' }
  const usual =
    type.settings.options[channel]?.defaultDeliveryOption ?? environment.defaults[channel] ?? 'instant'
  return { by: 'default', delivery: onChannel(channel, usual) }
}

/** There is no digest of an inbox: it is on or off. */
const onChannel = (channel: Channel, delivery: Delivery): Delivery =>
  channel === 'INAPP_WEB' && delivery !== 'off' ? 'instant' : delivery

/** The most exact preference: sub-notification and channel, sub-notification, channel of the type, the type. */
function choiceFor(
  channel: Channel,
  { notificationId, subNotificationId }: Topic,
  preferences: readonly Preference[]
): Delivery | undefined {
  // Said to the network about a whole channel, by STOP: it stands above all.
  if (preferences.some(one => one.notificationId === '' && one.channel === channel)) return 'off'
  let best: Delivery | undefined
  let rank = -1
  for (const preference of preferences) {
    const { channel: on, subNotificationId: sub } = preference
    if (preference.notificationId !== notificationId) continue
    if (sub !== '' && sub !== subNotificationId) continue
    if (on !== '' && on !== channel) continue
    const exactness = (sub === '' ? 0 : 2) + (on === '' ? 0 : 1)
    if (exactness > rank) {
      rank = exactness
      best = preference.delivery
    }
  }
  return best
}
