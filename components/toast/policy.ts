// Whether a notification may be shown as a toast, by the preferences of its user. Pure.

import type { Pause, Preferences, QuietHours } from '../protocol/index.ts'

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The preferences may have been read before the pause ended. */
const isPaused = ({ isOn, until }: Pause, now: number): boolean =>
  isOn && (until === null || Date.parse(until) > now)

function isQuiet({ days, from, on, to, zone }: QuietHours, now: number): boolean {
  if (!on) return false
  const format = new Intl.DateTimeFormat('en-US', {
    hour: '2-digit',
    hourCycle: 'h23',
    minute: '2-digit',
    timeZone: zone,
    weekday: 'short'
  })
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]))
  const time = `${parts['hour']}:${parts['minute']}`
  const day = WEEKDAYS.indexOf(parts['weekday']!)
  // 1 is Monday.
  const [beginsToday, beganYesterday] = [days.includes(day + 1), days.includes(((day + 6) % 7) + 1)]
  return from < to
    ? beginsToday && time >= from && time < to
    : (beginsToday && time >= from) || (beganYesterday && time < to)
}

export const isUrgentType = (preferences: Preferences | undefined, type: string): boolean =>
  preferences?.notifications.some(({ notificationId, urgent }) => notificationId === type && urgent) ?? false

/**
 * Muted types are silent, and so is a pause and quiet hours, except for urgent types.
 *
 * @param preferences - undefined: unknown
 * @param now - milliseconds
 */
export function isToastAllowed(preferences: Preferences | undefined, type: string, now: number): boolean {
  if (!preferences) return true
  const { pause, preferences: choices, quiet } = preferences
  const isUrgent = isUrgentType(preferences, type)
  if (pause && !isUrgent && isPaused(pause, now)) return false
  if (quiet && !(isUrgent && quiet.urgentPasses) && isQuiet(quiet, now)) return false
  return !choices.some(
    ({ channel, delivery, notificationId, subNotificationId }) =>
      notificationId === type && channel === 'INAPP_WEB' && delivery === 'off' && !subNotificationId
  )
}
