// The user of an address that only back ends may call.

import { Problem } from '../http/problem.ts'
import type { BackEndCall } from '../http/route.ts'
import { bucketOf, isUserId, USER_ID_LIMIT, type UserKey } from '../id.ts'

/** @throws Problem `invalid-address` */
export function userOf({ env, params }: Pick<BackEndCall, 'env' | 'params'>): UserKey {
  const userId = params['userId']!
  if (!isUserId(userId)) {
    throw new Problem('invalid-address', `A user id has 1 to ${USER_ID_LIMIT} characters.`)
  }
  return { bucket: bucketOf(env.id, userId), envId: env.id, userId }
}
