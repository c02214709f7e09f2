// Writes the log of delivery attempts: a row in `attempts` for each result, and for each attempt that was lost. Last attempts are
// counted in the same statement, for the statistics (stats.ts).

import { placementHashInId, uuidv7 } from '../core/id.ts'
import type { DatabaseGroup, Fragment, Json, Query } from '../db/db.ts'
import { inGroup, unnest } from '../db/sql-helpers.ts'
import { toStorableText, type FinishPart } from '../queue/finish.sql.ts'
import type { ClaimedRow } from '../queue/outbox.sql.ts'
import { toChannel, type QueueName } from '../queue/queues.ts'
import { CLOSED, NOT_CLOSED, readCloseBody } from '../send/after-read/close-body.ts'
import { toLoggedAddress } from './address.ts'
import { bucketOfCounts } from './counts.sql.ts'

const readNotificationId = (body: Json): string => {
  const id = typeof body === 'object' && body !== null && 'notificationId' in body && body['notificationId']
  return typeof id === 'string' ? id : ''
}

function readAddress(queue: QueueName, body: Json): string | undefined {
  const to = typeof body === 'object' && body !== null && 'to' in body && body['to']
  return typeof to === 'string' ? toLoggedAddress(toChannel(queue), to) : undefined
}

const loggedResults = (query: Query): Fragment => query`(
  select r.env_id, r.notification_id, r.channel, r.outcome
  from finished o join result r on r.bucket = o.bucket and r.id = o.id and r.claim_count = o.claim_count
  where r.logged) as logged`

/**
 * Logs results in the statement that finishes their rows. Optional, because a delivered message without a log is better than
 * one that is delivered twice.
 */
export const attemptLog: FinishPart = {
  defineColumns: query =>
    query`attempt_id uuid, notification_id text, channel text, outcome text, ref text, took_ms integer, address text,
      subject text, content text, logged boolean`,
  isOptional: true,
  statements: group => ({
    logged: group.work`
      insert into attempts (bucket, id, send_id, delivery_id, env_id, user_id, notification_id, channel, claim_count,
        outcome, code, detail, provider_ref, took_ms, address, subject, content)
      select r.bucket, r.attempt_id, r.send_id, r.id, r.env_id, r.user_id, r.notification_id, r.channel, r.claim_count,
        r.outcome, r.code, r.detail, r.ref, r.took_ms, r.address, r.subject, r.content
      from finished o join result r on r.bucket = o.bucket and r.id = o.id and r.claim_count = o.claim_count
      where r.logged
      returning env_id, notification_id, channel, outcome`,
    // Reads the rows of the insert if it can: a second join with the results would cost more than all the rest.
    counted: group.work`
      insert into log_count_deltas (bucket, id, env_id, notification_id, day, counts)
      select ${bucketOfCounts(group)}::smallint, gen_random_uuid(), env_id, notification_id,
        (now() at time zone 'UTC')::date, jsonb_build_object(channel, jsonb_build_object(outcome, count(*)))
      from ${group.buckets === null ? group.work`logged` : loggedResults(group.work)} where outcome in ('sent', 'dead', 'gone') and channel <> 'WEBHOOK'
      group by env_id, notification_id, channel, outcome`
  }),
  toColumns({ attemptId, content, durationMs, outcome: given, queue, ref, retryInMs, row }) {
    const close = readCloseBody(row.body)
    const outcome = close ? (given === 'sent' ? CLOSED : NOT_CLOSED) : given
    return {
      attempt_id: attemptId,
      channel: toChannel(queue),
      // Until the last attempt, the row of the outbox has the address.
      ...(retryInMs === undefined && {
        address: toStorableText(readAddress(queue, row.body)),
        content: toStorableText(content?.text),
        subject: toStorableText(content?.subject)
      }),
      // Of a row that closes a push, only the end.
      logged: row.sendId !== null && (!close || retryInMs === undefined),
      notification_id: readNotificationId(row.body),
      outcome,
      ref: toStorableText(ref),
      took_ms: Math.round(durationMs)
    }
  }
}

/**
 * Logs the lost attempts of rows that were claimed again, unless their user was erased meanwhile.
 *
 * @param claimed - rows whose previous attempt was not lost are passed over
 * @param now - milliseconds since 1970
 */
export async function logLostAttempts(
  group: DatabaseGroup,
  queue: QueueName,
  claimed: readonly ClaimedRow[],
  now: number
): Promise<void> {
  const rows = claimed.filter(row => row.isPreviousLost && row.sendId !== null && !readCloseBody(row.body))
  if (rows.length === 0) return
  const lost = unnest(
    group.work,
    'r',
    rows,
    { bucket: 'smallint', env_id: 'text', send_id: 'uuid', user_id: 'text' },
    {
      claim_count: ['smallint', row => row.claimCount - 1],
      delivery_id: ['uuid', row => row.id],
      id: ['uuid', row => uuidv7(placementHashInId(row.id), now)],
      notification_id: ['text', row => readNotificationId(row.body)]
    }
  )
  await group.work`
    insert into attempts (bucket, id, send_id, delivery_id, env_id, user_id, notification_id, channel, claim_count,
      outcome, code)
    select r.bucket, r.id, r.send_id, r.delivery_id, r.env_id, r.user_id, r.notification_id, ${toChannel(queue)},
      r.claim_count, 'lost', 'no-report'
    from ${lost} join outbox o on o.bucket = r.bucket and o.id = r.delivery_id
    where ${inGroup(group, 'o')}
    for key share of o`
}
