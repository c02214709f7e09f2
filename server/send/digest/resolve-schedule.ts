// Decides about the items of a digest that is due, or whose user has changed something: send, wait or drop. Pure.

import type { Channel } from '#protocol'

import type { Environment } from '../../config/environment-settings.ts'
import { isPeriod, type Period } from '../../types/cadence.ts'
import type { NotificationType } from '../../types/type.ts'
import { resolveFrequency } from '../../users/preferences/resolve.ts'
import type { Contact } from '../../users/users.sql.ts'
import type { Decision } from '../plan/decision.ts'
import { nextDigestTime, OFF_DECISIONS } from '../plan/plan.ts'
import type { DigestTime } from './digest.ts'

export type DigestResolution =
  | { readonly action: 'send' }
  | { readonly action: 'drop'; readonly decision: Decision }
  /** In a digest of this period, which may be the same as before. */
  | { readonly action: 'wait'; readonly period: Period; readonly time: DigestTime }

export interface DigestSituation {
  readonly channel: Channel
  readonly notificationId: string
  readonly subNotificationId: string
  readonly isDue: boolean
  readonly ownZone: string | undefined
  readonly type: NotificationType
  readonly contact: Pick<Contact, 'preferences' | 'settings'>
  readonly environment: Environment['settings']
  readonly now: number
  /** Time zone if neither user nor environment has one. */
  readonly zone: string
}

/** Decides for the items of one sub-notification. */
export function resolveSchedule(situation: DigestSituation): DigestResolution {
  const { channel, contact, environment, isDue, ownZone, type } = situation
  if (!type.settings.enabled) return { action: 'drop', decision: 'type-off' }
  const { preferences, settings } = contact
  const rules = { channelsOff: settings?.channelsOff, environment, preferences, type }
  const { delivery, source } = resolveFrequency(channel, situation, rules)
  if (delivery === 'off') return { action: 'drop', decision: OFF_DECISIONS[source] }
  if (isDue || !isPeriod(delivery)) return { action: 'send' }
  return { action: 'wait', period: delivery, time: nextDigestTime(channel, delivery, ownZone, situation) }
}
