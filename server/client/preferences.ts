// Preferences of users, and the sub-notifications of types.

import type { Call, CallOptions } from './call.ts'
import type { Channel, Delivery, Instant } from './names.ts'

/** What a user chose for a notification type. */
export interface Preference {
  readonly notificationId: string
  /** Default: the whole type. */
  readonly subNotificationId?: string
  /** Default: every channel. */
  readonly channel?: Channel
  /** INAPP_WEB accepts only `off` and `instant`. `null` removes the preference. */
  readonly delivery: Delivery | null
  /** `true`, as in an answer: removes the preference. */
  readonly isInherited?: true
}

export interface PreferencesAnswer {
  /** Number of preferences that are stored for the user now. */
  readonly count: number
  /** What was ignored, and why. */
  readonly messages: readonly string[]
}

/** What applies to a user: one row for each type, sub-notification and channel, chosen or by default. */
export interface Preferences {
  readonly preferences: readonly {
    readonly notificationId: string
    readonly subNotificationId?: string
    readonly channel: Channel
    readonly delivery: Delivery
    /** Nothing is stored for this row: `delivery` comes from the type, its other preferences or the environment. */
    readonly isInherited?: true
  }[]
  readonly notifications: readonly {
    readonly notificationId: string
    readonly title: string
    readonly channels: readonly Channel[]
    /** Deliveries that the user may choose, by channel. */
    readonly options: Readonly<Partial<Record<Channel, Readonly<Record<string, unknown>>>>>
    readonly description?: string
    /** Heading above types that belong together. */
    readonly group?: string
    /** Not held back by a pause, nor by quiet hours that let urgent types pass. */
    readonly urgent?: boolean
    /** Channels that the user cannot turn off. */
    readonly locked?: readonly Channel[]
  }[]
  readonly subNotifications: readonly SubNotification[]
  /** The switch of each whole channel. `blocked`: the network stopped it (STOP to an SMS), and only that can start it again. */
  readonly channels: Readonly<Partial<Record<Channel, { readonly on: boolean; readonly state?: 'blocked' }>>>
  /** `until: null` while it is on: until the user ends it. */
  readonly pause: { readonly isOn: boolean; readonly until: Instant | null }
  readonly quiet: QuietHours
  /** Topics that the user is in, at most 200. */
  readonly topics: readonly { readonly id: string; readonly title: string }[]
}

/** Hours in which messages wait. The inbox gets its notifications at once. */
export interface QuietHours {
  readonly on: boolean
  /** On which days they begin: 1 is Monday, 7 is Sunday. */
  readonly days: readonly number[]
  /** `HH:MM` in the zone. */
  readonly from: string
  /** `HH:MM`; on the next day if it is not later than `from`. */
  readonly to: string
  /** IANA time zone. */
  readonly zone: string
  /** Whether urgent types do not wait. */
  readonly urgentPasses: boolean
}

/** The settings of a user that are not about one type. */
export type PreferenceSettings = Pick<Preferences, 'channels' | 'pause' | 'quiet'>

/** A change of these settings. An absent field stays. */
export interface PreferenceSettingsChange {
  readonly channels?: Readonly<Partial<Record<Channel, { readonly on: boolean }>>>
  /** Without `until`: until the user ends it. */
  readonly pause?: { readonly isOn: boolean; readonly until?: Instant | null }
  /** `zone: null`: the time zone of the user. */
  readonly quiet?: Partial<Omit<QuietHours, 'zone'>> & { readonly zone?: string | null }
}

/** A part of a notification type, such as a project, with preferences of its own. */
export interface SubNotification {
  readonly notificationId: string
  readonly subNotificationId: string
  readonly title: string
}

export const preferenceCalls = (call: Call) => ({
  /** Replaces all preferences of a user. */
  setUserPreferences: (
    userId: string,
    chosen: readonly Preference[],
    options?: CallOptions
  ): Promise<PreferencesAnswer> =>
    call({ body: chosen, method: 'POST', path: ['user_preferences', userId] }, options),

  /** Returns what applies to a user. */
  getUserPreferences: (userId: string, options?: CallOptions): Promise<Preferences> =>
    call({ method: 'GET', path: ['users', userId, 'preferences'] }, options),

  /** Sets the given preferences; other preferences stay unchanged. */
  updateUserPreferences: (
    userId: string,
    chosen: readonly Preference[],
    options?: CallOptions
  ): Promise<PreferencesAnswer> =>
    call({ body: chosen, method: 'POST', path: ['users', userId, 'preferences'] }, options),

  /** Changes channels, pause and quiet hours of a user. Returns them; `channels` are the changed ones and those that are off. */
  updateUserSettings: (
    userId: string,
    change: PreferenceSettingsChange,
    options?: CallOptions
  ): Promise<PreferenceSettings> =>
    call({ body: change, method: 'PATCH', path: ['users', userId, 'preferences'] }, options),

  /** Deletes the preferences of a user for a type, or for one sub-notification. */
  deleteUserPreferences: async (
    userId: string,
    notificationId: string,
    subNotificationId?: string,
    options?: CallOptions
  ): Promise<void> => {
    const query = { notificationId, subNotificationId }
    await call({ method: 'DELETE', path: ['users', userId, 'preferences'], query }, options)
  },

  /** Creates or renames a sub-notification. */
  createSubNotification: async (
    { notificationId, subNotificationId, title }: SubNotification,
    options?: CallOptions
  ): Promise<void> => {
    const path = ['notifications', notificationId, 'subNotifications', subNotificationId]
    await call({ body: { title }, method: 'PUT', path }, options)
  },

  /** Deletes a sub-notification. */
  deleteSubNotification: async (
    { notificationId, subNotificationId }: Omit<SubNotification, 'title'>,
    options?: CallOptions
  ): Promise<void> => {
    const path = ['notifications', notificationId, 'subNotifications', subNotificationId]
    await call({ method: 'DELETE', path }, options)
  }
})
