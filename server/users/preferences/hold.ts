// Decides whether messages to a user are held now, and until when: by a pause, by quiet hours, or by both after each other. Pure.

import { isPaused, quietHours, type DeliverySettings } from './delivery-settings.ts'
import { quietEnd } from './quiet-hours.ts'

export interface Hold {
  /** What holds the message first. */
  readonly reason: 'pause' | 'quiet-hours'
  /** Milliseconds since 1970; null: until the user ends the pause. */
  readonly until: number | null
}

export interface HoldSituation {
  readonly isUrgent: boolean
  /** Milliseconds since 1970. */
  readonly now: number
  /** Time zone of the user, for quiet hours that name none. */
  readonly zone: string
}

/** Quiet hours, the end of a pause in them, and the quiet hours that follow the pause. */
const MAX_STEPS = 3

/** @param settings - undefined for a user without any */
export function findHold(
  settings: DeliverySettings | undefined,
  { isUrgent, now, zone }: HoldSituation
): Hold | undefined {
  if (!settings) return undefined
  const quiet = quietHours(settings, zone)
  const obeysQuiet = quiet.on && !(isUrgent && quiet.urgentPasses)
  let hold: { readonly reason: Hold['reason']; readonly until: number } | undefined
  for (let i = 0; i < MAX_STEPS; i++) {
    const at = hold?.until ?? now
    const { pausedUntil } = settings
    if (!isUrgent && isPaused(settings, at)) {
      const reason = hold?.reason ?? 'pause'
      if (typeof pausedUntil !== 'number') return { reason, until: null }
      hold = { reason, until: pausedUntil }
      continue
    }
    const end = obeysQuiet ? quietEnd(at, quiet) : undefined
    if (end === undefined) break
    hold = { reason: hold?.reason ?? 'quiet-hours', until: end }
  }
  return hold
}

/** Continues a sentence such as "It is held". */
export function describeHold({ reason, until }: Hold): string {
  if (until === null) return 'until the user ends the pause'
  const cause = reason === 'pause' ? 'the user paused messages' : 'the user has quiet hours'
  return `until ${new Date(until).toISOString()}, because ${cause}`
}
