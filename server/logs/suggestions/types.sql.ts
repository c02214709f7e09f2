// Finds the types whose id begins with a text, among those of one environment.

import type { Fragment, Query } from '../../db/db.ts'

export interface SuggestedType {
  readonly id: string
  readonly title: string
}

/** The last code point of Unicode, which is no character: texts with a prefix sort before the prefix and this. */
const LAST = '\u{10FFFF}'

export const typesStatement = (query: Query, envId: string, text: string, limit: number): Fragment => query`
  select id, title from notifications
  where env_id = ${envId} and id collate "C" >= ${text} and id collate "C" < ${text + LAST}
  order by id collate "C" limit ${limit}`
