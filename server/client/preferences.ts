// What a user wants on which channel, and the parts of a type that have preferences of their own.

import type { Ask, CallOptions } from './call.ts'
import type { Channel, Delivery } from './names.ts'

export interface Preference {
  readonly notificationId: string
  /** Absent: of the whole type. */
  readonly subNotificationId?: string
  /** Absent: of every channel. */
  readonly channel?: Channel
  /** INAPP_WEB knows only `off` and `instant`. `null` takes a choice back. */
  readonly delivery: Delivery | null
}

export interface PreferencesAnswer {
  /** Stored preferences of the user now. */
  readonly count: number
  /** What was ignored. */
  readonly messages: readonly string[]
}

/** What holds for a user: one row for each type, part and channel, chosen or by default. */
export interface Preferences {
  readonly preferences: readonly {
    readonly notificationId: string
    readonly subNotificationId?: string
    readonly channel: Channel
    readonly delivery: Delivery
  }[]
  readonly notifications: readonly {
    readonly notificationId: string
    readonly title: string
    readonly channels: readonly Channel[]
    /** What a user may choose, by channel. */
    readonly options: Readonly<Partial<Record<Channel, Readonly<Record<string, unknown>>>>>
  }[]
  readonly subNotifications: readonly SubNotification[]
}

export interface SubNotification {
  readonly notificationId: string
  readonly subNotificationId: string
  readonly title: string
}

export const preferences = (ask: Ask) => ({
  /** Replaces all preferences of a user. */
  setUserPreferences: (
    userId: string,
    chosen: readonly Preference[],
    options?: CallOptions
  ): Promise<PreferencesAnswer> =>
    ask({ body: chosen, method: 'POST', path: ['user_preferences', userId] }, options),

  getUserPreferences: (userId: string, options?: CallOptions): Promise<Preferences> =>
    ask({ method: 'GET', path: ['users', userId, 'preferences'] }, options),

  /** Sets these preferences; others stay. */
  updateUserPreferences: (
    userId: string,
    chosen: readonly Preference[],
    options?: CallOptions
  ): Promise<PreferencesAnswer> =>
    ask({ body: chosen, method: 'POST', path: ['users', userId, 'preferences'] }, options),

  /** Forgets what a user chose for a type, or for one part of it. */
  deleteUserPreferences: async (
    userId: string,
    notificationId: string,
    subNotificationId?: string,
    options?: CallOptions
  ): Promise<void> => {
    const which = { notificationId, subNotificationId }
    await ask({ method: 'DELETE', path: ['users', userId, 'preferences'], query: which }, options)
  },

  /** Makes or renames a part of a type. */
  createSubNotification: async (
    { notificationId, subNotificationId, title }: SubNotification,
    options?: CallOptions
  ): Promise<void> => {
    const where = ['notifications', notificationId, 'subNotifications', subNotificationId]
    await ask({ body: { title }, method: 'PUT', path: where }, options)
  },

  deleteSubNotification: async (
    { notificationId, subNotificationId }: Omit<SubNotification, 'title'>,
    options?: CallOptions
  ): Promise<void> => {
    const where = ['notifications', notificationId, 'subNotifications', subNotificationId]
    await ask({ method: 'DELETE', path: where }, options)
  }
})
