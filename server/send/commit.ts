// The transaction of a group of sends: everything that they write, by set-based statements, all or nothing.
//
// Lock order: idempotency keys, inbox heads, items, topics. Rows of the log and of the outbox are new and meet nobody.

import type { Group, Tx } from '../db/sql.ts'
import { isConflict } from '../http/failure.ts'
import {
  claimKeys,
  keyReused,
  replayed,
  storeAnswers,
  type Claim,
  type Verdict
} from '../http/idempotency.ts'
import type { Answer } from '../http/route.ts'
import type { InboxEvent } from '../inbox/event.ts'
import { append } from '../inbox/store.ts'
import { rememberTopics } from '../preferences/store.ts'
import type { LaneName } from '../queue/lanes.ts'
import { enqueue } from '../queue/outbox.ts'
import { lanesOf, type Draft } from './draft.ts'
import type { Pending } from './groups.ts'
import { insertSends } from './store.ts'

/** A waiting request with what it writes. */
export interface Entry {
  readonly pending: Pending<{ readonly claim: Claim | undefined }, Answer>
  readonly draft: Draft
}

export interface Committed {
  /** To be published. */
  readonly events: readonly InboxEvent[]
  /** To be woken. */
  readonly lanes: ReadonlySet<LaneName>
}

/** Tries of a transaction that loses against others. */
const TRIES = 3

/** Writes the group and, after the commit, answers every request of it. When it throws, nothing was written or answered. */
export async function commit(group: Group, entries: readonly Entry[]): Promise<Committed> {
  const { verdicts, events } = await withRetries(
    () => group.sql.begin(tx => writeAll(tx, group, entries)) as Promise<Written>
  )
  const lanes = new Set<LaneName>()
  for (const [i, { draft, pending }] of entries.entries()) {
    const verdict = verdicts[i]
    if (verdict === undefined || verdict.state === 'new') {
      for (const lane of lanesOf(draft)) lanes.add(lane)
      pending.resolve(draft.answer)
    } else if (verdict.state === 'replay') pending.resolve(verdict.answer)
    else if (verdict.state === 'reused') pending.reject(keyReused())
    else settleTwin(pending, entries[verdict.of]!, verdicts[verdict.of])
  }
  return { events, lanes }
}

interface Written {
  /** By entry; undefined: it has no key. */
  readonly verdicts: readonly (Verdict | undefined)[]
  readonly events: readonly InboxEvent[]
}

async function writeAll(tx: Tx, group: Group, entries: readonly Entry[]): Promise<Written> {
  const verdicts = await verdictsOf(tx, entries)
  const mine = entries.filter((_, i) => verdicts[i] === undefined || verdicts[i].state === 'new')
  if (mine.length === 0) return { events: [], verdicts }
  // Sent in one go, in this order. All are awaited, so that nothing follows the rollback of a failed one.
  const work = [
    insertSends(
      tx,
      mine.map(({ draft }) => draft.row)
    ),
    append(
      tx,
      mine.flatMap(({ draft }) => draft.item ?? []),
      group.buckets
    ),
    enqueue(
      tx,
      mine.flatMap(({ draft }) => draft.outbox)
    ),
    rememberTopics(
      tx,
      mine.flatMap(({ draft }) => draft.first ?? [])
    ),
    storeAnswers(
      tx,
      mine.flatMap(({ draft, pending }) => {
        const { claim } = pending.job
        return claim ? { answer: draft.answer, claim } : []
      })
    )
  ] as const
  await Promise.allSettled(work)
  const [, events] = await Promise.all(work)
  return { events, verdicts }
}

/** Claims are counted among themselves; a twin's leader is counted in entries again. */
async function verdictsOf(tx: Tx, entries: readonly Entry[]): Promise<(Verdict | undefined)[]> {
  const positions: number[] = []
  const claims: Claim[] = []
  for (const [i, { pending }] of entries.entries()) {
    const { claim } = pending.job
    if (claim) {
      positions.push(i)
      claims.push(claim)
    }
  }
  const verdicts: (Verdict | undefined)[] = entries.map(() => undefined)
  if (claims.length === 0) return verdicts
  for (const [i, verdict] of (await claimKeys(tx, claims)).entries()) {
    verdicts[positions[i]!] =
      verdict.state === 'twin' ? { of: positions[verdict.of]!, state: 'twin' } : verdict
  }
  return verdicts
}

/** The same request twice in one group: the second is answered as the first. */
function settleTwin(
  { reject, resolve }: Entry['pending'],
  leader: Entry,
  verdict: Verdict | undefined
): void {
  if (verdict?.state === 'reused') reject(keyReused())
  else resolve(replayed(verdict?.state === 'replay' ? verdict.answer : leader.draft.answer))
}

async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES || !isConflict(error)) throw error
    }
  }
}
