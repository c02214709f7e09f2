// Preferences over HTTP: back ends replace all of them; users read the effective ones and change some.

import type { UserKey } from '../../core/id.ts'
import { idempotencyKeyOf, runOnce } from '../../http/idempotency.ts'
import { ok, route, type Answer, type BackEndCall, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { userKeyOfCall, parseUserKey } from '../user-key.ts'
import { matrixDoc, mergeDoc, removeDoc, replaceDoc } from './doc.ts'
import { changePreferences, type PreferenceChange } from './preferences.sql.ts'
import { readPreferences } from './read-matrix.ts'
import { MAX_PREFERENCES, parsePreferences, parseRemoval, tooManyPreferences } from './schema.ts'

type Dependencies = Pick<Context, 'clock' | 'config' | 'db' | 'queues' | 'live' | 'types'>

async function change(
  { db, queues, live }: Dependencies,
  call: BackEndCall,
  user: UserKey,
  preferenceChange: PreferenceChange,
  messages: readonly string[] = []
): Promise<Answer> {
  const answer = await runOnce(
    db.of(user.bucket),
    idempotencyKeyOf(call, user.userId, user.bucket),
    async tx => {
      const count = await changePreferences(tx, user, preferenceChange)
      if (preferenceChange.kind !== 'remove' && count > MAX_PREFERENCES) throw tooManyPreferences()
      return ok({ count, messages })
    }
  )
  live.preferencesChanged(user)
  // A digest may be due now.
  queues.wake(['DIGEST'])
  return answer
}

const PREFERENCES = '/:clientId/users/:userId/preferences'

export const preferenceRoutes = (context: Dependencies): Route[] => [
  // Replaces all preferences of the user. Legacy SDKs send no body for an empty list.
  route('POST', '/:clientId/user_preferences/:userId', 'back-end', replaceDoc, async call => {
    const { choices, messages } = parsePreferences(call.body ?? [])
    return change(context, call, parseUserKey(call), { choices, kind: 'replace' }, messages)
  }),

  route('GET', PREFERENCES, 'user', matrixDoc, async call =>
    ok(await readPreferences(context, call.env, userKeyOfCall(call)))
  ),

  // Keeps all preferences that the body does not name; `delivery: null` deletes one.
  route('POST', PREFERENCES, 'user', mergeDoc, async call => {
    const { choices, messages } = parsePreferences(call.body)
    return change(context, call, userKeyOfCall(call), { choices, kind: 'merge' }, messages)
  }),

  route('DELETE', PREFERENCES, 'user', removeDoc, async call =>
    change(context, call, userKeyOfCall(call), { kind: 'remove', ...parseRemoval(call.query, call.body) })
  )
]
