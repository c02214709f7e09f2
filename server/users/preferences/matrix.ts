// Builds the preference matrix: the effective frequency of every type, sub-notification and channel that the
// user can choose. Pure.

import {
  CHANNELS,
  type Channel,
  type Choice,
  type Delivery,
  type DeliveryOptions,
  type Preferences
} from '#protocol'

import type { EnvironmentSettings } from '../../config/environment-settings.ts'
import type { NotificationType } from '../../types/type.ts'
import { frequencyOptions } from './options.ts'
import type { Preference, Topic } from './preference.ts'
import { resolveFrequency } from './resolve.ts'

export interface MatrixInput {
  readonly types: readonly NotificationType[]
  readonly environment: Pick<EnvironmentSettings, 'disabledChannels' | 'defaults'>
  readonly preferences: readonly Preference[]
  /** Topics that the user was sent at least once. */
  readonly receivedTopics: readonly Topic[]
}

/**
 * Lists the topics that the user was sent or has a preference for. It does not list all sub-notifications of a type, because there
 * may be thousands, and their titles may be confidential.
 */
export function buildMatrix({ types, environment, preferences, receivedTopics }: MatrixInput): Preferences {
  const listed = types.filter(type => type.settings.enabled && type.channels.length > 0).sort(compareTitles)
  const subs = listSubNotifications(listed, preferences, receivedTopics)
  const rows: Choice[] = []
  const notifications = listed.map(type => {
    const channels = CHANNELS.filter(channel => type.channels.includes(channel))
    const options: { [C in Channel]?: DeliveryOptions } = {}
    for (const channel of channels) {
      const typeTopic = { notificationId: type.id, subNotificationId: '' }
      const usual = resolveFrequency(channel, typeTopic, { environment, preferences: [], type }).delivery
      const current = new Set<Delivery>()
      for (const sub of [
        '',
        ...subs.filter(belongsTo(type)).map(({ subNotificationId }) => subNotificationId)
      ]) {
        const topic = { notificationId: type.id, subNotificationId: sub }
        const { delivery } = resolveFrequency(channel, topic, { environment, preferences, type })
        current.add(delivery)
        rows.push({
          channel,
          delivery,
          notificationId: type.id,
          ...(sub !== '' && { subNotificationId: sub })
        })
      }
      options[channel] = frequencyOptions(type, channel, usual, current)
    }
    return { channels, notificationId: type.id, options, title: type.title }
  })
  return { notifications, preferences: rows, subNotifications: subs }
}

const belongsTo =
  ({ id }: Pick<NotificationType, 'id'>) =>
  ({ notificationId }: Topic): boolean =>
    notificationId === id

const compareTitles = (a: { readonly title: string }, b: { readonly title: string }): number =>
  a.title.localeCompare(b.title)

/** A preference for a sub-notification without a title is shown with its id, so that the user can change it. */
function listSubNotifications(
  types: readonly NotificationType[],
  preferences: readonly Preference[],
  receivedTopics: readonly Topic[]
): Preferences['subNotifications'] {
  return types.flatMap(type => {
    const preferenceSubs = preferences.filter(belongsTo(type)).map(topic => topic.subNotificationId)
    const receivedSubs = receivedTopics
      .filter(belongsTo(type))
      .map(topic => topic.subNotificationId)
      .filter(sub => type.subs.has(sub))
    return [...new Set([...preferenceSubs, ...receivedSubs])]
      .filter(sub => sub !== '')
      .map(sub => ({ notificationId: type.id, subNotificationId: sub, title: type.subs.get(sub) ?? sub }))
      .sort(compareTitles)
  })
}
