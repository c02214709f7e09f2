// The rights of a person, exercised by the back end: a copy of all that is held about them, and its end.

import { bucketOfId, isTrackingId } from '../../core/id.ts'
import { Problem } from '../../http/problem.ts'
import { route, type Route, type Streamed } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { userOf } from '../user-key.ts'
import { erasureDoc, eraseDoc } from './doc.ts'
import { erase } from './erase.ts'
import { openExportSlots } from './export-slots.ts'
import { readAll, readErasure, type Erasure } from './personal-data.sql.ts'

export const holdingRoutes = ({
  db,
  live,
  ...context
}: Pick<Context, 'config' | 'db' | 'live' | 'log'>): Route[] => [
  exportRoute({ db, ...context }),

  route('DELETE', '/:clientId/users/:userId', 'back-end', eraseDoc, async call => {
    const user = userOf(call)
    const { bucket, envId, userId } = user
    const erased = await erase(db.of(bucket), user)
    if (erased.version !== undefined) {
      // Nobody can be at this version: everybody asks what happened, and is told to start again.
      const version = erased.version + 1
      const counts = { unarchived: 0, unopened: 0 }
      live.publish([{ change: { counts, items: [], prev: version, removed: [], version }, envId, userId }])
    }
    const { proof, underWay } = erased
    const busy = underWay && {
      underWay: { deliveries: underWay.deliveries, until: underWay.until.toISOString() }
    }
    return { body: proof ? { ...bodyOf(proof), ...busy } : { removed: {} }, status: 200 }
  }),

  route('GET', '/:clientId/erasures/:erasureId', 'back-end', erasureDoc, async ({ env, params }) => {
    const id = params['erasureId']!
    const bucket = isTrackingId(id) ? bucketOfId(id) : undefined
    const found =
      bucket !== undefined && (await readErasure(db.of(bucket).sql, { bucket, envId: env.id, id }))
    if (!found) throw new Problem('not-found', `There is no erasure ${JSON.stringify(id)}.`)
    return { body: bodyOf(found), status: 200 }
  })
]

/** Bytes: a mail may have millions, and a steady reader of it is to be seen taking them. */
const PIECE = 65_536

/** JSON lines: `{ "table": …, "row": … }`. As many at once as have a connection: one more would wait without a word. */
function exportRoute({ config, db, log }: Pick<Context, 'config' | 'db' | 'log'>): Route {
  const places = openExportSlots(config.exports, config.exportSeconds * 1000)
  return route('GET', '/:clientId/users/:userId/export', 'back-end', async call => {
    const user = userOf(call)
    let hangUp = (): void => {}
    const place = places.take(user.envId, () => {
      log.warn(
        { env: user.envId },
        'an export whose reader took next to nothing has ended: another environment asked for one'
      )
      hangUp()
    })
    if (!place) {
      throw new Problem('unavailable', 'Others are being exported. Please try again.', {
        headers: { 'retry-after': '5' }
      })
    }
    const body: Streamed = async (write, end) => {
      hangUp = end
      try {
        await readAll(db.of(user.bucket), user, async (table, row) => {
          const line = Buffer.from(`${JSON.stringify({ row, table })}\n`)
          for (let at = 0; at < line.length; at += PIECE) {
            const piece = line.subarray(at, at + PIECE)
            await place.waiting(write(piece), piece.length)
          }
        })
      } finally {
        place.leave()
      }
    }
    return { body, headers: { 'content-type': 'application/x-ndjson; charset=utf-8' }, status: 200 }
  })
}

const bodyOf = ({ id, erasedAt, removed }: Erasure) => ({
  erasedAt: erasedAt.toISOString(),
  erasureId: id,
  removed
})
