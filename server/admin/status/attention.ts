// What needs somebody, the worst first. Pure.

import type { DeadLetterCause } from '../../client/dead-letters.ts'
import type { Attention, EmailProbe } from '../../client/status.ts'
import type { EndingKey, TypeTitle, UnsendableCount } from './attention.sql.ts'

export const MAX_ATTENTION = 20

export interface AttentionFacts {
  readonly email: readonly EmailProbe[]
  readonly causes: readonly DeadLetterCause[]
  readonly unsendable: readonly UnsendableCount[]
  readonly types: readonly TypeTitle[]
  readonly keys: readonly EndingKey[]
  readonly secretEnd: Date | undefined
}

/** A template that was written since is no longer missing. */
const isMended = ({ channel, decision, type }: UnsendableCount, types: readonly TypeTitle[]): boolean =>
  decision === 'no-template' && types.some(({ channels, id }) => id === type && channels.includes(channel))

const fromProbe = (probe: EmailProbe): Attention => ({ kind: 'email', ...probe })

const fromCause = ({ channel, code, count, isAtLeast }: DeadLetterCause): Attention => ({
  kind: 'dead-letters',
  channel,
  code,
  count,
  isAtLeast
})

function fromUnsendable(
  { channel, count, decision, type }: UnsendableCount,
  types: readonly TypeTitle[]
): Attention {
  const title = types.find(({ id }) => id === type)?.title
  return { kind: 'cannot-send', channel, count, decision, type, ...(title !== undefined && { title }) }
}

const fromKey = ({ expiresAt, id, name }: EndingKey): Attention => ({
  kind: 'key-expires',
  expiresAt: expiresAt.toISOString(),
  keyId: id,
  name
})

export function toAttention(facts: AttentionFacts): Attention[] {
  const { causes, email, keys, secretEnd, types, unsendable } = facts
  const probes = email.filter(({ state }) => state !== 'ok').toSorted((a, b) => (a.state < b.state ? -1 : 1))
  const all = [
    ...probes.map(fromProbe),
    ...causes.slice(0, 1).map(fromCause),
    ...unsendable.filter(count => !isMended(count, types)).map(count => fromUnsendable(count, types)),
    ...keys.map(fromKey),
    ...(secretEnd ? [{ kind: 'secret-ends' as const, endsAt: secretEnd.toISOString() }] : [])
  ]
  return all.slice(0, MAX_ATTENTION)
}
