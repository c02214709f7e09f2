// Reads pages of the users of an environment: all of them, or those whose id, email address or phone number begins with a text.
//
// A search reads three indexes one after the other, so its order is: by id, by email address, by number. Each page reads at
// most its own length from each index.

import { phoneNumber } from '../core/contact.ts'
import type { UserKey } from '../core/id.ts'
import type { DatabaseGroup, Fragment, Query } from '../db/db.ts'
import { inGroup } from '../db/sql-helpers.ts'

/** What a search compares, in the order of the results. */
export const SEARCHED_FIELDS = ['id', 'email', 'number'] as const
export type SearchedField = (typeof SEARCHED_FIELDS)[number]

/** The last user of a page: the index, the value there, and the user. */
export interface UserPosition {
  readonly field: SearchedField
  /** Of the field: the id, the email address in lower case, or the number. */
  readonly key: string
  readonly userId: string
}

export interface ListedUser extends UserKey, UserPosition {
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
  /** The beginning, or all, of an id, email address or phone number. Default: all users. */
  readonly text?: string | undefined
  readonly after?: UserPosition | undefined
  readonly limit: number
}

/** The last code point of Unicode, which is no character: texts with a prefix sort before the prefix and this. */
const LAST = '\u{10FFFF}'

const SEPARATORS = /[ \u00a0().-]/g
const MIN_DIGITS = 3

/** @returns the beginning of E.164 numbers; undefined if the text is no part of a number */
function numberPrefix(text: string): string | undefined {
  const whole = phoneNumber.safeParse(text)
  if (whole.success) return whole.data
  const digits = text.replaceAll(SEPARATORS, '').replace(/^\+/, '')
  return /^[1-9]\d{0,14}$/.test(digits) && digits.length >= MIN_DIGITS ? `+${digits}` : undefined
}

/** @returns the beginning of the values to find, by field; `''` for all users */
function prefixes(text: string): Partial<Record<SearchedField, string>> {
  if (text === '') return { id: '' }
  const number = numberPrefix(text)
  return { id: text, email: text, ...(number !== undefined && { number }) }
}

const keyOf = (query: Query, field: SearchedField): Fragment =>
  field === 'id'
    ? query`u.id collate "C"`
    : field === 'email'
      ? query`lower(u.email) collate "C"`
      : query`u.number collate "C"`

/** One page of one index. */
function readIndex(
  query: Query,
  { buckets }: Pick<DatabaseGroup, 'buckets'>,
  { after, envId, limit }: UsersPage,
  field: SearchedField,
  prefix: string
): Fragment {
  const key = keyOf(query, field)
  const toKey = (text: string): Fragment => (field === 'email' ? query`lower(${text})` : query`${text}`)
  const isBehind =
    after?.field === field ? query`and (${key}, u.id collate "C") > (${after.key}, ${after.userId})` : query``
  return query`(
    select ${SEARCHED_FIELDS.indexOf(field)}::integer as place, ${field} as field, ${key} as key, u.bucket,
      u.env_id as "envId", u.id as "userId", u.email, u.number, u.timezone, u.locale, u.created_at as "createdAt",
      u.updated_at as "updatedAt", u.seen_at as "seenAt"
    from users u
    where ${inGroup({ buckets, sql: query }, 'u')} and u.env_id = ${envId} and ${key} >= ${toKey(prefix)}
      ${prefix === '' ? query`` : query`and ${key} < ${toKey(prefix + LAST)}`} ${isBehind}
    order by ${key}, u.id collate "C" limit ${limit})`
}

export function userPageStatement(
  query: Query,
  group: Pick<DatabaseGroup, 'buckets'>,
  page: UsersPage
): Fragment {
  const first = page.after ? SEARCHED_FIELDS.indexOf(page.after.field) : 0
  const found = prefixes(page.text ?? '')
  const parts = SEARCHED_FIELDS.slice(first).flatMap(field => {
    const prefix = found[field]
    return prefix === undefined ? [] : [readIndex(query, group, page, field, prefix)]
  })
  const all = parts.reduce((before, part) => query`${before} union all ${part}`)
  return query`select * from (${all}) found order by place, key collate "C", "userId" collate "C" limit ${page.limit}`
}

/** A user stands once in the result for each field that matches: see {@link isListedBefore}. */
export const readUserPage = (group: DatabaseGroup, page: UsersPage): Promise<ListedUser[]> =>
  group.sql<ListedUser[]>`${userPageStatement(group.sql, group, page)}`

/** Whether the search has returned this user already, for an earlier field. */
export function isListedBefore({ email, field, userId }: ListedUser, text: string): boolean {
  const { email: emailPrefix, id } = prefixes(text)
  return (
    (field !== 'id' && userId.startsWith(id!)) ||
    (field === 'number' && email !== null && email.toLowerCase().startsWith(emailPrefix!.toLowerCase()))
  )
}

export const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Compares as {@link readUserPage} sorts, to merge the pages of several database groups. */
export const compareUsers = (a: UserPosition, b: UserPosition): number =>
  SEARCHED_FIELDS.indexOf(a.field) - SEARCHED_FIELDS.indexOf(b.field) ||
  compareBytes(a.key, b.key) ||
  compareBytes(a.userId, b.userId)
