// Stores bounces: a receipt in the log of the send, and a mark at the user whose address accepts no email.

import { placementHashInId, placementHash, type UserKey } from '../../../core/id.ts'
import type { Fragment, DatabaseGroup, Query } from '../../../db/db.ts'

/** Why an address accepts no email. */
export interface Fault {
  readonly code: string
  readonly detail: string
}

const MAX_TEXT_CHARACTERS = 500

const cleanText = (text: string): string =>
  text.replaceAll('\0', '').toWellFormed().slice(0, MAX_TEXT_CHARACTERS)

const bounceValue = (query: Query, address: string, { code, detail }: Fault): Fragment => query`
  jsonb_build_object('address', ${address.toLowerCase()}::text, 'code', ${code}::text, 'detail', ${cleanText(detail)}::text,
    'at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`

/** Marks the user until another address is set. Requires the send, so that no mark remains of a user who was erased. */
export async function markAddress(
  query: Query,
  { bucket, envId, sendId, userId }: UserKey & { readonly sendId: string },
  address: string,
  fault: Fault
): Promise<void> {
  await query`
    insert into users (bucket, env_id, id, email_bounce)
    select s.bucket, ${envId}, ${userId}, ${bounceValue(query, address, fault)}
    from sends s where s.bucket = ${bucket} and s.id = ${sendId} for key share
    on conflict (bucket, env_id, id) do update set email_bounce = excluded.email_bounce, updated_at = excluded.updated_at`
}

export interface BounceReport {
  /** Id of the new row. */
  readonly id: string
  readonly bucket: number
  readonly sendId: string
  readonly outcome: 'undelivered' | 'delayed' | 'delivered'
  readonly fault: Fault
  readonly recipient: string
  /** The recipient is the address of the send, not of a copy. */
  readonly isOwn: boolean
  /** The recipient is the user's address and accepts no email at all. */
  readonly marksUser: boolean
}

/**
 * Stores a report once for each outcome and recipient, with its mark: a repeated old report says nothing about a user who has
 * repaired the mailbox since.
 *
 * @param maxCopies - reports about copies that are stored for one send
 * @returns whether the report is new, or `no-send` if the log has deleted the send
 */
export const recordBounce = (
  group: DatabaseGroup,
  { bucket, fault, id, isOwn, marksUser, outcome, recipient, sendId }: BounceReport,
  maxCopies: number
): Promise<'new' | 'repeated' | 'no-send'> =>
  group.sql.begin(async tx => {
    const { code, detail } = fault
    const [user] = await tx<UserKey[]>`
      insert into receipts (bucket, id, env_id, user_id, send_id, channel, outcome, code, detail, provider_ref)
      select s.bucket, ${id}, s.env_id, s.user_id, s.id, 'EMAIL', ${outcome}, nullif(${code}::text, ''),
        nullif(${cleanText(detail)}::text, ''), ${cleanText(recipient).toLowerCase()}
      from sends s where s.bucket = ${bucket} and s.id = ${sendId} and (${isOwn}::boolean or ${maxCopies} > (
        select count(*) from receipts r where r.bucket = ${bucket} and r.send_id = ${sendId}))
      for key share of s
      on conflict (bucket, send_id, channel, outcome, provider_ref) do nothing
      returning bucket, env_id as "envId", user_id as "userId"`
    if (user && marksUser) await markAddress(tx, { ...user, sendId }, recipient, fault)
    if (user) return 'new'
    const [send] = await tx`select from sends where bucket = ${bucket} and id = ${sendId}`
    return send ? 'repeated' : 'no-send'
  })

/**
 * Marks the user of a send that the log has deleted: the id contains the user's placement hash, so the user is the one with this
 * hash and this address. Does nothing for a user who was erased or has another address now.
 *
 * @returns whether a user was marked
 */
export async function markUsersWithAddress(
  { work }: DatabaseGroup,
  { bucket, fault, recipient, sendId }: Pick<BounceReport, 'bucket' | 'fault' | 'recipient' | 'sendId'>
): Promise<boolean> {
  const address = recipient.toLowerCase()
  const found = await work<UserKey[]>`
    select bucket, env_id as "envId", id as "userId" from users
    where bucket = ${bucket} and lower(email) = ${address}`
  const owners = found.filter(
    ({ envId, userId }) => placementHash(envId, userId) === placementHashInId(sendId)
  )
  for (const { envId, userId } of owners) {
    await work`
      update users set email_bounce = ${bounceValue(work, address, fault)}, updated_at = now()
      where bucket = ${bucket} and env_id = ${envId} and id = ${userId} and lower(email) = ${address}`
  }
  return owners.length > 0
}
