// Preferences of a user: how often each type is sent on each channel, and the choices that change it.

import { CHANNELS, DELIVERIES, type Channel, type Delivery } from './channel.ts'
import type { Instant } from './notif.ts'
import type { Pause } from './pause.ts'

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
  /** Nothing is stored for this row: `delivery` is that of the type, the channel or the environment. As a choice: removes what is stored. */
  readonly isInherited?: true
}

/** The switch of a whole channel. */
export interface ChannelSwitch {
  /** False: nothing is sent on the channel, except for types that lock it. The choices below stay stored. */
  readonly on: boolean
  /** The network stopped the channel (STOP to an SMS), and only the network can start it again. */
  readonly state?: 'blocked'
}

/** Hours in which what would ring or be sent waits. */
export interface QuietHours {
  readonly on: boolean
  /** On which days they begin: 1 is Monday, 7 is Sunday. */
  readonly days: readonly number[]
  /** `HH:MM` in the zone. */
  readonly from: string
  /** `HH:MM`; on the next day if it is not later than `from`. */
  readonly to: string
  /** IANA name. */
  readonly zone: string
  /** Whether urgent types do not wait. */
  readonly urgentPasses: boolean
}

/** A change of the fields of a user's preferences that are not about one type. An absent field stays. */
export interface PreferencesPatch {
  readonly channels?: { readonly [C in Channel]?: Pick<ChannelSwitch, 'on'> }
  /** `until` is absent or null: until the user ends it. */
  readonly pause?: { readonly isOn: boolean; readonly until?: Instant | null }
  /** `zone: null`: the time zone of the user. */
  readonly quiet?: Partial<Omit<QuietHours, 'zone'>> & { readonly zone?: string | null }
}

export interface Preferences {
  /** One row for each channel of each type or sub-notification that the user can change. */
  readonly preferences: readonly Choice[]
  readonly notifications: readonly {
    readonly notificationId: string
    readonly title: string
    readonly channels: readonly Channel[]
    readonly options: { readonly [C in Channel]?: DeliveryOptions }
    readonly description?: string
    /** Heading above types that belong together. */
    readonly group?: string
    /** Not held back by a pause, nor by quiet hours that let urgent types pass. */
    readonly urgent?: boolean
    /** Channels that the user cannot turn off. */
    readonly locked?: readonly Channel[]
  }[]
  readonly subNotifications: readonly {
    readonly notificationId: string
    readonly subNotificationId: string
    readonly title: string
  }[]
  /** Absent, like the next two, in answers of older servers. */
  readonly channels?: { readonly [C in Channel]?: ChannelSwitch }
  readonly pause?: Pause
  readonly quiet?: QuietHours
  /** Topics that the user is a member of. Absent in answers of older servers. */
  readonly topics?: readonly JoinedTopic[]
}

/** A group of users that the user is in. */
export interface JoinedTopic {
  readonly id: string
  readonly title: string
}

type Unknown = Readonly<Record<string, unknown>>

const texts = (x: Unknown, ...keys: readonly string[]): boolean =>
  keys.every(key => typeof x[key] === 'string')

const isChoice = (x: Unknown): boolean =>
  texts(x, 'notificationId') &&
  (CHANNELS as readonly unknown[]).includes(x['channel']) &&
  (DELIVERIES as readonly unknown[]).includes(x['delivery'])

const isType = (x: Unknown): boolean =>
  texts(x, 'notificationId', 'title') &&
  Array.isArray(x['channels']) &&
  Object(x['options']) === x['options'] &&
  Array.isArray(x['locked'] ?? [])

const isSub = (x: Unknown): boolean => texts(x, 'notificationId', 'subNotificationId', 'title')

const isTopic = (x: Unknown): boolean => texts(x, 'id', 'title')

const isSwitch = (x: Unknown): boolean => typeof x['on'] === 'boolean'

/** As in pause.ts, which is loaded with the connection: preferences say so if that cannot be loaded. */
const isPause = ({ isOn, until }: Unknown): boolean =>
  typeof isOn === 'boolean' && (until === null || typeof until === 'string')

const isQuiet = (x: Unknown): boolean =>
  isSwitch(x) && texts(x, 'from', 'to', 'zone') && Array.isArray(x['days'])

export function isPreferences(x: unknown): x is Preferences {
  const all = (list: unknown, is: (one: Unknown) => boolean): boolean =>
    Array.isArray(list) && list.every(one => is(Object(one) as Unknown))
  const optional = (value: unknown, is: (one: Unknown) => boolean): boolean =>
    value === undefined || is(Object(value) as Unknown)
  const { channels, notifications, pause, preferences, quiet, subNotifications, topics } = Object(
    x
  ) as Unknown
  return (
    all(preferences, isChoice) &&
    all(notifications, isType) &&
    all(subNotifications, isSub) &&
    optional(channels, switches => all(Object.values(switches), isSwitch)) &&
    optional(pause, isPause) &&
    optional(quiet, isQuiet) &&
    all(topics ?? [], isTopic)
  )
}

/** @param preferences - as an older server sends them, too. @returns false if the channel is off as a whole */
export const isChannelOn = ({ channels }: Pick<Preferences, 'channels'>, channel: Channel): boolean =>
  channels?.[channel]?.on !== false

/** Identifies the row of a choice. */
export const topicOf = ({ channel, notificationId, subNotificationId }: Omit<Choice, 'delivery'>): string =>
  JSON.stringify([notificationId, subNotificationId ?? '', channel])

/** Returns the preferences after some choices; rows that do not change stay the same objects. */
export function withChoices(preferences: Preferences, choices: readonly Choice[]): Preferences {
  if (choices.length === 0) return preferences
  const chosen = new Map(choices.map(choice => [topicOf(choice), choice]))
  const rows = preferences.preferences.map(row => {
    const choice = chosen.get(topicOf(row)) ?? row
    const isSame = choice.delivery === row.delivery && choice.isInherited === row.isInherited
    return isSame ? row : { ...choice }
  })
  return { ...preferences, preferences: rows }
}
