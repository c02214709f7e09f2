// The effective matrix (spec/wire.md 4.2): one row for every type, sub-notification and channel that the user can
// choose about, whatever is stored. Pure.

import { CHANNELS, type Channel, type Delivery } from '#protocol'

import type { EnvironmentSettings } from '../../config/environment.ts'
import type { NotificationType } from '../../types/type.ts'
import { optionsFor, type Options } from './options.ts'
import type { Preference, Topic } from './preference.ts'
import { resolve } from './resolve.ts'

export interface Row {
  readonly notificationId: string
  readonly channel: Channel
  readonly delivery: Delivery
  readonly subNotificationId?: string
}

export interface Matrix {
  readonly preferences: readonly Row[]
  readonly notifications: readonly {
    readonly notificationId: string
    readonly title: string
    readonly channels: readonly Channel[]
    readonly options: { readonly [C in Channel]?: Options }
  }[]
  readonly subNotifications: readonly {
    readonly notificationId: string
    readonly subNotificationId: string
    readonly title: string
  }[]
}

export interface MatrixInput {
  /** Of the topics; others are not looked at. */
  readonly types: readonly NotificationType[]
  readonly environment: Pick<EnvironmentSettings, 'disabledChannels' | 'defaults'>
  readonly preferences: readonly Preference[]
  /** What the user was sent at least once. */
  readonly received: readonly Topic[]
}

/**
 * Listed is what the user was sent or has chosen about. Not every sub-notification of a type: there may be thousands,
 * and their titles are not for everybody.
 */
export function matrixOf({ types, environment, preferences, received }: MatrixInput): Matrix {
  const listed = types.filter(type => type.settings.enabled && type.channels.length > 0).sort(byTitle)
  const subs = subsOf(listed, preferences, received)
  const rows: Row[] = []
  const notifications = listed.map(type => {
    const channels = CHANNELS.filter(channel => type.channels.includes(channel))
    const options: { [C in Channel]?: Options } = {}
    for (const channel of channels) {
      const whole = { notificationId: type.id, subNotificationId: '' }
      const usual = resolve(channel, whole, { environment, preferences: [], type }).delivery
      const now = new Set<Delivery>()
      for (const sub of ['', ...subs.filter(isOf(type)).map(({ subNotificationId }) => subNotificationId)]) {
        const topic = { notificationId: type.id, subNotificationId: sub }
        const { delivery } = resolve(channel, topic, { environment, preferences, type })
        now.add(delivery)
        rows.push({
          channel,
          delivery,
          notificationId: type.id,
          ...(sub !== '' && { subNotificationId: sub })
        })
      }
      options[channel] = optionsFor(type, channel, usual, now)
    }
    return { channels, notificationId: type.id, options, title: type.title }
  })
  return { notifications, preferences: rows, subNotifications: subs }
}

const isOf =
  ({ id }: Pick<NotificationType, 'id'>) =>
  ({ notificationId }: Topic): boolean =>
    notificationId === id

const byTitle = (a: { readonly title: string }, b: { readonly title: string }): number =>
  a.title.localeCompare(b.title)

/** A choice about a sub-notification that has no title of its own is shown by its id, so that it can be taken back. */
function subsOf(
  types: readonly NotificationType[],
  preferences: readonly Preference[],
  received: readonly Topic[]
): Matrix['subNotifications'] {
  return types.flatMap(type => {
    const chosen = preferences.filter(isOf(type)).map(topic => topic.subNotificationId)
    const known = received
      .filter(isOf(type))
      .map(topic => topic.subNotificationId)
      .filter(sub => type.subs.has(sub))
    return [...new Set([...chosen, ...known])]
      .filter(sub => sub !== '')
      .map(sub => ({ notificationId: type.id, subNotificationId: sub, title: type.subs.get(sub) ?? sub }))
      .sort(byTitle)
  })
}
