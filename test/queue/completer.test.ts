// Writes of results: while one waits in the database, a second one begins if enough results are there.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { placementHash, uuidv7 } from '../../server/core/id.ts'
import { createLog } from '../../server/core/log.ts'
import { Completer } from '../../server/queue/completer.ts'
import type { AttemptResult } from '../../server/queue/finish.sql.ts'
import { claim, type ClaimedRow } from '../../server/queue/outbox.sql.ts'
import { isLockAwaited, testDb } from '../support/db.ts'
import { until } from '../support/process.ts'
import { ENV, newRow, onlyGroup, put, readAttempts, RECORDS, waitingIn } from './test-queue.ts'

const resultOf = (row: ClaimedRow): AttemptResult => ({
  attemptId: uuidv7(placementHash(ENV, row.userId)),
  durationMs: 1,
  outcome: 'sent',
  queue: 'EMAIL',
  row
})

test('many results are written while an earlier write waits, few wait with it, and none is lost', async () => {
  await using t = await testDb()
  const group = onlyGroup(t.db)
  await put(
    t.db,
    Array.from({ length: 200 }, (_, n) => newRow(`u${n}`))
  )
  const rows = await claim(group, { leaseMs: 60_000, limit: 200, minRunAt: new Date(0), queue: 'EMAIL' })
  const [first, few, many] = [rows.slice(0, 10), rows.slice(10, 40), rows.slice(40)]
  const completed: number[] = []
  const completer = new Completer(group, {
    finishParts: RECORDS.finishParts,
    log: createLog('silent'),
    onCompleted: batch => completed.push(batch.rows.length)
  })
  const add = (some: readonly ClaimedRow[]): void => {
    for (const [n, row] of some.entries()) completer.add(resultOf(row), n === some.length - 1)
  }
  const holder = await t.db.control.reserve()
  await holder`begin`
  await holder`select from outbox where id = ${first[0]!.id} for update`
  add(first)
  await until(() => isLockAwaited(t.db.control), 'the first write waits for the row')
  add(few)
  assert.deepEqual(completed, [])
  add(many)
  await until(() => completed.length > 0, 'the second write is done')
  assert.deepEqual(completed, [few.length + many.length])
  await holder`rollback`
  holder.release()
  await completer.flush()
  assert.deepEqual(completed, [few.length + many.length, first.length])
  assert.equal((await waitingIn(t.db)).length, 0)
  assert.equal((await readAttempts(t.db)).length, rows.length)
})
