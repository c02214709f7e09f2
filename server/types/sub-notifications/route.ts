// Sub-notifications over HTTP, for back ends: an id within a type, such as a project, with the title that users read.

import type { Db } from '../../db/db.ts'
import { parseInput } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { route, ok, type Route } from '../../http/route.ts'
import { typeNotFound } from '../route.ts'
import { subId } from '../type-id.ts'
import type { TypeStore } from '../type.ts'
import { deleteDoc, putDoc } from './doc.ts'
import { subBody } from './schema.ts'
import { deleteSub, putSub } from './sub-notifications.sql.ts'

const SUB = '/:clientId/notifications/:id/subNotifications/:subId'

export const subNotificationRoutes = (context: { readonly db: Db; readonly types: TypeStore }): Route[] => [
  route('PUT', SUB, 'back-end', putDoc, async ({ body, env, params }) => {
    const { notificationId, id } = parseIds(params)
    const { title } = parseInput(subBody, body)
    const result = await putSub(context.db, env.id, { id, notificationId, title })
    if (!result) throw typeNotFound(notificationId)
    context.types.forget(env.id)
    return {
      body: { notificationId, subNotificationId: id, title },
      status: result === 'created' ? 201 : 200
    }
  }),

  route('DELETE', SUB, 'back-end', deleteDoc, async ({ env, params }) => {
    const { notificationId, id } = parseIds(params)
    if (!(await deleteSub(context.db, env.id, { id, notificationId }))) {
      const type = await context.types.get(env.id, notificationId)
      if (!type) throw typeNotFound(notificationId)
      throw new Problem(
        'not-found',
        `The notification type ${JSON.stringify(notificationId)} has no sub-notification ${JSON.stringify(id)}.`
      )
    }
    context.types.forget(env.id)
    return ok({ notificationId, subNotificationId: id })
  })
]

function parseIds(params: Readonly<Record<string, string>>) {
  const id = params['subId']!
  if (subId.safeParse(id).success) return { id, notificationId: params['id']! }
  throw new Problem(
    'invalid-address',
    'Expected a sub-notification id of 1 to 255 characters without line breaks.'
  )
}
