// Converts preferences from and to the switches of legacy clients. Pure.

import { z } from 'zod'

import type { Channel } from '#protocol'

import { escapeMarkup } from '../../core/escape-html.ts'
import { channel } from '../../types/schema.ts'
import { subId, typeId } from '../../types/type-id.ts'
import type { Matrix } from './matrix.ts'
import { firstEnabledFrequency } from './options.ts'
import type { PreferenceChoice } from './preferences.sql.ts'

const CHANNEL_NAMES: Readonly<Record<Channel, string>> = {
  CALL: 'Automated Calling',
  EMAIL: 'Email',
  INAPP_WEB: 'In-App',
  PUSH: 'Mobile',
  SLACK: 'Slack',
  SMS: 'Text',
  WEB_PUSH: 'Browser'
}

/** Titles are escaped, because legacy clients insert them into their page as HTML. */
export function toLegacy({ notifications, preferences, subNotifications }: Matrix) {
  const switchesFor = (id: string, sub: string | undefined) =>
    preferences
      .filter(row => row.notificationId === id && row.subNotificationId === sub)
      .map(row => ({
        channel: row.channel,
        channelName: CHANNEL_NAMES[row.channel],
        state: row.delivery !== 'off'
      }))
  return notifications.map(({ notificationId, title }) => {
    const subs = subNotifications.filter(sub => sub.notificationId === notificationId)
    return {
      notificationId,
      settings: switchesFor(notificationId, undefined),
      title: escapeMarkup(title),
      ...(subs.length > 0 && {
        subNotificationPreferences: subs.map(({ subNotificationId, title: subTitle }) => ({
          notificationId,
          settings: switchesFor(notificationId, subNotificationId),
          subNotificationId,
          title: escapeMarkup(subTitle)
        }))
      })
    }
  })
}

/** @param limit - of types in one frame */
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

/** A switch that is on already keeps its frequency; one that the type locks stays as it is. */
export function fromLegacy(patch: LegacyPatch, { notifications, preferences }: Matrix): PreferenceChoice[] {
  return patch.flatMap(({ channelPreferences, notificationId, subNotificationId }) =>
    channelPreferences.flatMap(({ channel, state }): PreferenceChoice[] => {
      const choice = { channel, notificationId, subNotificationId: subNotificationId ?? '' }
      const type = notifications.find(one => one.notificationId === notificationId)
      if (type?.locked?.includes(channel)) return []
      if (!state) return [{ ...choice, delivery: 'off' }]
      const current = preferences.find(
        row =>
          row.notificationId === notificationId &&
          row.channel === channel &&
          (row.subNotificationId ?? '') === choice.subNotificationId
      )
      if (current && current.delivery !== 'off') return []
      const options = type?.options[channel]
      return [{ ...choice, delivery: options ? firstEnabledFrequency(options) : 'instant' }]
    })
  )
}
