// What is kept of a mail that came back: a line in the log of its send, and at the user an address that takes no mail.

import { placementHashInId, placementHash, type UserKey } from '../../../core/id.ts'
import type { Fragment, DatabaseGroup, Query } from '../../../db/db.ts'

/** Why an address takes no mail. */
export interface Fault {
  readonly code: string
  readonly detail: string
}

/** Longest words of a server that are kept. */
const WORDS = 500

const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed().slice(0, WORDS)

const bounceOf = (query: Query, address: string, { code, detail }: Fault): Fragment => query`
  jsonb_build_object('address', ${address.toLowerCase()}::text, 'code', ${code}::text, 'detail', ${clean(detail)}::text,
    'at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`

/** The user is marked with it until somebody says another address; not without the send: who was erased leaves no mark. */
export async function markAddress(
  query: Query,
  { bucket, envId, sendId, userId }: UserKey & { readonly sendId: string },
  address: string,
  fault: Fault
): Promise<void> {
  await query`
    insert into users (bucket, env_id, id, email_bounce)
    select s.bucket, ${envId}, ${userId}, ${bounceOf(query, address, fault)}
    from sends s where s.bucket = ${bucket} and s.id = ${sendId} for key share
    on conflict (bucket, env_id, id) do update set email_bounce = excluded.email_bounce, updated_at = now()`
}

export interface Returned {
  /** Of the new row. */
  readonly id: string
  readonly bucket: number
  readonly sendId: string
  readonly outcome: 'undelivered' | 'delayed' | 'delivered'
  readonly fault: Fault
  readonly recipient: string
  /** The mail was written to it, and not only a copy. */
  readonly own: boolean
  /** It is the user's own and takes no mail at all. */
  readonly marks: boolean
}

/**
 * Once for each outcome and recipient, the mark as well: an old report that comes again says nothing about a user who has
 * repaired the mailbox since.
 *
 * @param copies - reports about copies that one send keeps, at most
 * @returns whether it is new, or the log has forgotten the send
 */
export const recordReturn = (
  group: DatabaseGroup,
  { bucket, fault, id, marks, outcome, own, recipient, sendId }: Returned,
  copies: number
): Promise<'new' | 'known' | 'forgotten'> =>
  group.sql.begin(async tx => {
    const { code, detail } = fault
    const [user] = await tx<UserKey[]>`
      insert into receipts (bucket, id, env_id, user_id, send_id, channel, outcome, code, detail, provider_ref)
      select s.bucket, ${id}, s.env_id, s.user_id, s.id, 'EMAIL', ${outcome}, nullif(${code}::text, ''),
        nullif(${clean(detail)}::text, ''), ${clean(recipient).toLowerCase()}
      from sends s where s.bucket = ${bucket} and s.id = ${sendId} and (${own}::boolean or ${copies} > (
        select count(*) from receipts r where r.bucket = ${bucket} and r.send_id = ${sendId}))
      for key share of s
      on conflict (bucket, send_id, channel, outcome, provider_ref) do nothing
      returning bucket, env_id as "envId", user_id as "userId"`
    if (user && marks) await markAddress(tx, { ...user, sendId }, recipient, fault)
    if (user) return 'new'
    const [send] = await tx`select from sends where bucket = ${bucket} and id = ${sendId}`
    return send ? 'known' : 'forgotten'
  })

/**
 * Of a send that the log has forgotten its id still says where its user is: whoever has that place and this address is
 * marked. Who was erased has no row, and who has another address by now is not concerned.
 *
 * @returns whether there is somebody
 */
export async function markOwners(
  { work }: DatabaseGroup,
  { bucket, fault, recipient, sendId }: Pick<Returned, 'bucket' | 'fault' | 'recipient' | 'sendId'>
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
      update users set email_bounce = ${bounceOf(work, address, fault)}, updated_at = now()
      where bucket = ${bucket} and env_id = ${envId} and id = ${userId} and lower(email) = ${address}`
  }
  return owners.length > 0
}
