// GET /audit: what operators did, for operators.

import { lowestIdAt, timeInId } from '../core/id.ts'
import type { Db } from '../db/db.ts'
import { readEntries, type AuditEntry } from '../http/audit/audit.sql.ts'
import { toCursor } from '../http/cursor.ts'
import { parseQuery } from '../http/parse-input.ts'
import { ok, route, type Route } from '../http/route.ts'
import { auditDoc, auditQuery } from './audit-doc.ts'

const toWire = ({ id, clientId, userDigest, status, ...entry }: AuditEntry) => ({
  id,
  date: new Date(timeInId(id)).toISOString(),
  ...entry,
  ...(clientId !== null && { clientId }),
  ...(userDigest !== null && { userDigest }),
  ...(status !== null && { status })
})

const idAt = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : lowestIdAt(ms))

export const auditRoutes = (db: Db): Route[] => [
  route('GET', '/audit', 'admin', auditDoc, async ({ query }) => {
    const { clientId, count, cursor: before, endTime, startTime } = parseQuery(auditQuery, query)
    const found = await readEntries(db.control, {
      before,
      clientId,
      from: idAt(startTime),
      limit: count + 1,
      until: idAt(endTime === undefined ? undefined : endTime + 1)
    })
    const shown = found.slice(0, count)
    const next = found.length > count ? { next: toCursor(shown.at(-1)!.id) } : {}
    return ok({ entries: shown.map(toWire), ...next })
  })
]
