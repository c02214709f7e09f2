// Preferences in the words of the oldest clients (spec/wire.md 6): switches, by type and channel. Pure but for its schema.

import { z } from 'zod'

import type { Channel } from '#protocol'

import { escapeMarkup } from '../../core/escape-html.ts'
import { channel } from '../../types/schema.ts'
import { subId, typeId } from '../../types/type-id.ts'
import type { Matrix } from './matrix.ts'
import { firstChoice } from './options.ts'
import type { Choice } from './preferences.sql.ts'

/** These clients show what the server calls a channel. */
const NAMES: Readonly<Record<Channel, string>> = {
  CALL: 'Automated Calling',
  EMAIL: 'Email',
  INAPP_WEB: 'In-App',
  PUSH: 'Mobile',
  SLACK: 'Slack',
  SMS: 'Text',
  WEB_PUSH: 'Browser'
}

export interface LegacyPreference {
  readonly notificationId: string
  /** HTML: these clients put it into their page as it is. */
  readonly title: string
  readonly settings: readonly {
    readonly channel: Channel
    readonly channelName: string
    readonly state: boolean
  }[]
  readonly subNotificationPreferences?: readonly (Omit<LegacyPreference, 'subNotificationPreferences'> & {
    readonly subNotificationId: string
  })[]
}

export function toLegacy({ notifications, preferences, subNotifications }: Matrix): LegacyPreference[] {
  const settingsOf = (id: string, sub: string | undefined) =>
    preferences
      .filter(row => row.notificationId === id && row.subNotificationId === sub)
      .map(row => ({
        channel: row.channel,
        channelName: NAMES[row.channel],
        state: row.delivery !== 'off'
      }))
  return notifications.map(({ notificationId, title }) => {
    const subs = subNotifications.filter(sub => sub.notificationId === notificationId)
    return {
      notificationId,
      settings: settingsOf(notificationId, undefined),
      title: escapeMarkup(title),
      ...(subs.length > 0 && {
        subNotificationPreferences: subs.map(({ subNotificationId, title: of }) => ({
          notificationId,
          settings: settingsOf(notificationId, subNotificationId),
          subNotificationId,
          title: escapeMarkup(of)
        }))
      })
    }
  })
}

/** @param limit - most types of one frame */
export const legacyPatch = (limit: number) =>
  z
    .array(
      z.object({
        channelPreferences: z.array(z.object({ channel, state: z.boolean() })).max(50),
        notificationId: typeId,
        subNotificationId: subId.nullish()
      })
    )
    .max(limit)

export type LegacyPatch = z.output<ReturnType<typeof legacyPatch>>

/** What is on already keeps its frequency: a switch knows none. */
export function fromLegacy(patch: LegacyPatch, { notifications, preferences }: Matrix): Choice[] {
  return patch.flatMap(({ channelPreferences, notificationId, subNotificationId }) =>
    channelPreferences.flatMap(({ channel, state }): Choice[] => {
      const choice = { channel, notificationId, subNotificationId: subNotificationId ?? '' }
      if (!state) return [{ ...choice, delivery: 'off' }]
      const now = preferences.find(
        row =>
          row.notificationId === notificationId &&
          row.channel === channel &&
          (row.subNotificationId ?? '') === choice.subNotificationId
      )
      if (now && now.delivery !== 'off') return []
      const options = notifications.find(type => type.notificationId === notificationId)?.options[channel]
      return [{ ...choice, delivery: options ? firstChoice(options) : 'instant' }]
    })
  )
}
