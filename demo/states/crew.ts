// Preferences with a type whose user may turn it off or have it once a day.

import type { Preferences } from '../../components/protocol/index.ts'
import { harbourSettings } from '../harbour-preferences.ts'

const SWITCH = {
  defaultDeliveryOption: 'instant',
  instant: { enabled: true },
  off: { enabled: true }
} as const
const DAILY = { ...SWITCH, daily: { enabled: true } } as const

/** @param settings - replace those of the samples */
export function settingsWithCrew(settings?: Parameters<typeof harbourSettings>[0]): Preferences {
  const { notifications, preferences, ...rest } = harbourSettings(settings)
  const notificationId = 'invitation'
  return {
    ...rest,
    notifications: [
      ...notifications,
      {
        channels: ['EMAIL', 'INAPP_WEB'],
        group: 'Your work',
        notificationId,
        options: { EMAIL: DAILY, INAPP_WEB: SWITCH },
        title: 'Crew invitations'
      }
    ],
    preferences: [
      ...preferences,
      { channel: 'EMAIL', delivery: 'instant', notificationId },
      { channel: 'INAPP_WEB', delivery: 'instant', notificationId }
    ]
  }
}
