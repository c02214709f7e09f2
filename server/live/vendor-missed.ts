// What existing clients have missed beyond one change. Our own are told to start again; these know no such word and never
// ask, so what is new comes to them page by page.

import type { Query } from '../db/sql.ts'
import { readPage } from '../inbox/reading/store.ts'
import { vendorNews, type Connection } from './connection.ts'
import type { Asking, Audience } from './registry.ts'

/** What one frame may have. */
export interface FrameLimits {
  readonly items: number
  /** Of all contents together. */
  readonly bytes: number
}

/**
 * Tells those of the audience who are behind, the newest first.
 *
 * @param behind - a version that their inbox has reached
 */
export async function tellVendors(
  query: Query,
  audience: Audience,
  asking: Asking,
  behind: number,
  { bytes, items }: FrameLimits
): Promise<void> {
  const vendors = [...asking].filter(
    (asked): asked is [Connection, number] =>
      asked[0].kind === 'vendor' && asked[1] !== undefined && asked[1] < behind
  )
  if (vendors.length === 0) return
  const since = Math.min(...vendors.map(([, version]) => version))
  let head = behind
  for (let before: number | undefined, more = true; more;) {
    const page = await readPage(query, audience, items, { before, bytes })
    // What comes after the first page is read is a change of its own.
    if (before === undefined) head = page.version
    for (const [connection, version] of vendors) {
      const fresh = page.items.filter(item => Date.parse(item.date) > version)
      if (fresh.length > 0 && audience.connections.has(connection)) connection.send(vendorNews(fresh))
    }
    before = page.next
    more = before !== undefined && before > since
  }
  for (const [connection] of vendors) connection.version = head
}
