// Lists the rules that a channel of a send passed, in their order, up to the one that decided. Pure.

import type { Channel } from '#protocol'

import type { Decision } from '../send/plan/decision.ts'
import type { DatedPreference } from '../users/preferences/preference.ts'
import { findPreference } from '../users/preferences/resolve.ts'
import type { SendFacts } from './delivery-facts.ts'

export const RULES = [
  'in-type',
  'type-on',
  'preference',
  'template',
  'address-form',
  'provider',
  'address',
  'bounce',
  'size',
  'condition',
  'rate',
  'render',
  'wait'
] as const
export type Rule = (typeof RULES)[number]

/** The rule that each decision fails; other decisions pass all. */
const FAILED_RULES: Partial<Readonly<Record<Decision, Rule>>> = {
  'address-bounced': 'bounce',
  'attachment-too-large': 'size',
  cancelled: 'wait',
  'condition-false': 'condition',
  deduplicated: 'rate',
  'default-off': 'preference',
  deleted: 'wait',
  'environment-off': 'preference',
  'malformed-address': 'address-form',
  'no-address': 'address',
  'no-provider': 'provider',
  'no-template': 'template',
  'not-in-type': 'in-type',
  'preference-off': 'preference',
  'render-failed': 'render',
  retracted: 'wait',
  throttled: 'rate',
  'too-long': 'size',
  'type-off': 'type-on'
}

/** The decisions that fail a rule. */
export const decisionsOfRule = (rule: Rule): Decision[] =>
  (Object.keys(FAILED_RULES) as Decision[]).filter(decision => FAILED_RULES[decision] === rule)

/** The inbox needs neither address nor provider. */
const NOT_OF_INBOX: ReadonlySet<Rule> = new Set([
  'address-form',
  'provider',
  'address',
  'bounce',
  'size',
  'condition'
])
const ONLY_OF_EMAIL: ReadonlySet<Rule> = new Set(['bounce', 'condition'])

export function listRules(
  channel: string,
  decision: string
): { readonly rule: Rule; readonly passed: boolean }[] {
  const failed = FAILED_RULES[decision as Decision]
  const own = RULES.filter(
    rule =>
      rule === failed ||
      (!((channel as Channel) === 'INAPP_WEB' && NOT_OF_INBOX.has(rule)) &&
        !(channel !== 'EMAIL' && ONLY_OF_EMAIL.has(rule)))
  )
  const end = failed === undefined ? own.length : own.indexOf(failed) + 1
  return own.slice(0, end).map(rule => ({ passed: rule !== failed, rule }))
}

/** The preference of now that turns the channel off, with its last change; nothing for other decisions, and if it is gone. */
export function explainPreference(
  { subId, type }: Pick<SendFacts, 'subId' | 'type'>,
  { channel, decision }: { readonly channel: string; readonly decision: string },
  preferences: readonly DatedPreference[]
) {
  if (decision !== 'preference-off') return {}
  const topic = { notificationId: type, subNotificationId: subId }
  const found =
    findPreference(channel as Channel, topic, preferences) ??
    preferences.find(one => one.notificationId === '' && one.channel === channel)
  if (!found) return {}
  const { changedAt, changedBy, delivery } = found
  return { preference: { changedAt: changedAt.toISOString(), changedBy, delivery } }
}
