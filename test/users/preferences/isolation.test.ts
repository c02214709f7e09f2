// Preferences and received topics of one user do not affect other users, also if only one id differs.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { UserKey } from '../../../server/core/id.ts'
import {
  changePreferences,
  readPreferencesAndTopics,
  insertReceivedTopics,
  type PreferenceChange
} from '../../../server/users/preferences/preferences.sql.ts'
import { testDb } from '../../support/db.ts'

const OWN: UserKey = { bucket: 7, envId: 'e', userId: 'a' }
const NEIGHBOURS: readonly UserKey[] = [
  { ...OWN, userId: 'b' },
  { ...OWN, envId: 'f' }
]

const about = (notificationId: string, delivery: 'off' | null = 'off') =>
  ({ channel: '', delivery, notificationId, subNotificationId: '' }) as const
const BOTH = [about('comment'), about('news')]

test('keeps the data of other users of the bucket, whatever one user changes', async () => {
  await using t = await testDb()
  const { sql } = t.db.of(OWN.bucket)
  const change = (user: UserKey, wanted: PreferenceChange) =>
    sql.begin(tx => changePreferences(tx, user, wanted))
  for (const [i, user] of [OWN, ...NEIGHBOURS].entries()) {
    assert.equal(await change(user, { choices: BOTH, kind: 'merge' }), 2)
    await insertReceivedTopics(sql, [{ ...user, notificationId: `of ${i}`, subNotificationId: '' }])
  }
  const changes: readonly (readonly [PreferenceChange, number])[] = [
    [{ choices: [about('comment', null)], kind: 'merge' }, 1],
    [{ kind: 'remove', notificationId: 'news' }, 0],
    [{ choices: BOTH, kind: 'merge' }, 2],
    [{ choices: [], kind: 'replace' }, 0]
  ]
  for (const [wanted, left] of changes) {
    assert.equal(await change(OWN, wanted), left)
    for (const [i, user] of [OWN, ...NEIGHBOURS].entries()) {
      const { preferences, received } = await readPreferencesAndTopics(sql, user)
      assert.equal(preferences.length, user === OWN ? left : 2)
      assert.deepEqual([...received], [{ notificationId: `of ${i}`, subNotificationId: '' }])
    }
  }
})
