// The statements of the queue: claims, fencing, attempts in the log, dead letters and redrives.

import assert from 'node:assert/strict'
import { before, after, beforeEach, describe, test } from 'node:test'

import { placementHash, uuidv7 } from '../../server/core/id.ts'
import type { DatabaseGroup, Json } from '../../server/db/db.ts'
import { logLostAttempts } from '../../server/logs/attempt-log.sql.ts'
import { redrive } from '../../server/queue/dead-letters/dead-letters.sql.ts'
import { finish, type AttemptResult } from '../../server/queue/finish.sql.ts'
import {
  claim,
  returnToQueue,
  readNextDueMs,
  readQueueDepths,
  readDueEnvironments,
  removeClaimed,
  type ClaimedRow,
  type NewOutboxRow
} from '../../server/queue/outbox.sql.ts'
import { isLockAwaited, testDb, type TestDb } from '../support/db.ts'
import { until } from '../support/process.ts'
import {
  readAttempts,
  deadIn,
  ENV,
  onlyGroup,
  newRow,
  passTime,
  put,
  RECORDS,
  waitingIn
} from './test-queue.ts'

describe('outbox', () => {
  let t: TestDb
  before(async () => {
    t = await testDb()
  })
  after(() => t[Symbol.asyncDispose]())
  beforeEach(
    () => onlyGroup(t.db).sql`truncate outbox, attempts, dead_letters, attachments, attachment_parts`
  )

  const claimAll = (limit = 100, leaseMs = 60_000, minRunAt = new Date(0)): Promise<ClaimedRow[]> =>
    claim(onlyGroup(t.db), { queue: 'EMAIL', leaseMs, limit, minRunAt })
  const finishAttempts = (group: DatabaseGroup, results: readonly AttemptResult[]): Promise<Set<string>> =>
    finish(group, results, RECORDS.finishParts)
  const ending = (row: ClaimedRow, over: Partial<AttemptResult> = {}): AttemptResult => ({
    attemptId: uuidv7(placementHash(ENV, row.userId)),
    queue: 'EMAIL',
    outcome: 'sent',
    row,
    durationMs: 1,
    ...over
  })

  test('returns a body unchanged', async () => {
    const body: Json = {
      text: 'a "quoted" \\ back, {brace}, NULL, \n, ü, 🚢, \u2028',
      to: 'x',
      n: [1, null, { a: true }]
    }
    await put(t.db, [newRow('u1', body), newRow('u2', 'NULL'), newRow('{}', [])])
    const rows = await claimAll()
    assert.deepEqual(
      rows.map(row => [row.userId, row.body]).sort(),
      [
        ['u1', body],
        ['u2', 'NULL'],
        ['{}', []]
      ].sort()
    )
  })

  test('claims at most the limit, oldest first, and no row twice', async () => {
    const rows = Array.from({ length: 50 }, (_, n) => ({
      ...newRow(`u${n}`),
      runAt: new Date(Date.now() - 60_000 + n)
    }))
    await put(t.db, rows.toReversed())
    const [first, second, third] = await Promise.all([claimAll(20), claimAll(20), claimAll(20)])
    const ids = [...first!, ...second!, ...third!].map(row => row.id)
    assert.equal(ids.length, 50)
    assert.equal(new Set(ids).size, 50)
    assert.ok([first, second, third].every(one => one!.length <= 20))
    assert.equal((await claimAll()).length, 0)
    await onlyGroup(t.db).sql`truncate outbox`
    await put(t.db, rows.toReversed())
    const oldest = await claimAll(5)
    assert.deepEqual(oldest.map(row => row.userId).sort(), ['u0', 'u1', 'u2', 'u3', 'u4'])
  })

  test('claims the oldest rows first with every query plan', async () => {
    const rows = Array.from({ length: 9 }, (_, n) => ({
      ...newRow(`u${n}`),
      runAt: new Date(Date.now() - 60_000 + n * 1000)
    }))
    await put(t.db, rows.toReversed())
    await onlyGroup(t.db).sql.begin(async tx => {
      await tx`set local enable_seqscan = on`
      await tx`set local enable_indexscan = off`
      await tx`set local enable_bitmapscan = off`
      const unsorted = { buckets: null, sql: tx, work: tx } as unknown as DatabaseGroup
      const due = await readNextDueMs(unsorted, 'EMAIL', new Date(0))
      assert.ok(due! < -59_000, String(due))
      const oldest = await claim(unsorted, { queue: 'EMAIL', leaseMs: 1000, limit: 3, minRunAt: new Date(0) })
      assert.deepEqual(oldest.map(row => row.userId).sort(), ['u0', 'u1', 'u2'])
    })
  })

  test('skips a row that another transaction has locked', { timeout: 20_000 }, async () => {
    await put(t.db, [newRow('locked'), newRow('free')])
    await t.db.control.begin(async tx => {
      await tx`select 1 from outbox where user_id = 'locked' for update`
      assert.deepEqual(
        (await claimAll()).map(row => row.userId),
        ['free']
      )
    })
  })

  test('accepts more claims of a row than its claim count can represent', async () => {
    await put(t.db, [newRow('u')])
    await onlyGroup(t.db).sql`update outbox set claim_count = 32767`
    const [row] = await claimAll()
    assert.equal(row!.claimCount, 1)
  })

  test('lists the environments with due rows, the longest waiting first', async () => {
    const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000)
    await put(t.db, [
      { ...newRow('u'), envId: 'newer', runAt: ago(50) },
      { ...newRow('u'), envId: 'older', runAt: ago(60) },
      { ...newRow('u'), envId: 'newer', runAt: ago(10) },
      { ...newRow('u'), envId: 'older', runAt: ago(-60) },
      { ...newRow('u'), envId: 'tomorrow', runAt: ago(-86_400) },
      { ...newRow('u'), envId: 'elsewhere', queue: 'SMS', runAt: ago(60) }
    ])
    const waiting = await readDueEnvironments(onlyGroup(t.db), 'EMAIL', new Date(0))
    assert.deepEqual(
      waiting.map(({ envId, maxRunAt, minRunAt }) => [
        envId,
        Math.round((maxRunAt.getTime() - minRunAt.getTime()) / 1000)
      ]),
      [
        ['older', 0],
        ['newer', 40]
      ]
    )
  })

  test('does not claim a row before its time, and returns the time until then', async () => {
    await put(t.db, [{ ...newRow('u'), runAt: new Date(Date.now() + 86_400_000) }])
    assert.equal((await claimAll()).length, 0)
    const due = await readNextDueMs(onlyGroup(t.db), 'EMAIL', new Date(0))
    assert.ok(due! > 86_390_000 && due! <= 86_400_000, String(due))
    assert.equal(await readNextDueMs(onlyGroup(t.db), 'SMS', new Date(0)), undefined)
  })

  test('reads no rows below the scan floor', async () => {
    await put(t.db, [
      { ...newRow('old'), runAt: new Date(Date.now() - 60_000) },
      { ...newRow('new'), runAt: new Date(Date.now() - 1000) }
    ])
    const low = new Date(Date.now() - 30_000)
    assert.deepEqual(
      (await claimAll(10, 60_000, low)).map(row => row.userId),
      ['new']
    )
    assert.deepEqual(
      (await claimAll(10)).map(row => row.userId),
      ['old']
    )
  })

  test('deletes a sent row, reschedules a retried one, and returns the attempt of a paused one', async () => {
    await put(t.db, [newRow('sent'), newRow('retry'), newRow('pause')])
    const byUser = Object.fromEntries((await claimAll()).map(row => [row.userId, row]))
    const ours = await finishAttempts(onlyGroup(t.db), [
      ending(byUser['sent']!),
      ending(byUser['retry']!, { retryInMs: 5000, code: '450', outcome: 'retry' }),
      ending(byUser['pause']!, {
        retryInMs: 7000,
        code: 'ESOCKET',
        outcome: 'pause',
        isAttemptReturned: true
      })
    ])
    assert.equal(ours.size, 3)
    const left = await waitingIn(t.db)
    assert.deepEqual(
      left.map(row => [row.attempts_left, row.leased]),
      [
        [7, false],
        [8, false]
      ]
    )
    assert.ok(Math.abs(left[0]!.due_in - 5) < 1 && Math.abs(left[1]!.due_in - 7) < 1)
    assert.deepEqual(
      (await readAttempts(t.db)).map(one => [one.user_id, one.outcome, one.claim_count, one.code]),
      [
        ['sent', 'sent', 1, null],
        ['retry', 'retry', 1, '450'],
        ['pause', 'pause', 1, 'ESOCKET']
      ]
    )
  })

  test('ignores the result of a claim that was lost, and does not log it', async () => {
    await put(t.db, [newRow('u')])
    const [zombie] = await claimAll(1, 1000)
    await passTime(t.db, 2)
    const [owner] = await claimAll(1)
    assert.equal(owner!.claimCount, 2)
    assert.equal(owner!.isPreviousLost, true)
    assert.equal((await finishAttempts(onlyGroup(t.db), [ending(zombie!)])).size, 0)
    assert.equal((await finishAttempts(onlyGroup(t.db), [ending(zombie!, { retryInMs: 5000 })])).size, 0)
    assert.equal((await returnToQueue(onlyGroup(t.db), [zombie!])).size, 0)
    assert.equal(
      (await onlyGroup(t.db).sql.begin(tx => removeClaimed(tx, onlyGroup(t.db), [zombie!]))).size,
      0
    )
    assert.equal((await readAttempts(t.db)).length, 0)
    const both = await finishAttempts(onlyGroup(t.db), [ending(zombie!), ending(owner!)])
    assert.deepEqual([...both], [`${owner!.id}:2`])
    assert.deepEqual(
      (await readAttempts(t.db)).map(one => one.claim_count),
      [2]
    )
  })

  test('keeps the place and the attempt of a row that is returned to the queue', async () => {
    await put(t.db, [newRow('first')])
    await passTime(t.db, 60)
    await put(t.db, [newRow('second')])
    const [row] = await claimAll(1)
    assert.equal((await returnToQueue(onlyGroup(t.db), [row!])).size, 1)
    const [again] = await claimAll(1)
    assert.deepEqual(
      [again!.userId, again!.attemptsLeft, again!.isPreviousLost],
      ['first', row!.attemptsLeft, false]
    )
  })

  test('stores dead letters with their body, and can redrive them', async () => {
    const body = { notificationId: 'n', text: 'Grüße "x"', to: 'a@b.test' }
    await put(t.db, [{ ...newRow('u', body), key: 'once' }])
    const [row] = await claimAll()
    await finishAttempts(onlyGroup(t.db), [
      ending(row!, { isDeadLetter: true, code: '550', detail: 'No such\0 user \ud800 here', outcome: 'dead' })
    ])
    const [letter] = await deadIn(t.db)
    assert.deepEqual(letter, { body, code: '550', detail: 'No such user \ufffd here', id: row!.id })
    const again = (envId: string) =>
      onlyGroup(t.db).sql.begin(tx => redrive(tx, onlyGroup(t.db), { envId, ids: [row!.id] }, 10))
    assert.equal((await again('another')).length, 0)
    assert.deepEqual([...(await again(ENV))], [{ id: row!.id, queue: 'EMAIL' }])
    assert.equal((await deadIn(t.db)).length, 0)
    const [revived] = await claimAll()
    assert.deepEqual(
      [revived!.id, revived!.attemptsLeft, revived!.claimCount, revived!.key],
      [row!.id, 7, 2, 'once']
    )
    // The worker reads the address again.
    assert.deepEqual(revived!.body, { ...body, isRedriven: true })
  })

  test('gives a forwarded row all its attempts in the other queue', async () => {
    await put(t.db, [newRow('u')])
    const [row] = await claimAll()
    await finishAttempts(onlyGroup(t.db), [
      ending(row!, { retryInMs: 0, forwardTo: 'SMS', outcome: 'forwarded' })
    ])
    assert.equal((await claimAll()).length, 0)
    const [again] = await claim(onlyGroup(t.db), {
      queue: 'SMS',
      leaseMs: 1000,
      limit: 1,
      minRunAt: new Date(0)
    })
    assert.deepEqual([again!.id, again!.attemptsLeft, again!.isPreviousLost], [row!.id, 7, false])
  })

  test('deletes fetched files with their email, and not with other rows or for a dead letter', async () => {
    const { sql } = onlyGroup(t.db)
    const mail = newRow('u', { files: [], notificationId: 'n', to: 'a@b.test' })
    const text = { ...newRow('u'), sendId: mail.sendId! }
    const other = newRow('u', mail.body)
    const dead = newRow('u', mail.body)
    await put(t.db, [mail, text, other, dead])
    const owners = [mail, other, dead].map(({ sendId }) => sendId!)
    for (const sendId of owners) {
      await sql`insert into attachments (bucket, send_id, key, env_id, user_id, fetch_id, bytes)
        values (${mail.bucket}, ${sendId}, 'k', ${ENV}, 'u', ${sendId}, 1)`
      await sql`insert into attachment_parts (bucket, send_id, fetch_id, part, env_id, user_id, content)
        values (${mail.bucket}, ${sendId}, ${sendId}, 0, ${ENV}, 'u', 'x')`
    }
    const claimed = await claimAll()
    const end = ({ id }: NewOutboxRow, over?: Partial<AttemptResult>) =>
      finishAttempts(onlyGroup(t.db), [
        ending(
          claimed.find(row => row.id === id)!,
          over
        )
      ])
    const readFiles = async (): Promise<unknown[][]> => {
      const whole = await sql`select send_id from attachments order by send_id`.values()
      assert.deepEqual(await sql`select send_id from attachment_parts order by send_id`.values(), whole)
      return [...whole]
    }
    await end(text)
    await end(dead, { isDeadLetter: true, code: '550', outcome: 'dead' })
    assert.equal((await readFiles()).length, 3)
    await end(mail)
    assert.deepEqual(
      await readFiles(),
      owners
        .slice(1)
        .toSorted()
        .map(id => [id])
    )
  })

  test('does not log a lost attempt of a user who is being erased', { timeout: 20_000 }, async () => {
    await put(t.db, [newRow('u'), newRow('gone')])
    await claimAll(10, 1000)
    await passTime(t.db, 2)
    const claimed = await claimAll()
    const { sql } = onlyGroup(t.db)
    await sql`delete from outbox where user_id = 'gone'`
    const { logging } = await t.db.control.begin(async tx => {
      await tx`delete from outbox where user_id = 'u'`
      let over = false
      const logging = logLostAttempts(onlyGroup(t.db), 'EMAIL', claimed, Date.now()).then(() => (over = true))
      await until(async () => over || (await isLockAwaited(t.db.control)), 'it waits for the erasure')
      return { logging }
    })
    await logging
    assert.deepEqual([...(await readAttempts(t.db))], [])
  })

  test('accepts only one waiting row per key', async () => {
    await put(t.db, [{ ...newRow('u'), key: 'k' }])
    // By its message, because Citus gives the errors of some inserts on a worker no code of their own.
    await assert.rejects(put(t.db, [{ ...newRow('u'), key: 'k' }]), /violates unique constraint "outbox_key/)
  })

  test('claims only the rows of the buckets of a database group', async () => {
    const rows = Array.from({ length: 40 }, (_, n) => newRow(`u${n}`))
    await put(t.db, rows)
    const some = { ...onlyGroup(t.db), buckets: [rows[0]!.bucket, rows[1]!.bucket] }
    const claimed = await claim(some, { queue: 'EMAIL', leaseMs: 1000, limit: 100, minRunAt: new Date(0) })
    assert.ok(claimed.length > 0 && claimed.every(row => some.buckets.includes(row.bucket)))
    assert.equal(
      (
        await finishAttempts(
          some,
          claimed.map(row => ending(row))
        )
      ).size,
      claimed.length
    )
    assert.equal((await waitingIn(t.db)).length, 40 - claimed.length)
  })

  test('returns depth and age of each queue', async () => {
    await put(t.db, [
      { ...newRow('a'), runAt: new Date(Date.now() - 30_000) },
      { ...newRow('b'), runAt: new Date(Date.now() + 30_000) },
      { ...newRow('c'), queue: 'SCHEDULE', runAt: new Date(Date.now() + 30_000) }
    ])
    const byQueue = Object.fromEntries(
      (await readQueueDepths(t.db.control, onlyGroup(t.db))).map(one => [one.queue, one])
    )
    assert.equal(byQueue['EMAIL']!.rowCount, 2)
    assert.ok(byQueue['EMAIL']!.oldestSeconds >= 29 && byQueue['EMAIL']!.oldestSeconds < 40)
    assert.equal(byQueue['SCHEDULE']!.oldestSeconds, 0)
  })
})
