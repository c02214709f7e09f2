// Finishes attempts: one statement removes or reschedules a batch of rows and inserts dead letters.
//
// Other rooms add writes to their own tables (FinishPart), so that the result of an attempt and its log commit together.

import type { Fragment, DatabaseGroup, Json, Query } from '../db/db.ts'
import { inGroup } from '../db/sql-helpers.ts'
import { MAX_ATTEMPTS } from './backoff.ts'
import type { ClaimedRow } from './outbox.sql.ts'
import type { MessageContent } from './outcome.ts'
import type { QueueName } from './queues.ts'

export const claimKey = ({ id, claimCount }: Pick<ClaimedRow, 'id' | 'claimCount'>): string =>
  `${id}:${claimCount}`

/**
 * What one attempt came to. A dead letter gets the body from the table and not from the claim, because the attempt may have
 * changed it (channels/deliveries.sql.ts).
 */
export interface AttemptResult {
  readonly row: ClaimedRow
  readonly queue: QueueName
  /** uuidv7 with the placement hash of the user; contains the time of the result. */
  readonly attemptId: string
  /** sent, forwarded, retry, pause, dead, gone or uncertain. */
  readonly outcome: string
  readonly code?: string | undefined
  readonly detail?: string | undefined
  /** What the message said. Given for the last attempt only, if the message was built. */
  readonly content?: MessageContent | undefined
  /** Name that the provider gave the message. */
  readonly ref?: string | undefined
  readonly durationMs: number
  /** Undefined: the row is removed. */
  readonly retryInMs?: number | undefined
  readonly isAttemptReturned?: boolean
  readonly isDeadLetter?: boolean
  /** The row moves to this queue and has all its attempts there. */
  readonly forwardTo?: QueueName | undefined
}

/** Writes of another room in the statement that finishes attempts. */
export interface FinishPart {
  /** Whether rows are finished without this part if the statement fails with it. */
  readonly isOptional: boolean
  /** Whether the part has anything to write. Default: always. */
  isNeeded?(results: readonly AttemptResult[]): boolean
  /** Returns the definitions of the columns that {@link toColumns} adds to `result`, such as `ref text, took integer`. */
  defineColumns(query: Query): Fragment
  toColumns(result: AttemptResult): Readonly<Record<string, Json | undefined>>
  /**
   * Returns the statements by a name of their own. They can read `result` (all results of the batch), `finished` (the
   * results whose claim still held: bucket, id, claim_count) and `removed` (likewise, only rows that left the outbox). If the group
   * has only some of the buckets, each is a statement of its own, so it cannot read what another one returns.
   */
  statements(group: DatabaseGroup): Readonly<Record<string, Fragment>>
}

/** A code stands in an index, whose rows have at most 2.7 kB. */
const MAX_CODE_CHARACTERS = 100

/** Postgres refuses NUL and lone surrogates in text, and one refused text would fail the batch. */
export const toStorableText = (text: string | undefined): string | undefined =>
  text?.slice(0, 2000).toWellFormed().replaceAll('\0', '')

const toRecord = ({ row, ...result }: AttemptResult, parts: readonly FinishPart[]): Json => ({
  bucket: row.bucket,
  claim_count: row.claimCount,
  code: toStorableText(result.code?.slice(0, MAX_CODE_CHARACTERS)),
  dead: result.isDeadLetter ?? false,
  detail: toStorableText(result.detail),
  env_id: row.envId,
  forward_to: result.forwardTo,
  id: row.id,
  queue: result.queue,
  retry_ms: result.retryInMs,
  returned: result.isAttemptReturned ?? false,
  send_id: row.sendId,
  user_id: row.userId,
  ...Object.assign({}, ...parts.map(part => part.toColumns({ row, ...result })))
})

const insertDeadLetters = (query: Query): Fragment => query`
  insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, send_id, key, body, code, detail)
  select r.bucket, r.id, r.queue, r.claim_count, r.env_id, r.user_id, r.send_id, o.key, o.body, r.code, r.detail
  from removed o join result r on r.bucket = o.bucket and r.id = o.id and r.claim_count = o.claim_count
  where r.dead`

