// Preferences over HTTP: back ends replace all of them; users read the effective ones and change some.

import type { Channel } from '#protocol'

import type { UserKey } from '../../core/id.ts'
import { idempotencyKeyOf, runOnce } from '../../http/idempotency.ts'
import { invalidFields } from '../../http/parse-input.ts'
import { ok, route, type Answer, type BackEndCall, type Route, type UserCall } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { userKeyOfCall, parseUserKey } from '../user-key.ts'
import { viewSettings } from './delivery-settings.ts'
import { matrixDoc, mergeDoc, removeDoc, replaceDoc, settingsDoc } from './doc.ts'
import { changePreferences, type PreferenceChange } from './preferences.sql.ts'
import { readPreferences } from './read-matrix.ts'
import { isLocked } from './resolve.ts'
import {
  MAX_PREFERENCES,
  parsePreferences,
  parseRemoval,
  tooManyPreferences,
  type ParsedPreferences
} from './schema.ts'
import { applySettingsPatch, parseSettingsPatch, rejectBlocked } from './settings-patch.ts'
import { changeSettings } from './settings.sql.ts'

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
      const by = call.actor === 'user' ? 'user' : 'back-end'
      const count = await changePreferences(tx, user, preferenceChange, by)
      if (preferenceChange.kind !== 'remove' && count > MAX_PREFERENCES) throw tooManyPreferences()
      return ok({ count, messages })
    }
  )
  live.preferencesChanged(user)
  // A digest may be due now.
  queues.wake(['DIGEST'])
  return answer
}

/** @throws Problem for each choice about a channel that its type locks */
async function rejectLocked(
  { types }: Dependencies,
  envId: string,
  { choices, pointers }: ParsedPreferences
): Promise<void> {
  const faults = await Promise.all(
    choices.map(async ({ channel, delivery, notificationId }, i) => {
      const isSet = channel !== '' && delivery !== null
      const type = isSet ? await types.get(envId, notificationId) : undefined
      if (!isSet || !type || !isLocked(type, channel)) return []
      return {
        detail: 'The type locks this channel: users cannot change it.',
        pointer: `${pointers[i]!}/channel`
      }
    })
  )
  if (faults.flat().length > 0) throw invalidFields(faults.flat())
}

async function patchSettings(context: Dependencies, call: UserCall): Promise<Answer> {
  const { clock, config, db, live, queues } = context
  const user = userKeyOfCall(call)
  const now = clock()
  const patch = parseSettingsPatch(call.body, now)
  const key = idempotencyKeyOf(call, user.userId, user.bucket)
  const answer = await runOnce(db.of(user.bucket), key, async tx => {
    let blocked: readonly Channel[] = []
    const { settings, timezone } = await changeSettings(tx, user, (before, stopped) => {
      blocked = stopped
      rejectBlocked(patch.channels, blocked)
      return applySettingsPatch(before, patch)
    })
    const zone = timezone ?? call.env.settings.defaultTimezone ?? config.timezone
    const channels = Object.keys(patch.channels ?? {}) as Channel[]
    return ok(viewSettings({ blocked, channels, now, settings, zone }))
  })
  live.preferencesChanged(user)
  queues.wake(['DIGEST', 'HELD'])
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
    const parsed = parsePreferences(call.body)
    await rejectLocked(context, call.env.id, parsed)
    const { choices, messages } = parsed
    return change(context, call, userKeyOfCall(call), { choices, kind: 'merge' }, messages)
  }),

  route('PATCH', PREFERENCES, 'user', settingsDoc, async call => patchSettings(context, call)),

  route('DELETE', PREFERENCES, 'user', removeDoc, async call =>
    change(context, call, userKeyOfCall(call), { kind: 'remove', ...parseRemoval(call.query, call.body) })
  )
]
