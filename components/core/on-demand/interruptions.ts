// Whether an arrival may interrupt the user, by a toast or a sound: not one of a muted type, and not during a pause or quiet hours.

import type { Pause, Preferences, QuietHours } from '../../protocol/index.ts'
import type { NotifStore } from '../../store/types.ts'

/** Without an answer of the server by then, the preferences count as unknown. */
const PREFERENCES_TIMEOUT_MS = 2000

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
export function mayInterrupt(preferences: Preferences | undefined, type: string, now: number): boolean {
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

/** @returns undefined if they cannot be read in time */
async function readPreferences({ $preferences }: NotifStore): Promise<Preferences | undefined> {
  let unsubscribe = (): void => {}
  await new Promise<void>(resolve => {
    setTimeout(resolve, PREFERENCES_TIMEOUT_MS)
    unsubscribe = $preferences.subscribe(({ state }) => {
      if (state !== 'busy') resolve()
    })
  })
  const state = $preferences.get()
  unsubscribe()
  return state.state === 'ready' ? state : undefined
}

export interface Interruptions {
  allows(type: string): boolean
  isUrgent(type: string): boolean
}

/** Reads the preferences. Without them everything is allowed, except during a pause, of which the connection knows. */
export async function readInterruptions(store: NotifStore | undefined): Promise<Interruptions> {
  const preferences = store?.$preferences && (await readPreferences(store))
  const now = store?.now?.() ?? Date.now()
  const isPausedUnread = !preferences && store?.$pause?.get()?.isOn === true
  return {
    allows: type => !isPausedUnread && mayInterrupt(preferences, type, now),
    isUrgent: type => isUrgentType(preferences, type)
  }
}
