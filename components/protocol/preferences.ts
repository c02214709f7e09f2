// Preferences of a user: how often each type is sent on each channel, and the choices that change it.

import { CHANNELS, DELIVERIES, type Channel, type Delivery } from './channel.ts'

/** The keys are the deliveries that the user can choose. */
export type DeliveryOptions = { readonly defaultDeliveryOption: Delivery } & {
  readonly [D in Delivery]?: Readonly<Record<string, unknown>>
}

/** One choice: how often a type, or one sub-notification of it, is sent on a channel. */
export interface Choice {
  readonly notificationId: string
  readonly channel: Channel
  readonly delivery: Delivery
  /** Absent: the type itself. */
  readonly subNotificationId?: string
}

export interface Preferences {
  /** One row for each channel of each type or sub-notification that the user can change. */
  readonly preferences: readonly Choice[]
  readonly notifications: readonly {
    readonly notificationId: string
    readonly title: string
    readonly channels: readonly Channel[]
    readonly options: { readonly [C in Channel]?: DeliveryOptions }
  }[]
  readonly subNotifications: readonly {
    readonly notificationId: string
    readonly subNotificationId: string
    readonly title: string
  }[]
}

type Unknown = Readonly<Record<string, unknown>>

const texts = (x: Unknown, ...keys: readonly string[]): boolean =>
  keys.every(key => typeof x[key] === 'string')

const isChoice = (x: Unknown): boolean =>
  texts(x, 'notificationId') &&
  (CHANNELS as readonly unknown[]).includes(x['channel']) &&
  (DELIVERIES as readonly unknown[]).includes(x['delivery'])

const isType = (x: Unknown): boolean =>
  texts(x, 'notificationId', 'title') && Array.isArray(x['channels']) && Object(x['options']) === x['options']

const isSub = (x: Unknown): boolean => texts(x, 'notificationId', 'subNotificationId', 'title')

export function isPreferences(x: unknown): x is Preferences {
  const all = (list: unknown, is: (one: Unknown) => boolean): boolean =>
    Array.isArray(list) && list.every(one => is(Object(one) as Unknown))
  const { notifications, preferences, subNotifications } = Object(x) as Unknown
  return all(preferences, isChoice) && all(notifications, isType) && all(subNotifications, isSub)
}

/** Identifies the row of a choice. */
export const topicOf = ({ channel, notificationId, subNotificationId }: Omit<Choice, 'delivery'>): string =>
  JSON.stringify([notificationId, subNotificationId ?? '', channel])

/** Returns the preferences after some choices; rows that do not change stay the same objects. */
export function withChoices(preferences: Preferences, choices: readonly Choice[]): Preferences {
  if (choices.length === 0) return preferences
  const chosen = new Map(choices.map(choice => [topicOf(choice), choice.delivery]))
  const rows = preferences.preferences.map(row => {
    const delivery = chosen.get(topicOf(row)) ?? row.delivery
    return delivery === row.delivery ? row : { ...row, delivery }
  })
  return { ...preferences, preferences: rows }
}
