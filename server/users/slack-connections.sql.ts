// Connections to Slack, as they are kept: encrypted in the row of their user.

import type { UserKey } from '../core/id.ts'
import type { Group } from '../db/db.ts'
import type { Encryption } from '../environments/encryption/encryption.ts'
import { openConnection, sealConnection } from './slack-connection.ts'

/** Undefined: the user is not connected. */
export async function readConnection(
  { work }: Pick<Group, 'work'>,
  { bucket, envId, userId }: UserKey
): Promise<Buffer | undefined> {
  const [row] = await work<{ sealed: Buffer | null }[]>`
    select slack_token as sealed from users
    where bucket = ${bucket} and env_id = ${envId} and id = ${userId}`
  return row?.sealed ?? undefined
}

/** Rows of one transaction. */
const PAGE = 500

/** Encrypts every connection of the group with the key of now. Cut short, it begins again: both keys are at hand. */
export async function reencryptConnections(group: Group, encryption: Encryption): Promise<void> {
  let last: UserKey | undefined = { bucket: -1, envId: '', userId: '' }
  while (last) last = await resealPage(group, encryption, last)
}

/** @returns the last one of a full page; undefined: there are no more */
const resealPage = (
  { buckets, work }: Group,
  encryption: Encryption,
  after: UserKey
): Promise<UserKey | undefined> =>
  work.begin(async tx => {
    // Few of many users may have one.
    await tx`set local statement_timeout = 0`
    const rows = await tx<(UserKey & { readonly sealed: Buffer })[]>`
      select bucket, env_id as "envId", id as "userId", slack_token as sealed from users
      where (${buckets}::smallint[] is null or bucket = any(${buckets}::smallint[]))
        and slack_token is not null and (bucket, env_id, id) > (${after.bucket}, ${after.envId}, ${after.userId})
      order by bucket, env_id, id limit ${PAGE} for update`
    const again = rows.map(({ sealed, ...user }) =>
      sealConnection(encryption, user, openConnection(encryption, user, sealed)).toString('hex')
    )
    await tx`
      update users u set slack_token = decode(r.token, 'hex')
      from unnest(${rows.map(row => row.bucket)}::smallint[], ${rows.map(row => row.envId)}::text[],
        ${rows.map(row => row.userId)}::text[], ${again}::text[]) as r(bucket, env_id, id, token)
      where (${buckets}::smallint[] is null or u.bucket = any(${buckets}::smallint[]))
        and u.bucket = r.bucket and u.env_id = r.env_id and u.id = r.id`
    return rows.length < PAGE ? undefined : rows.at(-1)
  }) as Promise<UserKey | undefined>
