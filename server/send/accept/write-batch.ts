// Writes a batch of sends in one transaction, all or nothing, and answers its requests after the commit.
//
// Most batches have no idempotency keys, rate control or digests. They are one statement, which saves two round trips to the
// database. Lock order: idempotency keys, rate counters, sends.sql.ts, digest rows.

import type { InboxEvent } from '../../core/live-updates.ts'
import type { DatabaseGroup, Query, Tx } from '../../db/db.ts'
import { retryOnConflict } from '../../db/transact.ts'
import {
  acquireKeys,
  keyReused,
  replayed,
  storeAnswers,
  type IdempotencyKey,
  type KeyState
} from '../../http/idempotency.ts'
import type { Answer } from '../../http/route.ts'
import type { QueueName } from '../../queue/queues.ts'
import { addDigestItems } from '../digest/digest-items.sql.ts'
import { applyRateControl } from '../rate-control/apply.ts'
import type { Pending } from './late-requests.ts'
import { queuesToWake, type PreparedSend } from './prepared-send.ts'
import { writeSends } from './sends.sql.ts'

export interface BatchEntry {
  readonly pending: Pending<{ readonly claim: IdempotencyKey | undefined }, Answer>
  readonly prepared: PreparedSend
}

export interface WrittenBatch {
  readonly events: readonly InboxEvent[]
  readonly queues: ReadonlySet<QueueName>
  /** Without requests that were written before. */
  readonly sends: readonly PreparedSend[]
}

/**
 * @throws the database's error if nothing was written or answered. After an error with `isOutdated`, the batch has to be
 *   prepared again
 */
export async function writeBatch(
  group: DatabaseGroup,
  entries: readonly BatchEntry[]
): Promise<WrittenBatch> {
  const { sends, verdicts, events } = await retryOnConflict(() =>
    entries.every(isPlain)
      ? writePlain(group.sql, entries)
      : (group.sql.begin(tx => writeTransaction(tx, group, entries)) as Promise<Written>)
  )
  const queues = new Set<QueueName>()
  const written: PreparedSend[] = []
  for (const [i, { pending }] of entries.entries()) {
    const send = sends[i]!
    const verdict = verdicts[i]
    if (verdict === undefined || verdict.state === 'new') {
      for (const queue of queuesToWake(send)) queues.add(queue)
      written.push(send)
      pending.resolve(send.answer)
    } else if (verdict.state === 'replay') pending.resolve(verdict.answer)
    else if (verdict.state === 'reused') pending.reject(keyReused())
    else answerTwin(pending, sends[verdict.of]!, verdicts[verdict.of])
  }
  return { events, queues, sends: written }
}

interface Written {
  /** By entry, after rate control. */
  readonly sends: readonly PreparedSend[]
  /** By entry; undefined without an idempotency key. */
  readonly verdicts: readonly (KeyState | undefined)[]
  readonly events: readonly InboxEvent[]
}

/** Whether a send can be written without reading anything before. */
const isPlain = ({ prepared: { digests = [], rateControlled }, pending }: BatchEntry): boolean =>
  !pending.request.claim && !rateControlled && digests.length === 0

async function writePlain(query: Query, entries: readonly BatchEntry[]): Promise<Written> {
  const sends = entries.map(({ prepared }) => prepared)
  return { events: await writeWithLog(query, sends), sends, verdicts: [] }
}

const writeWithLog = (query: Query, sends: readonly PreparedSend[]): Promise<readonly InboxEvent[]> =>
  writeSends(
    query,
    sends,
    sends.map(({ row }) => row)
  )

async function writeTransaction(
  tx: Tx,
  group: DatabaseGroup,
  entries: readonly BatchEntry[]
): Promise<Written> {
  const verdicts = await claimIdempotencyKeys(tx, entries)
  /** False for a request that was written before, or with another entry of this batch. */
  const isNew = (_: unknown, i: number): boolean => verdicts[i] === undefined || verdicts[i].state === 'new'
  const prepared = entries.map(entry => entry.prepared)
  const sends: readonly PreparedSend[] = await applyRateControl(tx, group, prepared, isNew)
  const newSends = sends.filter(isNew)
  if (newSends.length === 0) return { events: [], sends, verdicts }
  // Sent together, in this order. All are awaited, so that no statement follows the rollback of a failed one.
  const statements = [
    writeWithLog(tx, newSends),
    addDigestItems(
      tx,
      newSends.flatMap(({ digests }) => digests ?? [])
    ),
    storeAnswers(
      tx,
      entries.flatMap(({ pending }, i) => {
        const { claim } = pending.request
        return claim && isNew(pending, i) ? { answer: sends[i]!.answer, key: claim } : []
      })
    )
  ] as const
  await Promise.allSettled(statements)
  const [events] = await Promise.all(statements)
  return { events, sends, verdicts }
}

/** @returns verdicts by entry; `of` of a twin is the index of the other entry */
async function claimIdempotencyKeys(
  tx: Tx,
  entries: readonly BatchEntry[]
): Promise<(KeyState | undefined)[]> {
  const positions: number[] = []
  const claims: IdempotencyKey[] = []
  for (const [i, { pending }] of entries.entries()) {
    const { claim } = pending.request
    if (claim) {
      positions.push(i)
      claims.push(claim)
    }
  }
  const verdicts: (KeyState | undefined)[] = entries.map(() => undefined)
  if (claims.length === 0) return verdicts
  for (const [i, verdict] of (await acquireKeys(tx, claims)).entries()) {
    verdicts[positions[i]!] =
      verdict.state === 'twin' ? { of: positions[verdict.of]!, state: 'twin' } : verdict
  }
  return verdicts
}

/** Answers a request that is in the batch twice as the first of the two. */
function answerTwin(
  { reject, resolve }: BatchEntry['pending'],
  first: PreparedSend,
  verdict: KeyState | undefined
): void {
  if (verdict?.state === 'reused') reject(keyReused())
  else resolve(replayed(verdict?.state === 'replay' ? verdict.answer : first.answer))
}
