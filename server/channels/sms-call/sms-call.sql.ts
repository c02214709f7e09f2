// What SMS and calls keep: the words of a call, the network's receipts, who answered, and who wants no more.

import type { UserKey } from '../../core/id.ts'
import type { Db, DatabaseGroup, Query, Tx } from '../../db/db.ts'
import { sha256 } from '../../http/auth.ts'
import type { Delivery } from '../channel.ts'
import type { CallMessage, Report } from './phone-provider.ts'

/** While the row of the queue is there: who was erased meanwhile leaves no words. */
export async function keepWords(
  group: DatabaseGroup,
  { bucket, envId, id, userId }: Delivery,
  { language, text }: Pick<CallMessage, 'language' | 'text'>
): Promise<void> {
  await group.work`
    insert into call_texts (bucket, id, env_id, user_id, text, language)
    select o.bucket, o.id, ${envId}, ${userId}, ${text}, ${language}
    from outbox o where o.bucket = ${bucket} and o.id = ${id} for key share
    on conflict (bucket, id) do update set words = excluded.words, language = excluded.language`
}

export async function readWords(
  group: DatabaseGroup,
  bucket: number,
  id: string
): Promise<Pick<CallMessage, 'language' | 'text'> | undefined> {
  const [found] = await group.sql<Pick<CallMessage, 'language' | 'text'>[]>`
    select text, language from call_texts where bucket = ${bucket} and id = ${id}`
  return found
}

export interface Receipt {
  /** Of the new row. */
  readonly id: string
  readonly bucket: number
  readonly sendId: string
  readonly channel: 'SMS' | 'CALL'
  readonly report: Extract<Report, { kind: 'receipt' }>
}

/** Once for each outcome. Nothing where the log has forgotten the send. */
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

/** Users of one trip. */
const PAGE = 100

/** Everybody with this number, in every environment. @param number - E.164 */
export async function* usersWithNumber(db: Db, number: string): AsyncGenerator<UserKey> {
  for (const { buckets, sql } of db.groups) {
    let last: UserKey | undefined = { bucket: -1, envId: '', userId: '' }
    while (last) {
      const page: UserKey[] = await sql<UserKey[]>`
        select bucket, env_id as "envId", id as "userId" from users
        where (${buckets}::smallint[] is null or bucket = any(${buckets}::smallint[])) and number = ${number}
          and (bucket, env_id, id) > (${last.bucket}, ${last.envId}, ${last.userId})
        order by bucket, env_id, id limit ${PAGE}`
      yield* page
      last = page.length < PAGE ? undefined : page.at(-1)
    }
  }
}

/** Locks the user. @returns whether it is there and has the number still: who was erased since does not come back */
export async function stillHas(tx: Tx, { bucket, envId, userId }: UserKey, number: string): Promise<boolean> {
  const found = await tx`
    select from users where bucket = ${bucket} and env_id = ${envId} and id = ${userId} and number = ${number} for update`
  return found.count > 0
}

/** For sends that name the number themselves. Twice is once. @param stop - false: it may be written to again */
export async function keepStop(tx: Tx, number: string, stop: boolean): Promise<void> {
  const hash = sha256(number)
  if (stop) await tx`insert into stopped_numbers (hash) values (${hash}) on conflict (hash) do nothing`
  else await tx`delete from stopped_numbers where hash = ${hash}`
}

/** A message that waits, and where it goes. */
export interface Addressed extends UserKey {
  /** Of the row. */
  readonly id: string
  readonly number: string
}

/**
 * Ids of those that go to a number which has asked for no more messages. Where it is the user's own, the user's preferences
 * say so, and may say otherwise since.
 */
export async function stoppedAmong(
  group: DatabaseGroup,
  messages: readonly Addressed[]
): Promise<Set<string>> {
  const found = await group.work<{ id: string }[]>`
    select m.id
    from unnest(${messages.map(one => one.bucket)}::smallint[], ${messages.map(one => one.id)}::uuid[],
      ${messages.map(one => one.envId)}::text[], ${messages.map(one => one.userId)}::text[],
      ${messages.map(one => one.number)}::text[], ${messages.map(one => sha256(one.number).toString('hex'))}::text[])
      as m(bucket, id, env_id, user_id, number, hash)
    join stopped_numbers n on n.hash = decode(m.hash, 'hex')
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

/** The send behind the last message that a user got. */
export async function lastMessage(
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
 * Keeps what a user answered. Whoever is here holds the user ({@link stillHas}), so answers come one at a time.
 *
 * @returns whether it is the first answer to this send; undefined: this very one was there
 */
export async function recordAnswer(
  tx: Tx,
  { bucket, envId, userId }: UserKey,
  { sendId }: LastMessage,
  { id, ref, text }: { readonly id: string; readonly ref: string; readonly text: string }
): Promise<boolean | undefined> {
  const made = await tx`
    insert into receipts (bucket, id, env_id, user_id, send_id, channel, outcome, detail, provider_ref)
    values (${bucket}, ${id}, ${envId}, ${userId}, ${sendId}, 'SMS', 'answered', ${text}, ${ref})
    on conflict (bucket, send_id, channel, outcome, provider_ref) do nothing`
  if (made.count === 0) return undefined
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from receipts
    where bucket = ${bucket} and send_id = ${sendId} and channel = 'SMS' and outcome = 'answered'`
  return row!.count === 1
}
