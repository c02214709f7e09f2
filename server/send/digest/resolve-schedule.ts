// What becomes of the items under a head that is due, or whose user has changed something. Pure: one word for each
// sub-notification.

import type { Channel } from '#protocol'

import type { Environment } from '../../config/environment.ts'
import { isPeriod, type Period } from '../../types/cadence.ts'
import type { NotificationType } from '../../types/type.ts'
import { resolveFrequency } from '../../users/preferences/resolve.ts'
import type { Contact } from '../../users/users.sql.ts'
import type { Decision } from '../plan/decision.ts'
import { dueOf, OFF } from '../plan/plan.ts'
import type { Due } from './digest.ts'

export type Settled =
  /** Into a digest now. */
  | { readonly fate: 'out' }
  | { readonly fate: 'dropped'; readonly decision: Decision }
  /** Under a head of this period, perhaps the same. */
  | { readonly fate: 'waits'; readonly period: Period; readonly due: Due }

export interface Situation {
  readonly channel: Channel
  readonly notificationId: string
  readonly subNotificationId: string
  /** Its time has come. */
  readonly isDue: boolean
  /** The user's own, if any. */
  readonly ownZone: string | undefined
  readonly type: NotificationType
  readonly contact: Pick<Contact, 'preferences'>
  readonly environment: Environment['settings']
  readonly now: number
  /** Where neither user nor environment names one. */
  readonly zone: string
}

export function settle(situation: Situation): Settled {
  const { channel, contact, environment, isDue, ownZone, type } = situation
  if (!type.settings.enabled) return { decision: 'type-off', fate: 'dropped' }
  const { preferences } = contact
  const { source, delivery } = resolveFrequency(channel, situation, { environment, preferences, type })
  if (delivery === 'off') return { decision: OFF[source], fate: 'dropped' }
  if (isDue || !isPeriod(delivery)) return { fate: 'out' }
  return { due: dueOf(channel, delivery, ownZone, situation), fate: 'waits', period: delivery }
}
