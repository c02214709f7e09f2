// What each decision means in a log: how existing clients call it, and whether the channel went out, waits or failed.

import type { Decision } from '../send/plan/decision.ts'

export interface Meaning {
  /** out: handed on. later: decided again. discarded: somebody wanted it so. failed: it could not go out. */
  readonly kind: 'out' | 'later' | 'discarded' | 'failed'
  /** Value of `<c>_routing` (spec/wire.md 13). */
  readonly routing: string
  /** Value of `<c>_routing_reason`. */
  readonly reason?: string
  /** Value of `<c>_failed_code`. */
  readonly failed?: string
  /** Value of `ignored`, where every channel was decided like this. */
  readonly ignored?: string
}

export const MEANINGS: Readonly<Record<Decision, Meaning>> = {
  'address-bounced': { failed: 'ADDRESS_BOUNCED', kind: 'failed', routing: 'SEND' },
  cancelled: { kind: 'discarded', routing: 'SCHEDULE' },
  'condition-false': { kind: 'discarded', reason: 'IGNORE_BY_CONDITION', routing: 'IGNORE' },
  deduplicated: { ignored: 'DEDUPLICATION', kind: 'discarded', routing: 'DEDUPLICATED' },
  'default-off': { kind: 'discarded', reason: 'IGNORE_BY_DEFAULT_DELIVERY', routing: 'IGNORE' },
  digest: { kind: 'later', routing: 'BATCH' },
  digested: { kind: 'out', routing: 'BATCH' },
  'environment-off': { kind: 'discarded', reason: 'IGNORE_BY_ENVIRONMENT', routing: 'IGNORE' },
  'no-address': { failed: 'NO_ADDRESS', kind: 'failed', routing: 'SEND' },
  'no-provider': { failed: 'NO_PROVIDER', kind: 'failed', routing: 'SEND' },
  'no-template': { failed: 'NO_DEFAULT_TEMPLATE', kind: 'failed', routing: 'SEND' },
  'not-in-type': { kind: 'discarded', routing: 'OFF' },
  'preference-off': { kind: 'discarded', reason: 'IGNORE_BY_PREFERENCES', routing: 'IGNORE' },
  'render-failed': { failed: 'TEMPLATE_FAILED', kind: 'failed', routing: 'SEND' },
  retracted: { kind: 'discarded', reason: 'RETRACTED', routing: 'IGNORE' },
  scheduled: { kind: 'later', routing: 'SCHEDULE' },
  sent: { kind: 'out', routing: 'SEND' },
  throttled: { ignored: 'THROTTLING', kind: 'discarded', routing: 'THROTTLED' },
  'type-off': { ignored: 'DISABLED_NOTIFICATION', kind: 'discarded', routing: 'IGNORE' }
}

export const DECISIONS = Object.keys(MEANINGS) as Decision[]

/** A decision of a version that this one does not know is neither success nor failure. */
export const meaningOf = (decision: string): Meaning =>
  MEANINGS[decision as Decision] ?? { kind: 'later', routing: decision.toUpperCase() }

/** Decisions of some kinds. */
export const decisionsThatAre = (...kinds: readonly Meaning['kind'][]): Decision[] =>
  DECISIONS.filter(decision => kinds.includes(MEANINGS[decision].kind))

/** Why a whole send was ignored; undefined where anything of it went out, waits or failed. */
export function ignoredOf(decisions: readonly string[]): string | undefined {
  const meanings = decisions.map(meaningOf)
  if (meanings.length === 0 || meanings.some(({ kind }) => kind !== 'discarded')) return undefined
  const [first] = meanings
  return first!.ignored !== undefined && meanings.every(({ ignored }) => ignored === first!.ignored)
    ? first!.ignored
    : 'ALL_CHANNELS_IGNORED'
}
