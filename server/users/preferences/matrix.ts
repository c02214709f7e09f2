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
import { shownTitle } from '../../types/shown-title.ts'
import type { NotificationType } from '../../types/type.ts'
import { frequencyOptions } from './options.ts'
import type { Preference, Topic } from './preference.ts'
import { resolveFrequency } from './resolve.ts'

export type Matrix = Omit<Preferences, 'channels' | 'pause' | 'quiet' | 'topics'>

export interface MatrixInput {
  readonly types: readonly NotificationType[]
  readonly environment: Pick<EnvironmentSettings, 'disabledChannels' | 'defaults'>
  readonly preferences: readonly Preference[]
  /** Topics that the user was sent at least once. */
  readonly receivedTopics: readonly Topic[]
  /**
   * Titles of the groups (users/topics/) that the user is in or was sent, by id: a broadcast to a group is sent as the
   * sub-notification with its id.
   */
  readonly groupTitles: ReadonlyMap<string, string>
}

/**
 * Lists the topics that the user was sent or has a preference for. It does not list all sub-notifications of a type, because there
 * may be thousands, and their titles may be confidential.
 */
export function buildMatrix({
  types,
  environment,
  groupTitles,
  preferences,
  receivedTopics
}: MatrixInput): Matrix {
  const listed = types.filter(type => type.settings.enabled && type.channels.length > 0).sort(compareTypes)
  const subs = listSubNotifications(listed, { groupTitles, preferences, receivedTopics })
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
        const isStored = preferences.some(
          one => one.notificationId === type.id && one.subNotificationId === sub && one.channel === channel
        )
        rows.push({
          channel,
          delivery,
          notificationId: type.id,
          ...(sub !== '' && { subNotificationId: sub }),
          ...(!isStored && { isInherited: true })
        })
      }
      options[channel] = frequencyOptions(type, channel, usual, current)
    }
    return Object.assign(describeType(type, channels), { channels, notificationId: type.id, options })
  })
  return { notifications, preferences: rows, subNotifications: subs }
}

function describeType({ id, settings, title }: NotificationType, channels: readonly Channel[]) {
  const { description, group, urgent } = settings
  const locked = channels.filter(channel => settings.locked?.includes(channel))
  return {
    title: shownTitle(id, title),
    ...(description !== undefined && { description }),
    ...(group !== undefined && { group }),
    ...(urgent === true && { urgent }),
    ...(locked.length > 0 && { locked })
  }
}

const belongsTo =
  ({ id }: Pick<NotificationType, 'id'>) =>
  ({ notificationId }: Topic): boolean =>
    notificationId === id

const compareTitles = (a: Pick<Preferences['subNotifications'][number], 'title'>, b: typeof a): number =>
  a.title.localeCompare(b.title)

const compareTypes = (a: NotificationType, b: NotificationType): number =>
  shownTitle(a.id, a.title).localeCompare(shownTitle(b.id, b.title))

/** A preference for a sub-notification without a title is shown too, so that the user can change it. */
function listSubNotifications(
  types: readonly NotificationType[],
  {
    groupTitles,
    preferences,
    receivedTopics
  }: Pick<MatrixInput, 'groupTitles' | 'preferences' | 'receivedTopics'>
): Preferences['subNotifications'] {
  return types.flatMap(type => {
    const preferenceSubs = preferences.filter(belongsTo(type)).map(topic => topic.subNotificationId)
    const receivedSubs = receivedTopics
      .filter(belongsTo(type))
      .map(topic => topic.subNotificationId)
      .filter(sub => type.subs.has(sub) || groupTitles.has(sub))
    return [...new Set([...preferenceSubs, ...receivedSubs])]
      .filter(sub => sub !== '')
      .map(sub => ({
        notificationId: type.id,
        subNotificationId: sub,
        title: shownTitle(sub, type.subs.get(sub) ?? groupTitles.get(sub))
      }))
      .sort(compareTitles)
  })
}
