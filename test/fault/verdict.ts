// What providers have taken against what was accepted: nothing missing, and nothing twice without a reason.
//
// The reason is a fact, not a time: each yes that a provider said stands in the server's own log, or the server can say
// why it does not.

import { QUEUES, type Taken } from './ledger.ts'
import type { Refused, Tried } from './server-records.ts'

/**
 * - `unheard`: the line ended before the yes, or the yes came after its try was over (logged as uncertain)
 * - `died`: the node that heard it was killed before it reported (logged as lost)
 * - `fenced`: the node that heard it reported after its lease had ended (refused by the fence, and said so), which it does
 *   not within {@link SAFE} of a yes, unless the storm has moved leases
 */
export type Cause = 'unheard' | 'died' | 'fenced'

export interface Evidence {
  /** Tracking id of every accepted send, by its key. */
  readonly accepted: ReadonlyMap<string, string>
  /** By queue and key. */
  readonly taken: ReadonlyMap<string, readonly Taken[]>
  /** Tracking ids of calls that were given up because nobody knows what became of them. */
  readonly unsure: ReadonlySet<string>
  readonly tries: readonly Tried[]
  readonly refused: readonly Refused[]
  /** When a node was killed, by its number. `performance.now()` */
  readonly killed: ReadonlyMap<number, number>
  /** When the storm moved the leases of all that was under way. `performance.now()` */
  readonly moved: readonly number[]
}

export interface Verdict {
  /** Accepted, not dead, and never taken. */
  readonly missing: readonly string[]
  /** Taken twice, and no fact explains it: for a call none does. */
  readonly groundless: readonly string[]
  /** Messages that were taken once more than they should, by cause. */
  readonly doubles: Readonly<Record<Cause, number>>
}

/** Milliseconds that a report may have waited for a database that was away when its node was killed. */
const WAIT = 20_000

/** Milliseconds: a lease is longer than the wait for a slot and the call by more than this. */
const SAFE = 3_000
/** Milliseconds after which a moved lease would have ended by itself. */
const LEASE = 40_000

/** A mail's yes is a whole line. */
const isOf = (ref: string | null, taken: Taken): boolean => ref?.split(' ').at(-1) === taken.ref

export function judge({ accepted, killed, moved, refused, taken, tries, unsure }: Evidence): Verdict {
  const missing: string[] = []
  const groundless: string[] = []
  const doubles = { died: 0, fenced: 0, unheard: 0 }
  const bySend = Map.groupBy(tries, ({ send }) => send)

  /** Whether the lease of what was taken then may have ended before it was taken again. */
  const mayEnd = ({ at }: Taken, all: readonly Taken[]): boolean => {
    const others = all.map(other => other.at).filter(other => other !== at)
    const last = Math.max(at, ...others)
    return (
      moved.some(moment => moment > at - LEASE && moment < last) ||
      others.every(other => Math.abs(other - at) > SAFE)
    )
  }

  /** @param own - tries of the one delivery */
  const causeOf = (one: Taken, all: readonly Taken[], own: readonly Tried[]): Cause | undefined => {
    const { at, node, said } = one
    const has = (outcome: Tried['outcome']): boolean => own.some(tried => tried.outcome === outcome)
    if (!said) return 'unheard'
    const isRefused = refused.some(late => late.node === node && late.delivery === own[0]?.delivery)
    if (isRefused) return mayEnd(one, all) ? 'fenced' : undefined
    const wait = (killed.get(node) ?? Infinity) - at
    if (wait > 0 && wait < WAIT && has('lost')) return 'died'
    return has('uncertain') ? 'unheard' : undefined
  }

  for (const [key, id] of accepted) {
    for (const queue of QUEUES) {
      const name = `${queue} ${key}`
      const all = taken.get(name) ?? []
      if (all.length === 0 && !(queue === 'CALL' && unsure.has(id))) missing.push(name)
      if (all.length < 2) continue
      const logged = bySend.get(id) ?? []
      // The one whose yes stands in the log is the delivery; the others are what came beside it.
      const heard = logged.find(({ ref }) => all.some(one => isOf(ref, one)))
      const own = logged.filter(({ delivery }) => delivery === heard?.delivery)
      for (const one of all) {
        if (isOf(heard?.ref ?? null, one)) continue
        const cause = queue === 'CALL' ? undefined : causeOf(one, all, own)
        if (cause) doubles[cause] += 1
        else groundless.push(`${name}: ${JSON.stringify({ all, own })}`)
      }
    }
  }
  return { doubles, groundless, missing }
}
