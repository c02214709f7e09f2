// Privacy over HTTP, for back ends: exports and deletes all data of a user.

import { EXPORT_CONNECTIONS } from '../../config/connections.ts'
import { digestUserId } from '../../core/hash.ts'
import { bucketOfId, isTrackingId } from '../../core/id.ts'
import { forgetUser } from '../../environments/tasks/tasks.sql.ts'
import { Problem } from '../../http/problem.ts'
import { ok, route, type Route, type Streamed } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { parseUserKey } from '../user-key.ts'
import { erasureDoc, eraseDoc, exportDoc } from './doc.ts'
import { eraseUser } from './erase.ts'
import { publishErasure, toBody, toUnderWay } from './erasure-answer.ts'
import { openExportSlots, READER_TIMEOUT_MS } from './export-slots.ts'
import { readErasureProof, readPersonalData } from './personal-data.sql.ts'

export const privacyRoutes = ({ db, live, log }: Pick<Context, 'db' | 'live' | 'log'>): Route[] => [
  exportRoute({ db, log }),

  route('DELETE', '/:clientId/users/:userId', 'back-end', eraseDoc, async call => {
    const user = parseUserKey(call)
    const userTasks = { envId: user.envId, userDigest: digestUserId(user.envId, user.userId) }
    // Before and after: a stored export that begins meanwhile finds its task deleted.
    await forgetUser(db.control, userTasks)
    const { proof, redacted, underWay, version } = await eraseUser(db, user)
    await forgetUser(db.control, userTasks)
    publishErasure(live, user, version)
    return ok(proof ? { ...toBody(proof), ...(underWay && toUnderWay(underWay)) } : { redacted, removed: {} })
  }),

  route('GET', '/:clientId/erasures/:erasureId', 'back-end', erasureDoc, async ({ env, params }) => {
    const id = params['erasureId']!
    const bucket = isTrackingId(id) ? bucketOfId(id) : undefined
    const proof =
      bucket !== undefined && (await readErasureProof(db.of(bucket).sql, { bucket, envId: env.id, id }))
    if (!proof) throw new Problem('not-found', `There is no erasure ${JSON.stringify(id)}.`)
    return ok(toBody(proof))
  })
]

/** An email may have megabytes; in parts, a steady reader of one is seen to make progress. */
const WRITE_BYTES = 65_536

/** Streams JSON lines `{ "table": …, "row": … }`. There are as many slots as export connections, so no export waits for one. */
export function exportRoute(
  { db, log }: Pick<Context, 'db' | 'log'>,
  { readerTimeoutMs = READER_TIMEOUT_MS, slotCount = EXPORT_CONNECTIONS } = {}
): Route {
  const slots = openExportSlots(slotCount, readerTimeoutMs)
  return route('GET', '/:clientId/users/:userId/export', 'back-end', exportDoc, async call => {
    const user = parseUserKey(call)
    const { envId } = user
    let closeAnswer = (): void => {}
    const slot = slots.acquire(envId, () => {
      log.warn(
        { event: 'export_aborted', envId },
        'export aborted: its reader was too slow and another environment needed the slot'
      )
      closeAnswer()
    })
    if (!slot) {
      throw new Problem(
        'unavailable',
        'No export slot is free, or this environment already has an export running. Retry in 5 seconds.',
        { headers: { 'retry-after': '5' } }
      )
    }
    const body: Streamed = async (write, close) => {
      closeAnswer = close
      try {
        await readPersonalData(db.of(user.bucket), user, async (table, row) => {
          const line = Buffer.from(`${JSON.stringify({ row, table })}\n`)
          for (let at = 0; at < line.length; at += WRITE_BYTES) {
            const part = line.subarray(at, at + WRITE_BYTES)
            await slot.trackWrite(write(part), part.length)
          }
        })
      } finally {
        slot.release()
      }
    }
    return { body, headers: { 'content-type': 'application/x-ndjson; charset=utf-8' }, status: 200 }
  })
}
