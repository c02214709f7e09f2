// Says how often a user gets each topic on each channel, and where the value comes from. Pure.

import type { Channel, Delivery } from '#protocol'

import type { EnvironmentSettings } from '../../config/environment-settings.ts'
import type { NotificationType } from '../../types/type.ts'
import { isBlocked } from '../../users/preferences/delivery-settings.ts'
import type { Matrix } from '../../users/preferences/matrix.ts'
import type { ChangeSource, DatedPreference, Topic } from '../../users/preferences/preference.ts'
import {
  findPreference,
  isLocked,
  resolveFrequency,
  type FrequencyRules
} from '../../users/preferences/resolve.ts'

/**
 * `user`: the user's own choice. `channel-off`: the user turned the channel off. `blocked`: an opt-out at the network, such as STOP.
 * `locked`: the type does not let the user choose. `environment`: the channel is off in the environment. `type` and
 * `environment-default`: the default of either. `default`: nothing says otherwise.
 */
export const SOURCES = [
  'user',
  'channel-off',
  'blocked',
  'locked',
  'environment',
  'type',
  'environment-default',
  'default'
] as const
export type Source = (typeof SOURCES)[number]

export interface EffectiveTopic {
  readonly id: string
  readonly subId?: string
  readonly title: string
  readonly channels: readonly {
    readonly channel: Channel
    readonly delivery: Delivery
    readonly source: Source
    /** Of the user's own choice. */
    readonly changedAt?: string
    readonly changedBy?: ChangeSource
  }[]
}

interface DatedRules extends FrequencyRules {
  readonly preferences: readonly DatedPreference[]
}

/** Topics of one answer. */
export const MAX_TOPICS = 200

export interface EffectiveInput extends Pick<DatedRules, 'channelsOff' | 'preferences'> {
  readonly environment: Pick<EnvironmentSettings, 'disabledChannels' | 'defaults'>
  readonly matrix: Pick<Matrix, 'notifications' | 'subNotifications'>
  readonly types: ReadonlyMap<string, NotificationType>
}

export function listEffective({ matrix, types, ...rules }: EffectiveInput): EffectiveTopic[] {
  return matrix.notifications.flatMap(({ channels, notificationId, title }) => {
    const type = types.get(notificationId)
    if (!type) return []
    const values = (subNotificationId: string) =>
      channels.map(channel =>
        resolveSource(channel, { notificationId, subNotificationId }, { ...rules, type })
      )
    const subs = matrix.subNotifications.filter(sub => sub.notificationId === notificationId)
    return [
      { channels: values(''), id: notificationId, title },
      ...subs.map(({ subNotificationId: subId, title: subTitle }) => ({
        channels: values(subId),
        id: notificationId,
        subId,
        title: subTitle
      }))
    ]
  })
}

function resolveSource(channel: Channel, topic: Topic, rules: DatedRules) {
  const { delivery, source: kind } = resolveFrequency(channel, topic, rules)
  const source = nameSource(channel, kind, rules)
  const own = source === 'user' ? findPreference(channel, topic, rules.preferences) : undefined
  return {
    channel,
    delivery,
    source,
    ...(own && { changedAt: own.changedAt.toISOString(), changedBy: own.changedBy })
  }
}

function nameSource(
  channel: Channel,
  source: ReturnType<typeof resolveFrequency>['source'],
  { channelsOff, environment, preferences, type }: FrequencyRules
): Source {
  if (isBlocked(channel, preferences)) return 'blocked'
  if (source === 'environment') return 'environment'
  if (isLocked(type, channel)) return 'locked'
  if (source === 'user') return channelsOff?.includes(channel) ? 'channel-off' : 'user'
  if (type.settings.options[channel]?.defaultDeliveryOption !== undefined) return 'type'
  return environment.defaults[channel] === undefined ? 'default' : 'environment-default'
}