/**
 * Finishes a batch of attempts in one commit: in one statement if the group has all buckets.
 *
 * @returns the {@link claimKey} of each row that was still claimed. For the others nothing was written.
 */
export async function finish(
  group: DatabaseGroup,
  results: readonly AttemptResult[],
  parts: readonly FinishPart[]
): Promise<Set<string>> {
  const { work } = group
  const records = JSON.stringify(results.map(result => toRecord(result, parts)))
  const columns = parts.map(part => work`, ${part.defineColumns(work)}`)
  const result = work`
    result as materialized (
      select r.*, now() + make_interval(secs => r.retry_ms / 1000) as due_at
      from json_to_recordset(${records}::text::json) as r(bucket smallint, id uuid, claim_count smallint, queue text,
        env_id text, user_id text, send_id uuid, code text, detail text, retry_ms float8, forward_to text,
        returned boolean, dead boolean ${columns.length > 0 ? columns : work``}))`
  const changes = work`
    removed as (
      delete from outbox o using result r
      where ${inGroup(group, 'o')}
        and o.bucket = r.bucket and o.id = r.id and o.claim_count = r.claim_count and r.retry_ms is null
      returning o.bucket, o.id, o.claim_count, o.key, case when r.dead then o.body end as body),
    rescheduled as (
      update outbox o set run_at = r.due_at, leased = false, queue = coalesce(r.forward_to, o.queue),
        attempts_left = case when r.forward_to is null then attempts_left + r.returned::int else ${MAX_ATTEMPTS}::int end
      from result r
      where ${inGroup(group, 'o')}
        and o.bucket = r.bucket and o.id = r.id and o.claim_count = r.claim_count and r.retry_ms is not null
      returning o.bucket, o.id, o.claim_count)`
  if (group.buckets !== null) return finishInSteps(group, { changes, parts, result, results })
  const statements = parts
    .flatMap(part => Object.entries(part.statements(group)))
    .map(([name, statement]) => work`, ${work(name)} as (${statement})`)
  const finished = await work<FinishedRow[]>`
    with ${result}, ${changes},
    finished as (select bucket, id, claim_count from removed union all select * from rescheduled),
    dead as (${insertDeadLetters(work)})
    ${statements.length > 0 ? statements : work``}
    select id, claim_count as "claimCount" from finished`
  return new Set(finished.map(claimKey))
}

type FinishedRow = Pick<ClaimedRow, 'id' | 'claimCount'>

interface Steps {
  readonly result: Fragment
  readonly changes: Fragment
  readonly results: readonly AttemptResult[]
  readonly parts: readonly FinishPart[]
}

/**
 * Finishes a batch in a transaction. Citus would send rows that an insert gets from another part of its statement to every node, so
 * the statement would fail while any node is down.
 */
const finishInSteps = (
  group: DatabaseGroup,
  { changes, parts, result, results }: Steps
): Promise<Set<string>> =>
  group.work.begin(async tx => {
    const rows = await tx<(FinishedRow & { bucket: number })[]>`
      with ${result}, ${changes}
      select bucket, id, claim_count as "claimCount", key, body, true as removed from removed
      union all select bucket, id, claim_count, null, null, false from rescheduled`
    if (rows.length === 0) return new Set<string>()
    const known = tx`
      with ${result},
      changed as materialized (
        select * from json_to_recordset(${JSON.stringify(rows)}::text::json)
          as c(bucket smallint, id uuid, "claimCount" smallint, key text, body jsonb, removed boolean)),
      finished as materialized (select bucket, id, "claimCount" as claim_count from changed),
      removed as materialized (select bucket, id, "claimCount" as claim_count, key, body from changed where removed)`
    const statements = parts
      .filter(part => part.isNeeded?.(results) ?? true)
      .flatMap(part => Object.values(part.statements(group)))
    if (results.some(({ isDeadLetter }) => isDeadLetter)) statements.unshift(insertDeadLetters(tx))
    for (const statement of statements) await tx`${known} ${statement}`
    return new Set(rows.map(claimKey))
  }) as Promise<Set<string>>
