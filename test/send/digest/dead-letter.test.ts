// The items of a digest are deleted with the dead letter of its row, and not before.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { runDueTasks } from '../../../server/admin/housekeeping.ts'
import { bucketOf } from '../../../server/core/id.ts'
import { createLog } from '../../../server/core/log.ts'
import { changePreferences } from '../../../server/users/preferences/preferences.sql.ts'
import { digests, ENV, MAIL } from './digest-server.ts'

test('items stay while their digest row waits or can be redriven, and are deleted with its dead letter', async () => {
  await using t = await digests()
  const user = { bucket: bucketOf(ENV, 'u1'), envId: ENV, userId: 'u1' }
  for (const type of ['waits', 'dead', 'expired']) {
    const choices = [{ channel: '', delivery: 'daily', notificationId: type, subNotificationId: '' }] as const
    await t.db.of(user.bucket).sql.begin(tx => changePreferences(tx, user, { choices, kind: 'merge' }))
    const { status } = await t.send({ ...MAIL, type })
    assert.equal(status, 200)
  }
  const { control } = t.db
  const dies = (type: string, days: number) => control`
    with head as (delete from outbox where queue = 'DIGEST' and body ->> 'notificationId' = ${type} returning *)
    insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, key, body, code, died_at)
    select bucket, uuid_at(now() - ${days} * interval '1 day'), queue, claim_count, env_id, user_id, key, body, 'crash',
      now() - ${days} * interval '1 day' from head`
  await dies('dead', 1)
  await dies('expired', 40)
  const waiting = async (): Promise<string[]> => {
    const rows = await control<
      { type: string }[]
    >`select notification_id as type from digest_items order by 1`
    return rows.map(({ type }) => type)
  }
  assert.deepEqual(await waiting(), ['dead', 'expired', 'waits'])
  const done = await runDueTasks({
    config: { retentionDays: 30 },
    db: t.db,
    log: createLog('silent')
  })
  assert.ok(done.includes('dead-letters'))
  assert.deepEqual(await waiting(), ['dead', 'waits'])
})
