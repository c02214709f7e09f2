// Preferences over HTTP: a back end sets all of them, a user reads the effective ones and changes some.

import type { UserKey } from '../../core/id.ts'
import { claimOf, once } from '../../http/idempotency.ts'
import { route, type Answer, type BackEndCall, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { keyOf, userOf } from '../user-key.ts'
import { matrixDoc, mergeDoc, removeDoc, replaceDoc } from './doc.ts'
import { changePreferences, type PreferenceChange } from './preferences.sql.ts'
import { readMatrix } from './read-matrix.ts'
import { MAX_PREFERENCES, readPreferences, readRemoval, tooMany } from './schema.ts'

type Needs = Pick<Context, 'db' | 'queues' | 'live' | 'types'>

async function change(
  { db, queues, live }: Needs,
  call: BackEndCall,
  user: UserKey,
  wanted: PreferenceChange,
  messages: readonly string[] = []
): Promise<Answer> {
  const answer = await once(db.of(user.bucket), claimOf(call, user.userId, user.bucket), async tx => {
    const count = await changePreferences(tx, user, wanted)
    if (wanted.kind !== 'remove' && count > MAX_PREFERENCES) throw tooMany(MAX_PREFERENCES)
    return { body: { count, messages }, status: 200 }
  })
  live.preferencesChanged(user)
  // A digest that waited for what is now wanted at once.
  queues.wake(['DIGEST'])
  return answer
}

const PREFERENCES = '/:clientId/users/:userId/preferences'

export const preferenceRoutes = (context: Needs): Route[] => [
  // Existing clients send no body for an empty list. Replaces all preferences of the user.
  route('POST', '/:clientId/user_preferences/:userId', 'back-end', replaceDoc, async call => {
    const { choices, messages } = readPreferences(call.body ?? [], MAX_PREFERENCES)
    return change(context, call, userOf(call), { choices, kind: 'replace' }, messages)
  }),

  route('GET', PREFERENCES, 'user', matrixDoc, async call => ({
    body: await readMatrix(context, call.env, keyOf(call)),
    status: 200
  })),

  // Merges: what is not named stays, `delivery: null` takes a choice back.
  route('POST', PREFERENCES, 'user', mergeDoc, async call => {
    const { choices, messages } = readPreferences(call.body, MAX_PREFERENCES)
    return change(context, call, keyOf(call), { choices, kind: 'merge' }, messages)
  }),

  route('DELETE', PREFERENCES, 'user', removeDoc, async call =>
    change(context, call, keyOf(call), { kind: 'remove', ...readRemoval(call.query, call.body) })
  )
]
