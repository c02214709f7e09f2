// Compares the messages of the providers with the accepted sends: none missing, and no duplicate without a cause.
//
// A cause is a recorded fact, not a point in time: each acknowledgement is in the server's log, or a fact explains why not.

import { QUEUES, type Taken } from './ledger.ts'
import type { Refused, Tried } from './server-records.ts'

/**
 * - `unheard`: the connection ended before the acknowledgement, or it arrived after the end of the attempt (logged as uncertain)
 * - `died`: the node that received it was killed before it reported (logged as lost)
 * - `fenced`: the node that received it reported after its lease had ended (rejected by fencing and logged), which it does
 *   not within {@link SAFE} of a yes, unless the run has moved leases
 */
export type Cause = 'unheard' | 'died' | 'fenced'

export interface Evidence {
  /** Tracking id of every accepted send, by its key. */
  readonly accepted: ReadonlyMap<string, string>
  /** By queue and key. */
  readonly taken: ReadonlyMap<string, readonly Taken[]>
  /** Tracking ids of calls that were given up after an uncertain outcome. */
  readonly unsure: ReadonlySet<string>
  readonly tries: readonly Tried[]
  readonly refused: readonly Refused[]
  /** When a node was killed, by its number. `performance.now()` */
  readonly killed: ReadonlyMap<number, number>
  /** When the run moved the leases of all deliveries in progress. `performance.now()` */
  readonly moved: readonly number[]
}

export interface Verdict {
  /** Accepted, not dead, and not delivered. */
  readonly missing: readonly string[]
  /** Delivered twice without a cause; for a call no cause counts. */
  readonly groundless: readonly string[]
  /** Justified duplicates by cause. */
  readonly doubles: Readonly<Record<Cause, number>>
}

/** Milliseconds for which a result may have waited for the database when its node was killed. */
const WAIT = 20_000

/** A lease is longer than the wait for a slot and the call by more than this, in milliseconds. */
const SAFE = 3_000
/** Milliseconds after which a moved lease would have ended by itself. */
const LEASE = 40_000

/** The acknowledgement of an email is a whole line. */
const isOf = (ref: string | null, taken: Taken): boolean => ref?.split(' ').at(-1) === taken.ref

export function judge({ accepted, killed, moved, refused, taken, tries, unsure }: Evidence): Verdict {
  const missing: string[] = []
  const groundless: string[] = []
  const doubles = { died: 0, fenced: 0, unheard: 0 }
  const bySend = Map.groupBy(tries, ({ send }) => send)

  /** Whether the lease of the first delivery may have ended before the second. */
  const mayEnd = ({ at }: Taken, all: readonly Taken[]): boolean => {
    const others = all.map(other => other.at).filter(other => other !== at)
    const last = Math.max(at, ...others)
    return (
      moved.some(moment => moment > at - LEASE && moment < last) ||
      others.every(other => Math.abs(other - at) > SAFE)
    )
  }

  /** @param own - attempts of one delivery */
  const causeOf = (one: Taken, all: readonly Taken[], own: readonly Tried[]): Cause | undefined => {
    const { at, isAcknowledged, node } = one
    const has = (outcome: Tried['outcome']): boolean => own.some(tried => tried.outcome === outcome)
    if (!isAcknowledged) return 'unheard'
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
      // The message whose acknowledgement is in the log is the delivery; the others are duplicates.
      const received = logged.find(({ ref }) => all.some(one => isOf(ref, one)))
      const own = logged.filter(({ delivery }) => delivery === received?.delivery)
      for (const one of all) {
        if (isOf(received?.ref ?? null, one)) continue
        const cause = queue === 'CALL' ? undefined : causeOf(one, all, own)
        if (cause) doubles[cause] += 1
        else groundless.push(`${name}: ${JSON.stringify({ all, own })}`)
      }
    }
  }
  return { doubles, groundless, missing }
}
