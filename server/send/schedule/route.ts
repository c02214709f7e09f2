// Routes for back ends: GET, PATCH, PUT and DELETE /:clientId/schedule.

import type { Channel } from '#protocol'

import { bucketOf, bucketOfId, isTrackingId } from '../../core/id.ts'
import { toCursor } from '../../http/cursor.ts'
import { idempotencyKeyOf } from '../../http/idempotency.ts'
import { parseQuery } from '../../http/parse-input.ts'
import { ok, route, type Answer, type BackEndCall, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { MAX_BATCH_BYTES } from '../../queue/queue-job.ts'
import { bytesWithoutFiles } from '../attachments/attachment.ts'
import { scheduleBody, changeSchedule, scheduleNotFound, cancelSchedule } from './change.ts'
import { changeDoc, deleteDoc, listDoc, readDoc } from './doc.ts'
import { parseChange } from './parse-change.ts'
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

/** @param maxPageBytes - limit for the sends in one page of schedules */
export const scheduleRoutes = (
  context: Context,
  providers: ReadonlySet<Channel>,
  maxPageBytes = MAX_BATCH_BYTES
): Route[] => {
  const patch = async (call: BackEndCall): Promise<Answer> => {
    const now = context.clock()
    const change = parseChange(call.body, now, (channel, content) => context.renderer.check(channel, content))
    return changeSchedule(context, providers, { ...scheduleRequest(call), environment: call.env }, change)
  }
  return [
    route('GET', ALL, 'back-end', listDoc, async ({ env, query }) => {
      const filter = parseQuery(schedulesQuery, query)
      const { count, cursor, userId } = filter
      const notificationId = filter.type ?? filter.notificationId
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
      const schedules = firstBytes(sorted.slice(0, count), maxPageBytes)
      const last = found.length > schedules.length && schedules.at(-1)!
      return ok({
        schedules: schedules.map(scheduleRecord),
        ...(last && { next: toCursor(last.due, last.id) })
      })
    }),

    route('GET', ONE, 'back-end', readDoc, async call => {
      const key = scheduleKey(call)
      const stored = await readSchedule(context.db.of(key.bucket).sql, key)
      if (!stored) throw scheduleNotFound(key.id)
      return ok(scheduleRecord(stored))
    }),

    { ...route('PATCH', ONE, 'back-end', changeDoc('PATCH'), patch), besidesFiles: bytesWithoutFiles },
    { ...route('PUT', ONE, 'back-end', changeDoc('PUT'), patch), besidesFiles: bytesWithoutFiles },

    route('DELETE', ONE, 'back-end', deleteDoc, async call => cancelSchedule(context, scheduleRequest(call)))
  ]
}

/** Cuts the page at `maxBytes`, after at least one schedule. Each database group has kept to the limit only for itself. */
function firstBytes(schedules: readonly ListedSchedule[], maxBytes: number): readonly ListedSchedule[] {
  let bytes = 0
  const end = schedules.findIndex((schedule, i) => (bytes += schedule.bytes) > maxBytes && i > 0)
  return end < 0 ? schedules : schedules.slice(0, end)
}

function scheduleKey({ env, params }: Pick<BackEndCall, 'env' | 'params'>): ScheduleKey {
  const id = params['trackingId']!
  if (!isTrackingId(id)) throw scheduleNotFound(id)
  return { bucket: bucketOfId(id), envId: env.id, id: id.toLowerCase() }
}

/** The user is unknown before the row is read, so the idempotency key belongs to the bucket without a user. */
function scheduleRequest(call: BackEndCall) {
  const key = scheduleKey(call)
  return { claim: idempotencyKeyOf(call, '', key.bucket), key }
}

/** The answer about one schedule. `request` is the send as it is stored. */
function scheduleRecord(
  stored: Pick<StoredSchedule, 'body' | 'id' | 'userId'>
): Readonly<Record<string, unknown>> {
  const { notificationId, send, warnings } = scheduleBody(stored)
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
