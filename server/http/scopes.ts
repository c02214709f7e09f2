// Scopes of API keys: which routes of an environment a key may call.

import type { Tag } from './route-doc.ts'
import type { Route } from './route.ts'

/** `all`: what the client secret may, except computing user hashes. */
export const SCOPES = ['send', 'read', 'types', 'users', 'all'] as const

export type Scope = (typeof SCOPES)[number]

/** The scope that may write in a group of the reference; absent: only `all`. */
const WRITERS: Partial<Readonly<Record<Tag, Scope>>> = {
  broadcasts: 'send',
  inbox: 'users',
  preferences: 'users',
  schedules: 'send',
  send: 'send',
  topics: 'users',
  types: 'types',
  users: 'users'
}

/** Writers that also read their group. A key that sends reads nothing, so that a leaked one shows no data. */
const READING_WRITERS: ReadonlySet<Scope | undefined> = new Set<Scope>(['types', 'users'])

/** Returns the scopes of which a key needs one. Routes outside of the reference that write need `all`. */
export function scopesOf({ doc, method }: Pick<Route, 'doc' | 'method'>): readonly Scope[] {
  const writer = doc && WRITERS[doc.tag]
  const isReading = method === 'GET' || doc?.reads === true
  const readers: readonly Scope[] = isReading ? ['read'] : []
  const writers = writer !== undefined && (!isReading || READING_WRITERS.has(writer)) ? [writer] : []
  return [...readers, ...writers, 'all']
}
