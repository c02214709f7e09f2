// Stored data of SMS and calls: texts of calls, delivery receipts, replies, and numbers that opted out.

import { sha256 } from '../../core/hash.ts'
import type { UserKey } from '../../core/id.ts'
import type { Db, DatabaseGroup, Query, Tx } from '../../db/db.ts'
import type { Delivery } from '../channel.ts'
import type { CallMessage, Report } from './phone-provider.ts'

/** Stores the text only while the outbox row exists, so that nothing remains of a user who was erased meanwhile. */
export async function storeCallText(
  group: DatabaseGroup,
  { bucket, envId, id, userId }: Delivery,
  { language, text }: Pick<CallMessage, 'language' | 'text'>
): Promise<void> {
  await group.work`
    insert into call_texts (bucket, id, env_id, user_id, text, language)
    select o.bucket, o.id, ${envId}, ${userId}, ${text}, ${language}
    from outbox o where o.bucket = ${bucket} and o.id = ${id} for key share
    on conflict (bucket, id) do update set text = excluded.text, language = excluded.language`
}

export async function readCallText(
  group: DatabaseGroup,
  bucket: number,
  id: string
): Promise<Pick<CallMessage, 'language' | 'text'> | undefined> {
  const [found] = await group.sql<Pick<CallMessage, 'language' | 'text'>[]>`
    select text, language from call_texts where bucket = ${bucket} and id = ${id}`
  return found
}

export interface Receipt {
  /** Id of the new row. */
  readonly id: string
  readonly bucket: number
  readonly sendId: string
  readonly channel: 'SMS' | 'CALL'
  readonly report: Extract<Report, { kind: 'receipt' }>
}

/** Stores a receipt once for each outcome, if its send is still in the log. */
export async function recordReceipt(group: DatabaseGroup, receipt: Receipt): Promise<void> {
  const { bucket, channel, id, report, sendId } = receipt
  const { code, detail, outcome, ref } = report
  await group.sql`
    insert into receipts (bucket, id, env_id, user_id, send_id, channel, outcome, code, detail, provider_ref)
    select s.bucket, ${id}, s.env_id, s.user_id, s.id, ${channel}, ${outcome}, ${code?.slice(0, 100) ?? null},
      ${detail?.slice(0, 500) || null}, ${ref.slice(0, 200)}
    from sends s where s.bucket = ${bucket} and s.id = ${sendId} for key share
    on conflict (bucket, send_id, channel, outcome, provider_ref) do nothing`
}

const USERS_BATCH_SIZE = 100

/** Finds the users with this number in all environments. @param number - E.164 */
export async function* usersWithNumber(db: Db, number: string): AsyncGenerator<UserKey> {
  for (const { buckets, sql } of db.groups) {
    let last: UserKey | undefined = { bucket: -1, envId: '', userId: '' }
    while (last) {
      const page: UserKey[] = await sql<UserKey[]>`
        select bucket, env_id as "envId", id as "userId" from users
        where (${buckets}::smallint[] is null or bucket = any(${buckets}::smallint[])) and number = ${number}
          and (bucket, env_id, id) > (${last.bucket}, ${last.envId}, ${last.userId})
        order by bucket, env_id, id limit ${USERS_BATCH_SIZE}`
      yield* page
      last = page.length < USERS_BATCH_SIZE ? undefined : page.at(-1)
    }
  }
}

/** Locks the user. @returns false if the user was erased or has another number now */
export async function lockIfNumberUnchanged(
  tx: Tx,
  { bucket, envId, userId }: UserKey,
  number: string
): Promise<boolean> {
  const found = await tx`
    select from users where bucket = ${bucket} and env_id = ${envId} and id = ${userId} and number = ${number} for update`
  return found.count > 0
}

/** Records whether a number has opted out, for sends that name the number themselves. Can be repeated. */
export async function recordStop(
  { control }: Pick<Db, 'control'>,
  number: string,
  isStopped: boolean
): Promise<void> {
  const hash = sha256(number)
  if (isStopped)
    await control`insert into stopped_numbers (hash) values (${hash}) on conflict (hash) do nothing`
  else await control`delete from stopped_numbers where hash = ${hash}`
}

export interface WaitingMessage extends UserKey {
  /** Id of the outbox row. */
  readonly id: string
  readonly number: string
}

/**
 * Returns the ids of messages to numbers that have opted out. Messages to the user's own stored number are not checked: STOP has
 * changed the user's preferences, and the user may have changed them again.
 */
export async function findStopped(
  { controlWork }: Pick<Db, 'controlWork'>,
  group: DatabaseGroup,
  messages: readonly WaitingMessage[]
): Promise<Set<string>> {
  // By itself, because the numbers may be on another node than the users.
  const numbers = await controlWork<{ number: string }[]>`
    select m.number
    from unnest(${messages.map(message => message.number)}::text[], ${messages.map(message => sha256(message.number).toString('hex'))}::text[])
      as m(number, hash)
    join stopped_numbers n on n.hash = decode(m.hash, 'hex')`
  const stopped = new Set(numbers.map(({ number }) => number))
  const waiting = messages.filter(({ number }) => stopped.has(number))
  if (waiting.length === 0) return new Set()
  const found = await group.work<{ id: string }[]>`
    select m.id
    from unnest(${waiting.map(message => message.bucket)}::smallint[], ${waiting.map(message => message.id)}::uuid[],
      ${waiting.map(message => message.envId)}::text[], ${waiting.map(message => message.userId)}::text[],
      ${waiting.map(message => message.number)}::text[]) as m(bucket, id, env_id, user_id, number)
    left join users u on u.bucket = m.bucket and u.env_id = m.env_id and u.id = m.user_id
      and (${group.buckets}::smallint[] is null or u.bucket = any(${group.buckets}::smallint[]))
    where u.number is distinct from m.number`
  return new Set(found.map(({ id }) => id))
}

export interface LastMessage {
  readonly sendId: string
  readonly notificationId: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Returns the send of the last message that the user received. */
export async function readLastMessage(
  query: Query,
  { bucket, envId, userId }: UserKey
): Promise<LastMessage | undefined> {
  const [found] = await query<LastMessage[]>`
    select s.id as "sendId", s.notification_id as "notificationId", s.body from sends s
    where s.bucket = ${bucket} and s.env_id = ${envId} and s.user_id = ${userId} and exists (
      select 1 from attempts a where a.bucket = ${bucket} and a.send_id = s.id and a.channel = 'SMS'
        and a.outcome = 'sent')
    order by s.id desc limit 1`
  return found
}

/**
 * Stores a reply of a user. The caller has locked the user ({@link lockIfNumberUnchanged}), so replies are stored one at a time.
 *
 * @returns whether it is the first reply to this send, or undefined if this reply is already stored
 */
export async function recordReply(
  tx: Tx,
  { bucket, envId, userId }: UserKey,
  { sendId }: LastMessage,
  { id, ref, text }: { readonly id: string; readonly ref: string; readonly text: string }
): Promise<boolean | undefined> {
  const inserted = await tx`
    insert into receipts (bucket, id, env_id, user_id, send_id, channel, outcome, detail, provider_ref)
    values (${bucket}, ${id}, ${envId}, ${userId}, ${sendId}, 'SMS', 'answered', ${text}, ${ref})
    on conflict (bucket, send_id, channel, outcome, provider_ref) do nothing`
  if (inserted.count === 0) return undefined
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from receipts
    where bucket = ${bucket} and send_id = ${sendId} and channel = 'SMS' and outcome = 'answered'`
  return row!.count === 1
}
