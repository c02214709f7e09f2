// Lists the users of an environment page by page, in the order of bucket and id.

import type { UserKey } from '../core/id.ts'
import type { DatabaseGroup } from '../db/db.ts'
import { inGroup } from '../db/sql-helpers.ts'

export interface ListedUser extends UserKey {
  readonly email: string | null
  readonly number: string | null
  readonly timezone: string | null
  readonly locale: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly seenAt: Date | null
}

export interface UsersPage {
  readonly envId: string
  readonly after?: Pick<UserKey, 'bucket' | 'userId'>
  readonly limit: number
}

export const listUsers = (
  group: DatabaseGroup,
  { after, envId, limit }: UsersPage
): Promise<ListedUser[]> => group.sql<ListedUser[]>`
  select bucket, env_id as "envId", id as "userId", email, number, timezone, locale, created_at as "createdAt",
    updated_at as "updatedAt", seen_at as "seenAt"
  from users
  where env_id = ${envId} and ${inGroup(group)}
    and (bucket, id) > (${after?.bucket ?? -1}::smallint, ${after?.userId ?? ''})
  order by bucket, id limit ${limit}`

/** Compares as {@link listUsers} sorts, to merge the pages of several database groups. */
export const compareUsers = (a: ListedUser, b: ListedUser): number =>
  a.bucket - b.bucket || Buffer.compare(Buffer.from(a.userId), Buffer.from(b.userId))
