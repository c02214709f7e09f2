// The user whom a call is about, as all that belongs to them is found.

import { bucketOf, isUserId, USER_ID_LIMIT, type UserKey } from '../core/id.ts'
import { Problem } from '../http/problem.ts'
import type { BackEndCall, UserCall } from '../http/route.ts'

/** Of an address that users may call, too: the door has read it. */
export const keyOf = ({ bucket, env, userId }: UserCall): UserKey => ({ bucket, envId: env.id, userId })

/** Of one that only back ends may call. @throws Problem `invalid-address` */
export function userOf({ env, params }: Pick<BackEndCall, 'env' | 'params'>): UserKey {
  const userId = params['userId']!
  if (!isUserId(userId)) {
    throw new Problem('invalid-address', `A user id has 1 to ${USER_ID_LIMIT} characters.`)
  }
  return { bucket: bucketOf(env.id, userId), envId: env.id, userId }
}
