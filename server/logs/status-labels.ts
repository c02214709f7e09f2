// The status labels of each decision: its names in log records, and whether the channel was sent, waits or failed.

import type { Decision } from '../send/plan/decision.ts'

export interface StatusLabels {
  /**
   * out: sent. later: decided again. discarded: by a rule. unreachable: discarded, because the user has no address. failed: it could
   * not be sent.
   */
  readonly kind: 'out' | 'later' | 'discarded' | 'unreachable' | 'failed'
  /** Value of `<c>_routing`. */
  readonly routing: string
  /** Value of `<c>_routing_reason`. */
  readonly reason?: string
  /** Value of `<c>_failed_code`. */
  readonly failed?: string
  /** Value of `ignored`, if all channels have this decision. */
  readonly ignored?: string
}

export const STATUS_LABELS: Readonly<Record<Decision, StatusLabels>> = {
  'address-bounced': { failed: 'ADDRESS_BOUNCED', kind: 'failed', routing: 'SEND' },
  'attachment-too-large': { failed: 'ATTACHMENT_TOO_LARGE', kind: 'failed', routing: 'SEND' },
  cancelled: { kind: 'discarded', reason: 'IGNORE_BY_INBOX', routing: 'IGNORE' },
  'condition-false': { kind: 'discarded', reason: 'IGNORE_BY_CONDITION', routing: 'IGNORE' },
  deduplicated: { ignored: 'DEDUPLICATION', kind: 'discarded', routing: 'DEDUPLICATED' },
  'default-off': { kind: 'discarded', reason: 'IGNORE_BY_DEFAULT_DELIVERY', routing: 'IGNORE' },
  delayed: { kind: 'later', routing: 'SCHEDULE' },
  deleted: {
    ignored: 'SCHEDULE_DELETED',
    kind: 'discarded',
    reason: 'SCHEDULE_DELETED',
    routing: 'IGNORE'
  },
  digest: { kind: 'later', routing: 'BATCH' },
  digested: { kind: 'out', routing: 'BATCH' },
  'environment-off': { kind: 'discarded', reason: 'IGNORE_BY_ENVIRONMENT', routing: 'IGNORE' },
  held: { kind: 'out', routing: 'HOLD' },
  'malformed-address': { failed: 'MALFORMED_ADDRESS', kind: 'failed', routing: 'SEND' },
  'no-address': { failed: 'NO_ADDRESS', kind: 'unreachable', routing: 'SEND' },
  'no-provider': { failed: 'NO_PROVIDER', kind: 'failed', routing: 'SEND' },
  'no-template': { failed: 'NO_DEFAULT_TEMPLATE', kind: 'failed', routing: 'SEND' },
  'not-in-type': { kind: 'discarded', routing: 'OFF' },
  'preference-off': { kind: 'discarded', reason: 'IGNORE_BY_PREFERENCES', routing: 'IGNORE' },
  'render-failed': { failed: 'TEMPLATE_FAILED', kind: 'failed', routing: 'SEND' },
  retracted: { kind: 'discarded', reason: 'RETRACTED', routing: 'IGNORE' },
  scheduled: { kind: 'later', routing: 'SCHEDULE' },
  sent: { kind: 'out', routing: 'SEND' },
  throttled: { ignored: 'THROTTLING', kind: 'discarded', routing: 'THROTTLED' },
  'too-long': { failed: 'TOO_LONG', kind: 'failed', routing: 'SEND' },
  'type-off': { ignored: 'DISABLED_NOTIFICATION', kind: 'discarded', routing: 'IGNORE' }
}

export const DECISIONS = Object.keys(STATUS_LABELS) as Decision[]

/** An unknown decision, which a newer version wrote, is neither success nor failure. */
export const statusLabels = (decision: string): StatusLabels =>
  STATUS_LABELS[decision as Decision] ?? { kind: 'later', routing: decision.toUpperCase() }

export const decisionsOfKind = (...kinds: readonly StatusLabels['kind'][]): Decision[] =>
  DECISIONS.filter(decision => kinds.includes(STATUS_LABELS[decision].kind))

/** @returns why rules discarded all channels; undefined if one was sent, waits, failed or has no address */
export function ignoredLabel(decisions: readonly string[]): string | undefined {
  const labels = decisions.map(statusLabels)
  if (labels.length === 0 || labels.some(({ kind }) => kind !== 'discarded')) return undefined
  const [first] = labels
  return first!.ignored !== undefined && labels.every(({ ignored }) => ignored === first!.ignored)
    ? first!.ignored
    : 'ALL_CHANNELS_IGNORED'
}
