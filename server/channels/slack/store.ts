// Connections to Slack, as they are kept: encrypted in the row of their user.

import type { Group } from '../../db/sql.ts'
import type { Seal } from '../../instance/seal.ts'
import { openConnection, sealConnection } from '../../users/slack.ts'
import type { UserKey } from '../../users/store.ts'

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

/** Rows of one trip. */
const PAGE = 500

/** Encrypts every connection of the group with the key of now. */
export async function resealConnections(group: Group, seal: Seal): Promise<void> {
  await group.work.begin(async tx => {
    const rows = tx<(UserKey & { readonly sealed: Buffer })[]>`
      select bucket, env_id as "envId", id as "userId", slack_token as sealed from users
      where (${group.buckets}::smallint[] is null or bucket = any(${group.buckets}::smallint[]))
        and slack_token is not null
      order by bucket, env_id, id for update`
    for await (const page of rows.cursor(PAGE)) {
      for (const { sealed, ...user } of page) {
        const again = sealConnection(seal, user, openConnection(seal, user, sealed))
        await tx`
          update users set slack_token = ${again}
          where bucket = ${user.bucket} and env_id = ${user.envId} and id = ${user.userId}`
      }
    }
  })
}
