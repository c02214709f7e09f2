// A read whose signal aborts is cancelled in Postgres, and leaves its connection to others unharmed.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { uuidv7 } from '../../server/core/id.ts'
import { cancellableRead } from '../../server/db/cancellable-read.ts'
import { countSleeps, testDb } from '../support/db.ts'
import { until } from '../support/process.ts'

test('cancels the statement that runs when the signal aborts', async () => {
  await using t = await testDb()
  const [group] = t.db.groups
  const controller = new AbortController()
  await assert.rejects(
    cancellableRead(group!.searches, group!, controller.signal, async tx => {
      const sleeping = tx`select pg_sleep(60)`.execute()
      controller.abort()
      await sleeping
    }),
    { code: '57014', message: 'canceling statement due to user request' }
  )
})

test('cancels every later statement, and none of the next read on this connection', async () => {
  await using t = await testDb()
  const [group] = t.db.groups
  let statementCount = 0
  await assert.rejects(
    cancellableRead(group!.searches, group!, AbortSignal.abort(), async tx => {
      for (; ; statementCount++) await tx`select pg_sleep(0.02)`
    }),
    { message: 'canceling statement due to user request' }
  )
  for (let i = 0; i < 20; i++) {
    await cancellableRead(group!.searches, group!, new AbortController().signal, async tx => {
      assert.equal((await tx`select pg_sleep(0.005)`).length, 1)
    })
  }
})

test('ends the statement where the rows are, which may be another node of a cluster', async () => {
  await using t = await testDb()
  const { control } = t.db
  const group = t.db.of(1)
  await control`
    insert into sends (bucket, id, env_id, user_id, notification_id, body) values (1, ${uuidv7(64)}, 'e', 'u', 'n', '{}')`
  const controller = new AbortController()
  const reading = assert.rejects(
    cancellableRead(group.searches, group, controller.signal, async tx => {
      await tx`select pg_sleep(60) from sends where bucket = 1`
    }),
    { code: '57014', message: 'canceling statement due to user request' }
  )
  await until(async () => (await countSleeps(control)) === 1, 'the statement runs')
  controller.abort()
  await reading
  await until(async () => (await countSleeps(control)) === 0, 'no node executes it')
})
