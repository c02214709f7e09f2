// GET /audit and /audit/export: what operators did, for operators.

import type { z } from 'zod'

import { digestUserId } from '../core/hash.ts'
import { lowestIdAt, timeInId } from '../core/id.ts'
import type { Db } from '../db/db.ts'
import { readEntries, type AuditEntry, type AuditQuery } from '../http/audit/audit.sql.ts'
import { toCursor } from '../http/cursor.ts'
import { parseQuery } from '../http/parse-input.ts'
import { ok, route, type Route, type Streamed } from '../http/route.ts'
import { auditDoc, auditExportDoc, auditQuery, exportQuery } from './audit-doc.ts'

const EXPORT_PAGE_SIZE = 200

const toWire = ({ id, clientId, name, subject, userDigest, status, ...entry }: AuditEntry) => ({
  id,
  date: new Date(timeInId(id)).toISOString(),
  ...entry,
  ...(name !== null && { name }),
  ...(clientId !== null && { clientId }),
  ...(userDigest !== null && { userDigest }),
  ...(subject !== null && { subject }),
  ...(status !== null && { status })
})

const idAt = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : lowestIdAt(ms))

type Filter = z.output<typeof exportQuery>

const toQuery = ({ endTime, startTime, userId, ...filter }: Filter): Omit<AuditQuery, 'limit'> => ({
  ...filter,
  from: idAt(startTime),
  until: idAt(endTime === undefined ? undefined : endTime + 1),
  userDigest:
    userId === undefined || filter.clientId === undefined ? undefined : digestUserId(filter.clientId, userId)
})

export const auditRoutes = (db: Db): Route[] => [
  route('GET', '/audit', 'admin', auditDoc, async ({ query }) => {
    const { count, cursor: before, ...filter } = parseQuery(auditQuery, query)
    const found = await readEntries(db.control, { ...toQuery(filter), before, limit: count + 1 })
    const shown = found.slice(0, count)
    const next = found.length > count ? { next: toCursor(shown.at(-1)!.id) } : {}
    return ok({ entries: shown.map(toWire), ...next })
  }),

  route('GET', '/audit/export', 'admin', auditExportDoc, async ({ query }) => {
    const filter = toQuery(parseQuery(exportQuery, query))
    const read = (before?: string): Promise<readonly AuditEntry[]> =>
      readEntries(db.control, { ...filter, before, limit: EXPORT_PAGE_SIZE })
    // Before the answer begins: a filter that the database refuses gets a problem, not half of an answer.
    const first = await read()
    const body: Streamed = async write => {
      for (let page = first; page.length > 0;) {
        await write(page.map(one => `${JSON.stringify(toWire(one))}\n`).join(''))
        page = page.length < EXPORT_PAGE_SIZE ? [] : await read(page.at(-1)!.id)
      }
    }
    return { body, headers: { 'content-type': 'application/x-ndjson; charset=utf-8' }, status: 200 }
  })
]
