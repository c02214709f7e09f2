// The key of the user that a call is about.

import { bucketOf, isUserId, USER_ID_LIMIT, type UserKey } from '../core/id.ts'
import { Problem } from '../http/problem.ts'
import type { BackEndCall, UserCall } from '../http/route.ts'

/** For a route of access level `user`, whose user id is already parsed. */
export const userKeyOfCall = ({ bucket, env, userId }: UserCall): UserKey => ({
  bucket,
  envId: env.id,
  userId
})

/** For a route that only back ends may call. @throws Problem `invalid-address` */
export function parseUserKey({ env, params }: Pick<BackEndCall, 'env' | 'params'>): UserKey {
  const userId = params['userId']!
  if (!isUserId(userId)) {
    throw new Problem('invalid-address', `A user id has 1 to ${USER_ID_LIMIT} characters.`)
  }
  return { bucket: bucketOf(env.id, userId), envId: env.id, userId }
}
