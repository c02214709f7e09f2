// GET, PATCH, PUT and DELETE /:clientId/schedule, for back-ends (spec/wire.md 4, rows 3 and 4).

import type { Channel } from '#protocol'

import { bucketOf, bucketOfId, isTrackingId } from '../../core/id.ts'
import { toCursor } from '../../http/cursor.ts'
import { claimOf } from '../../http/idempotency.ts'
import { parseQuery } from '../../http/parse-input.ts'
import { route, type Answer, type BackEndCall, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { MAX_BATCH_BYTES } from '../../queue/queue-job.ts'
import { besidesFiles } from '../attachments/inline-files.ts'
import { bodyOf, change, noSchedule, remove } from './change.ts'
import { changeDoc, deleteDoc, listDoc, readDoc } from './doc.ts'
import { readChange } from './parse-change.ts'
import {
  listSchedules,
  readSchedule,
  type ListedSchedule,
  type ScheduleKey,
  type StoredSchedule
} from './schedules.sql.ts'
import { schedulesQuery } from './schema.ts'

const ALL = '/:clientId/schedule'
const ONE = `${ALL}/:trackingId`

/** @param maxPageBytes - of sends in one page of schedules */
export const scheduleRoutes = (
  context: Context,
  providers: ReadonlySet<Channel>,
  maxPageBytes = MAX_BATCH_BYTES
): Route[] => {
  const patch = async (call: BackEndCall): Promise<Answer> => {
    const now = context.clock()
    const apply = readChange(call.body, context.config, now, (channel, content) =>
      context.renderer.check(channel, content)
    )
    return change(context, providers, { ...orderOf(call), environment: call.env }, apply)
  }
  return [
    /** Those that are due first come first. */
    route('GET', ALL, 'back-end', listDoc, async ({ env, query }) => {
      const asked = parseQuery(schedulesQuery, query)
      const { count, cursor, userId } = asked
      const notificationId = asked.type ?? asked.notificationId
      const user = userId === undefined ? undefined : { bucket: bucketOf(env.id, userId), id: userId }
      const page = {
        bytes: maxPageBytes,
        envId: env.id,
        limit: count + 1,
        ...(cursor && { after: cursor }),
        ...(notificationId !== undefined && { notificationId }),
        ...(user && { user })
      }
      const groups = user ? [context.db.of(user.bucket)] : context.db.groups
      const found = (await Promise.all(groups.map(group => listSchedules(group, page)))).flat()
      const sorted = found.toSorted((a, b) => a.due - b.due || (a.id < b.id ? -1 : 1))
      const schedules = fitting(sorted.slice(0, count), maxPageBytes)
      const last = found.length > schedules.length && schedules.at(-1)!
      return {
        body: { schedules: schedules.map(recordOf), ...(last && { next: toCursor(last.due, last.id) }) },
        status: 200
      }
    }),

    route('GET', ONE, 'back-end', readDoc, async call => {
      const key = keyOf(call)
      const stored = await readSchedule(context.db.of(key.bucket).sql, key)
      if (!stored) throw noSchedule(key.id)
      return { body: recordOf(stored), status: 200 }
    }),

    /** Any part of a send; most often its `schedule` alone. One that lies in the past means now. */
    { ...route('PATCH', ONE, 'back-end', changeDoc('PATCH'), patch), besidesFiles },
    { ...route('PUT', ONE, 'back-end', changeDoc('PUT'), patch), besidesFiles },

    route('DELETE', ONE, 'back-end', deleteDoc, async call => remove(context, orderOf(call)))
  ]
}

/** The first of them that are not more than so many bytes; at least one. Each database group kept to them by itself alone. */
function fitting(places: readonly ListedSchedule[], limit: number): readonly ListedSchedule[] {
  let bytes = 0
  const end = places.findIndex((place, i) => (bytes += place.bytes) > limit && i > 0)
  return end < 0 ? places : places.slice(0, end)
}

/** @throws Problem `not-found` for what cannot be a tracking id */
function keyOf({ env, params }: Pick<BackEndCall, 'env' | 'params'>): ScheduleKey {
  const id = params['trackingId']!
  if (!isTrackingId(id)) throw noSchedule(id)
  return { bucket: bucketOfId(id), envId: env.id, id: id.toLowerCase() }
}

/** The user is not known before the row is read, so the key of a repeated request lies in the bucket alone. */
function orderOf(call: BackEndCall) {
  const key = keyOf(call)
  return { claim: claimOf(call, '', key.bucket), key }
}

/** As callers see it: `request` is the send in the form in which it is kept. */
function recordOf(stored: Pick<StoredSchedule, 'body' | 'id' | 'userId'>): Readonly<Record<string, unknown>> {
  const { notificationId, send, warnings } = bodyOf(stored)
  return {
    trackingId: stored.id,
    schedule: send.schedule,
    notificationId,
    ...(send.subNotificationId !== undefined && { subNotificationId: send.subNotificationId }),
    userId: stored.userId,
    messages: warnings,
    request: send
  }
}
