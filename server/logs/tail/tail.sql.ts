// Reads the newest sends of an environment, for its live tail.

import { lowestIdAt } from '../../core/id.ts'
import type { DatabaseGroup, Fragment, Query } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'

export interface TailedSend {
  readonly id: string
  readonly userId: string
  readonly type: string
  readonly decisions: Readonly<Record<string, string>>
}

export const tailStatement = (
  query: Query,
  { buckets }: Pick<DatabaseGroup, 'buckets'>,
  envId: string,
  fromMs: number,
  limit: number
): Fragment => {
  const group = { buckets, sql: query }
  return query`
  select s.id, s.user_id as "userId", s.notification_id as type, s.decisions
  from sends s
  where ${inGroup(group, 's')} and s.env_id = ${envId} and s.id >= ${lowestIdAt(fromMs)}::uuid
  order by s.id desc limit ${limit}`
}

/** The newest first. */
export const readTail = (
  group: DatabaseGroup,
  envId: string,
  fromMs: number,
  limit: number
): Promise<TailedSend[]> => group.sql<TailedSend[]>`${tailStatement(group.sql, group, envId, fromMs, limit)}`
