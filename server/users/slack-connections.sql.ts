// Reads and re-encrypts the Slack tokens of users, which are stored encrypted in the users' rows.

import type { UserKey } from '../core/id.ts'
import type { DatabaseGroup } from '../db/db.ts'
import type { Encryption } from '../environments/encryption/encryption.ts'
import { decryptSlackToken, encryptSlackToken } from './slack-connection.ts'

/** @returns undefined if the user has no Slack connection */
export async function readEncryptedSlackToken(
  { work }: Pick<DatabaseGroup, 'work'>,
  { bucket, envId, userId }: UserKey
): Promise<Buffer | undefined> {
  const [row] = await work<{ encryptedToken: Buffer | null }[]>`
    select slack_token as "encryptedToken" from users
    where bucket = ${bucket} and env_id = ${envId} and id = ${userId}`
  return row?.encryptedToken ?? undefined
}

const BATCH_SIZE = 500

/** Encrypts every token of the group with the current key. May be interrupted and repeated while both keys are configured. */
export async function reencryptSlackTokens(group: DatabaseGroup, encryption: Encryption): Promise<void> {
  let last: UserKey | undefined = { bucket: -1, envId: '', userId: '' }
  while (last) last = await reencryptBatch(group, encryption, last)
}

/** @returns the last user of a full batch; undefined if there are no more */
const reencryptBatch = (
  { buckets, work }: DatabaseGroup,
  encryption: Encryption,
  after: UserKey
): Promise<UserKey | undefined> =>
  work.begin(async tx => {
    // If few of many users have a token, the search takes longer than the usual time-out.
    await tx`set local statement_timeout = 0`
    const rows = await tx<(UserKey & { readonly encryptedToken: Buffer })[]>`
      select bucket, env_id as "envId", id as "userId", slack_token as "encryptedToken" from users
      where (${buckets}::smallint[] is null or bucket = any(${buckets}::smallint[]))
        and slack_token is not null and (bucket, env_id, id) > (${after.bucket}, ${after.envId}, ${after.userId})
      order by bucket, env_id, id limit ${BATCH_SIZE} for update`
    const tokens = rows.map(({ encryptedToken, ...user }) =>
      encryptSlackToken(encryption, user, decryptSlackToken(encryption, user, encryptedToken)).toString('hex')
    )
    await tx`
      update users u set slack_token = decode(r.token, 'hex')
      from unnest(${rows.map(row => row.bucket)}::smallint[], ${rows.map(row => row.envId)}::text[],
        ${rows.map(row => row.userId)}::text[], ${tokens}::text[]) as r(bucket, env_id, id, token)
      where (${buckets}::smallint[] is null or u.bucket = any(${buckets}::smallint[]))
        and u.bucket = r.bucket and u.env_id = r.env_id and u.id = r.id`
    return rows.length < BATCH_SIZE ? undefined : rows.at(-1)
  }) as Promise<UserKey | undefined>
