// The transaction of a group of sends: everything that they write, by set-based statements, all or nothing.
//
// Most groups have no idempotency keys, gates or digests: they are one statement, and one wait for the database instead of
// three. Lock order: idempotency keys, gates, what sends.sql.ts says, digest heads.

import type { InboxEvent } from '../../core/live-updates.ts'
import type { Group, Query, Tx } from '../../db/db.ts'
import { retried } from '../../db/transact.ts'
import {
  claimKeys,
  keyReused,
  replayed,
  storeAnswers,
  type Claim,
  type Verdict
} from '../../http/idempotency.ts'
import type { Answer } from '../../http/route.ts'
import type { QueueName } from '../../queue/queues.ts'
import { addItems } from '../digest/items.sql.ts'
import { admit } from '../rate-control/admit.ts'
import type { Pending } from './batcher.ts'
import { queuesOf, type Draft } from './prepared-send.ts'
import { writeSends } from './sends.sql.ts'
import { heldBack } from './suppressed-send.ts'

/** A waiting request with what it writes. */
export interface Entry {
  readonly pending: Pending<{ readonly claim: Claim | undefined }, Answer>
  readonly draft: Draft
}

export interface Committed {
  /** To be published. */
  readonly events: readonly InboxEvent[]
  /** To be woken. */
  readonly queues: ReadonlySet<QueueName>
}

/**
 * Writes the group and, after the commit, answers every request of it.
 *
 * @throws the database's errors; nothing was written or answered then. `isOutdated`: prepare the group again
 */
export async function commit(group: Group, entries: readonly Entry[]): Promise<Committed> {
  const { drafts, verdicts, events } = await retried(() =>
    entries.every(isPlain)
      ? writePlain(group.sql, entries)
      : (group.sql.begin(tx => writeAll(tx, group, entries)) as Promise<Written>)
  )
  const queues = new Set<QueueName>()
  for (const [i, { pending }] of entries.entries()) {
    const draft = drafts[i]!
    const verdict = verdicts[i]
    if (verdict === undefined || verdict.state === 'new') {
      for (const queue of queuesOf(draft)) queues.add(queue)
      pending.resolve(draft.answer)
    } else if (verdict.state === 'replay') pending.resolve(verdict.answer)
    else if (verdict.state === 'reused') pending.reject(keyReused())
    else settleTwin(pending, drafts[verdict.of]!, verdicts[verdict.of])
  }
  return { events, queues }
}

interface Written {
  /** By entry: what became of its draft at its gates. */
  readonly drafts: readonly Draft[]
  /** By entry; undefined: it has no key. */
  readonly verdicts: readonly (Verdict | undefined)[]
  readonly events: readonly InboxEvent[]
}

/** Nothing has to be asked before it is written, so one statement does it all. */
const isPlain = ({ draft: { digests = [], gated }, pending: { job } }: Entry): boolean =>
  !job.claim && !gated && digests.length === 0

async function writePlain(query: Query, entries: readonly Entry[]): Promise<Written> {
  const drafts = entries.map(({ draft }) => draft)
  return { drafts, events: await write(query, drafts), verdicts: [] }
}

const write = (query: Query, drafts: readonly Draft[]): Promise<readonly InboxEvent[]> =>
  writeSends(
    query,
    drafts,
    drafts.map(({ row }) => row)
  )

async function writeAll(tx: Tx, group: Group, entries: readonly Entry[]): Promise<Written> {
  const verdicts = await verdictsOf(tx, entries)
  const isMine = (_: unknown, i: number): boolean => verdicts[i] === undefined || verdicts[i].state === 'new'
  const drafts = await pastGates(
    tx,
    group,
    entries.map(({ draft }, i) => ({ draft, mine: isMine(draft, i) }))
  )
  const mine = drafts.filter(isMine)
  if (mine.length === 0) return { drafts, events: [], verdicts }
  // Sent in one go, in this order. All are awaited, so that nothing follows the rollback of a failed one.
  const work = [
    write(tx, mine),
    addItems(
      tx,
      mine.flatMap(({ digests }) => digests ?? [])
    ),
    storeAnswers(
      tx,
      entries.flatMap(({ pending }, i) => {
        const { claim } = pending.job
        return claim && isMine(pending, i) ? { answer: drafts[i]!.answer, claim } : []
      })
    )
  ] as const
  await Promise.allSettled(work)
  const [events] = await Promise.all(work)
  return { drafts, events, verdicts }
}

/** Those that are not ours were written by another request, and pass no gate again. */
async function pastGates(
  tx: Tx,
  group: Group,
  all: readonly { readonly draft: Draft; readonly mine: boolean }[]
): Promise<Draft[]> {
  const held = await admit(
    tx,
    group,
    all.map(({ draft, mine }) => (mine ? draft.gated : undefined))
  )
  return all.map(({ draft }, i) =>
    held[i] === undefined ? draft : heldBack(draft.row, draft.row.notificationId, held[i])
  )
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
  leader: Draft,
  verdict: Verdict | undefined
): void {
  if (verdict?.state === 'reused') reject(keyReused())
  else resolve(replayed(verdict?.state === 'replay' ? verdict.answer : leader.answer))
}
