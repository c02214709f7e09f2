// The worker: nothing is lost or delivered twice, pauses use no attempts, crashing payloads end, a stop returns rows to the queue.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, beforeEach, describe, test } from 'node:test'

import { placementHashInId, uuidv7 } from '../../server/core/id.ts'
import { createLog } from '../../server/core/log.ts'
import { Completer } from '../../server/queue/completer.ts'
import type { AttemptResult } from '../../server/queue/finish.sql.ts'
import { claim, removeClaimed, type ClaimedRow } from '../../server/queue/outbox.sql.ts'
import type { Outcome } from '../../server/queue/outcome.ts'
import { openTestDb, testDb, type TestDb } from '../support/db.ts'
import { random } from '../support/random.ts'
import {
  readAttempts,
  deadIn,
  deliver,
  onlyGroup,
  openTestQueues,
  newRow,
  passTime,
  put,
  signal,
  waitingIn,
  RECORDS
} from './test-queue.ts'

const SENT: Outcome = { kind: 'sent', ref: 'ok' }

describe('queue', { timeout: 60_000 }, () => {
  let t: TestDb
  before(async () => {
    t = await testDb()
  })
  after(() => t[Symbol.asyncDispose]())
  beforeEach(async () => {
    const { sql } = onlyGroup(t.db)
    await Promise.all([sql`delete from outbox`, sql`delete from attempts`, sql`delete from dead_letters`])
  })

  test('delivers rows from before the start and rows that a hint announces, each once', async () => {
    const got: string[] = []
    await using queues = openTestQueues(t.db, { pollMs: 10_000 })
    queues.add(
      deliver(async row => {
        got.push(row.userId)
        return SENT
      })
    )
    await put(t.db, [newRow('before')])
    queues.start()
    await queues.idle('EMAIL')
    await put(t.db, [newRow('after')])
    queues.wake(['EMAIL'])
    await queues.idle('EMAIL')
    assert.deepEqual(got, ['before', 'after'])
    assert.deepEqual(
      (await readAttempts(t.db)).map(one => one.outcome),
      ['sent', 'sent']
    )
    assert.equal((await waitingIn(t.db)).length, 0)
  })

  test('finds a row of another node without a hint, and a scheduled row in time', async () => {
    const got = signal<number>()
    const due = Date.now() + 400
    await using queues = openTestQueues(t.db, { pollMs: 200 })
    queues.add(
      deliver(async () => {
        got.resolve(Date.now())
        return SENT
      })
    )
    queues.start()
    await queues.idle('EMAIL')
    await put(t.db, [{ ...newRow('u'), runAt: new Date(due) }])
    const lateMs = (await got.promise) - due
    assert.ok(lateMs >= -5, `${-lateMs} ms before its time`)
  })

  test('delivers every row once with 8 writers and 3 workers', async () => {
    const dice = random()
    const got = new Map<string, number>()
    const others = [
      await openTestDb({ connections: 4, listenUrl: t.url, url: t.url }),
      await openTestDb({ connections: 4, listenUrl: t.url, url: t.url })
    ]
    const loops = [t.db, ...others].map(db => {
      const queues = openTestQueues(db)
      queues.add(
        deliver(async row => {
          got.set(row.id, (got.get(row.id) ?? 0) + 1)
          if (dice(4) === 0) await new Promise(resolve => setImmediate(resolve))
          return SENT
        })
      )
      queues.start()
      return queues
    })
    try {
      await Promise.all(
        Array.from({ length: 8 }, async (_, writer) => {
          for (let n = 0; n < 25; n++) {
            await put(
              t.db,
              Array.from({ length: 1 + dice(8) }, (_, i) => newRow(`w${writer}-${n}-${i}`))
            )
            loops[dice(3)]!.wake(['EMAIL'])
          }
        })
      )
      for (const queues of loops) await queues.idle('EMAIL')
      for (const queues of loops) await queues.stop(5000)
      assert.equal((await waitingIn(t.db)).length, 0, `seed ${dice.seed}`)
      const attempts = await readAttempts(t.db)
      assert.equal(attempts.length, got.size)
      assert.ok(
        [...got.values()].every(times => times === 1),
        `seed ${dice.seed}`
      )
    } finally {
      for (const queues of loops) await queues.stop(0)
      for (const db of others) await db.close()
    }
  })

  test('delivers a row again after a crash between claim and result, and logs the lost attempt', async () => {
    const { sendId: _, ...ahead } = newRow('of no send')
    await put(t.db, [newRow('u')])
    await put(t.db, [ahead])
    await claim(onlyGroup(t.db), { queue: 'EMAIL', leaseMs: 20_000, limit: 10, minRunAt: new Date(0) })
    await using queues = openTestQueues(t.db)
    queues.add(deliver(async () => SENT))
    queues.start()
    await queues.idle('EMAIL')
    assert.equal((await waitingIn(t.db)).length, 2, 'the lease holds')
    await passTime(t.db, 21)
    await queues.idle('EMAIL')
    assert.deepEqual(
      (await readAttempts(t.db)).map(one => [one.outcome, one.claim_count]),
      [
        ['lost', 1],
        ['sent', 2]
      ]
    )
  })

  test('ends a payload that always crashes the process as a dead letter', async () => {
    await put(t.db, [newRow('poison')])
    for (let n = 0; n < 8; n++) {
      assert.equal(
        (await claim(onlyGroup(t.db), { queue: 'EMAIL', leaseMs: 1000, limit: 1, minRunAt: new Date(0) }))
          .length,
        1
      )
      await passTime(t.db, 2)
    }
    await using queues = openTestQueues(t.db)
    queues.add(deliver(() => assert.fail('must not be tried again')))
    queues.start()
    await queues.idle('EMAIL')
    assert.deepEqual(
      (await deadIn(t.db)).map(one => one.code),
      ['lost']
    )
    assert.equal((await waitingIn(t.db)).length, 0)
  })

  test('retries an attempt that throws with back-off, until it is a dead letter, without an effect on other rows', async () => {
    await using queues = openTestQueues(t.db)
    queues.add(
      deliver(async row => {
        if (row.userId === 'poison') throw new TypeError('cannot read it')
        return SENT
      })
    )
    queues.start()
    await put(t.db, [newRow('a'), newRow('poison'), newRow('b')])
    const pauses: number[] = []
    for (;;) {
      await queues.idle('EMAIL')
      const [left] = await waitingIn(t.db)
      if (!left) break
      pauses.push(Math.round(left.due_in))
      await passTime(t.db, left.due_in + 1)
    }
    assert.deepEqual(pauses, [5, 30, 120, 600, 1800, 7200, 21_600])
    const [letter] = await deadIn(t.db)
    assert.equal(letter!.code, 'crash')
    assert.equal(letter!.detail, 'cannot read it')
    assert.equal((await readAttempts(t.db)).filter(one => one.outcome === 'sent').length, 2)
  })

  test('ignores the result of an attempt that outlives its lease, and logs that', async () => {
    const fenced: number[] = []
    const holding = signal()
    const release = signal()
    await put(t.db, [newRow('u')])
    await using zombie = openTestQueues(t.db, {
      metrics: { recordFenced: (_, rows) => fenced.push(rows), recordAttempt: () => {} }
    })
    zombie.add(
      deliver(async () => {
        holding.resolve()
        await release.promise
        return SENT
      })
    )
    zombie.start()
    await holding.promise
    await passTime(t.db, 3600)
    await using owner = openTestQueues(t.db)
    owner.add(deliver(async () => ({ code: '450', detail: 'later', kind: 'retry' })))
    owner.start()
    await owner.idle('EMAIL')
    release.resolve()
    await zombie.idle('EMAIL')
    assert.deepEqual(fenced, [1])
    assert.deepEqual(
      (await readAttempts(t.db)).map(one => one.outcome),
      ['lost', 'retry']
    )
    assert.equal((await waitingIn(t.db)).length, 1)
  })

  test('does not pause the queue for failures of single messages', async () => {
    await using queues = openTestQueues(t.db)
    queues.add(
      deliver(async () => ({ isIsolated: true, code: '450', detail: 'Greylisted.', kind: 'retry' }), {
        concurrency: 1
      })
    )
    await put(
      t.db,
      Array.from({ length: 30 }, (_, n) => newRow(`u${n}`))
    )
    queues.start()
    await queues.idle('EMAIL')
    assert.deepEqual(new Set((await waitingIn(t.db)).map(({ attempts_left: left }) => left)), new Set([7]))
  })

  test('pauses the queue after a provider failure, uses no attempts, and probes with one row', async () => {
    let now = 0
    let down = true
    let tried: string[] = []
    await using queues = openTestQueues(t.db, { clock: () => Date.now() + now, pausesMs: [60_000] })
    queues.add(
      deliver(
        async row => {
          tried.push(row.userId)
          return down ? { code: 'ESOCKET', detail: 'connection refused', kind: 'pause' } : SENT
        },
        { concurrency: 2 }
      )
    )
    queues.start()
    await put(
      t.db,
      Array.from({ length: 12 }, (_, n) => newRow(`u${n}`))
    )
    queues.wake(['EMAIL'])
    const afterRest = async (): Promise<void> => {
      await onlyGroup(t.db).sql`update outbox set run_at = now() - interval '1 s'`
      now += 61_000
      tried = []
      await queues.idle('EMAIL')
    }
    await queues.idle('EMAIL')
    assert.ok(tried.length >= 1 && tried.length <= 2, 'at most what was under way')
    for (let n = 0; n < 3; n++) {
      await afterRest()
      assert.equal(tried.length, 1, 'one row probes')
    }
    assert.ok((await waitingIn(t.db)).every(row => row.attempts_left === 8 && !row.leased))
    down = false
    await afterRest()
    assert.equal(tried.length, 12)
    assert.equal((await deadIn(t.db)).length, 0)
  })

  test('ends a hanging attempt as uncertain at the time-out, and follows the rule of the channel', async () => {
    const aborted: boolean[] = []
    for (const whenUncertain of ['retry', 'dead'] as const) {
      await put(t.db, [newRow(whenUncertain)])
      await using queues = openTestQueues(t.db)
      queues.add(
        deliver(
          (_, { signal }) =>
            new Promise(resolve => {
              signal.addEventListener('abort', () => {
                aborted.push(true)
                resolve({ code: 'timeout', detail: 'no answer', kind: 'uncertain' })
              })
            }),
          { timeoutMs: 50, whenUncertain }
        )
      )
      queues.start()
      await queues.idle('EMAIL')
    }
    assert.deepEqual(aborted, [true, true])
    assert.deepEqual(
      (await readAttempts(t.db)).map(one => [one.user_id, one.outcome]),
      [
        ['retry', 'uncertain'],
        ['dead', 'dead']
      ]
    )
    assert.equal((await waitingIn(t.db))[0]!.attempts_left, 7)
  })

  test('ignores the outcome of a channel that ignores the abort', async () => {
    await put(t.db, [newRow('u')])
    await using queues = openTestQueues(t.db)
    queues.add(deliver(() => new Promise(() => {}), { timeoutMs: 20 }))
    queues.start()
    await queues.idle('EMAIL')
    assert.deepEqual(
      (await readAttempts(t.db)).map(one => [one.outcome, one.code]),
      [['uncertain', 'timeout']]
    )
  })

  test(
    'waits at the stop for running attempts, and returns the other rows without using an attempt',
    { timeout: 20_000 },
    async () => {
      const started = signal()
      const finish = signal()
      const aborted = signal()
      let under = 0
      let first: string | undefined
      await put(
        t.db,
        Array.from({ length: 6 }, (_, n) => newRow(`u${n}`))
      )
      const queues = openTestQueues(t.db)
      queues.add(
        deliver(
          async (row, call) => {
            // All rows are due at the same time, so any of them may be the first.
            first ??= row.userId
            if (++under === 2) started.resolve()
            await (row.userId === first ? finish.promise : once(call.signal, 'abort'))
            if (row.userId !== first) aborted.resolve()
            return SENT
          },
          { prefetch: 10, concurrency: 2, timeoutMs: 60_000 }
        )
      )
      queues.start()
      await started.promise
      const stopped = queues.stop(300)
      finish.resolve()
      await stopped
      await aborted.promise
      const left = await waitingIn(t.db)
      assert.equal(left.length, 5)
      assert.ok(left.every(row => row.attempts_left === 8 && !row.leased && row.due_in <= 0))
      assert.deepEqual(
        (await readAttempts(t.db)).map(one => [one.user_id, one.outcome]),
        [[first, 'sent']]
      )
    }
  )

  test('returns rows without an attempt that are being prepared at the stop', async () => {
    const preparing = signal()
    const prepared = signal()
    await put(t.db, [newRow('u')])
    const queues = openTestQueues(t.db)
    queues.add(
      deliver(() => assert.fail('must not be tried'), {
        async prepare() {
          preparing.resolve()
          await prepared.promise
          return () => assert.fail('must not be tried')
        }
      })
    )
    queues.start()
    await preparing.promise
    const stopped = queues.stop(5000)
    prepared.resolve()
    await stopped
    assert.deepEqual(
      (await waitingIn(t.db)).map(row => [row.attempts_left, row.leased]),
      [[8, false]]
    )
  })

  test('claims the next rows immediately after fast attempts', async () => {
    const batches: number[] = []
    await using queues = openTestQueues(t.db, { pollMs: 10_000 })
    queues.add(
      deliver(() => Promise.resolve(SENT), {
        prepare(rows) {
          batches.push(rows.length)
          return async () => SENT
        },
        concurrency: 2
      })
    )
    queues.start()
    // A speed takes a while to be known, and a quick machine is done with many rows by then.
    let rounds = 0
    do {
      const round = rounds++
      await put(
        t.db,
        Array.from({ length: 600 }, (_, i) => newRow(`quick-${round}-${i}`))
      )
      queues.wake(['EMAIL'])
      await queues.idle('EMAIL')
    } while (Math.max(...batches) <= 8 && rounds < 40)
    assert.equal(
      batches.reduce((sum, rows) => sum + rows),
      600 * rounds
    )
    assert.ok(batches[0]! <= 8, 'at first nothing is known of its speed')
    assert.ok(Math.max(...batches) > 8, `never more than ${Math.max(...batches)} rows at once`)
  })

  test('keeps the rate of a provider, and saves up no permits while idle', async () => {
    let starts: number[] = []
    await using queues = openTestQueues(t.db, { pollMs: 10_000 })
    queues.add(
      deliver(
        async () => {
          starts.push(performance.now())
          return SENT
        },
        { attemptsPerSecond: 40, concurrency: 50 }
      )
    )
    queues.start()
    for (const round of ['first', 'second']) {
      starts = []
      await put(
        t.db,
        Array.from({ length: 30 }, (_, i) => newRow(`${round}-${i}`))
      )
      const since = performance.now()
      queues.wake(['EMAIL'])
      await queues.idle('EMAIL')
      assert.equal(starts.length, 30)
      // Two may start together, and 20 ms of being late are made up for; a slow machine is only later.
      for (const [i, at] of starts.entries()) {
        assert.ok(i + 1 <= 2 + ((at - since + 20) * 40) / 1000, `${round}: ${i + 1} in ${at - since} ms`)
      }
    }
  })

  test('uses an attempt of each row if a batch cannot be prepared, and backs off', async () => {
    await put(t.db, [newRow('a'), newRow('b')])
    await using queues = openTestQueues(t.db)
    queues.add(deliver(async () => SENT, { prepare: () => Promise.reject(new Error('no such column')) }))
    queues.start()
    await queues.idle('EMAIL')
    assert.ok((await waitingIn(t.db)).every(row => row.attempts_left === 7 && row.due_in > 3))
  })

  test('delivers once even if the attempt cannot be logged', async () => {
    let times = 0
    await put(t.db, [newRow('u'), newRow('v')])
    await using queues = openTestQueues(t.db)
    queues.add(
      deliver(async () => {
        times += 1
        return SENT
      })
    )
    await t.db.control`alter table attempts add constraint nothing check (user_id <> 'u')`
    try {
      queues.start()
      await queues.idle('EMAIL')
    } finally {
      await t.db.control`alter table attempts drop constraint nothing`
    }
    assert.equal(times, 2)
    assert.equal((await waitingIn(t.db)).length, 0)
    assert.deepEqual(
      (await readAttempts(t.db)).map(one => one.user_id),
      ['v']
    )
  })

  test('claims rows even if a lost attempt cannot be logged', { timeout: 20_000 }, async () => {
    await put(t.db, [newRow('u')])
    await claim(onlyGroup(t.db), { queue: 'EMAIL', leaseMs: 1000, limit: 1, minRunAt: new Date(0) })
    await passTime(t.db, 2)
    const sent = signal()
    await using queues = openTestQueues(t.db)
    queues.add(
      deliver(async () => {
        sent.resolve()
        return SENT
      })
    )
    await t.db.control`alter table attempts add constraint nothing check (outcome <> 'lost')`
    try {
      queues.start()
      await sent.promise
      await queues.idle('EMAIL')
    } finally {
      await t.db.control`alter table attempts drop constraint nothing`
    }
    assert.deepEqual(
      (await readAttempts(t.db)).map(one => [one.outcome, one.claim_count]),
      [['sent', 2]]
    )
  })

  test(
    'claims a row immediately whose transaction began earlier and committed later',
    { timeout: 30_000 },
    async ({ mock }) => {
      const claimed = { early: signal(), late: signal() }
      await using queues = openTestQueues(t.db)
      queues.add(
        deliver(async row => {
          claimed[row.userId as keyof typeof claimed].resolve()
          return SENT
        })
      )
      await put(t.db, [newRow('early')])
      const runAt = new Date(Date.now() - 1500)
      queues.start()
      await claimed.early.promise
      // With a stopped clock there is no regular full scan.
      const now = performance.now()
      mock.method(performance, 'now', () => now)
      await put(t.db, [{ ...newRow('late'), runAt }])
      queues.wake(['EMAIL'])
      await claimed.late.promise
    }
  )

  test('loses and repeats nothing if connections are cut repeatedly', async () => {
    const dice = random()
    const got = new Map<string, number>()
    await using queues = openTestQueues(t.db)
    queues.add(
      deliver(
        async row => {
          await new Promise(resolve => setImmediate(resolve))
          got.set(row.id, (got.get(row.id) ?? 0) + 1)
          return SENT
        },
        { prefetch: 20, concurrency: 10 }
      )
    )
    const rows = Array.from({ length: 400 }, (_, n) => newRow(`u${n}`))
    await put(t.db, rows)
    const knife = await openTestDb({ connections: 1, listenUrl: t.url, url: t.url })
    try {
      queues.start()
      for (let cut = 0; cut < 12; cut++) {
        const size = got.size
        await knife.control`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'notif-kit work'`
        const enough = size + 1 + dice(40)
        const idle = queues.idle('EMAIL').then(() => true)
        const turn = (): Promise<boolean> => new Promise(resolve => setImmediate(resolve, false))
        while (got.size < enough) {
          if (!(await Promise.race([idle, turn()]))) continue
          // What a cut connection had claimed waits for its lease.
          await passTime(knife, 30)
          break
        }
      }
      for (;;) {
        await queues.idle('EMAIL')
        if ((await waitingIn(knife)).length === 0) break
        await passTime(knife, 30)
      }
    } finally {
      await knife.close()
    }
    assert.equal(got.size, 400, `seed ${dice.seed}`)
    assert.equal((await deadIn(t.db)).length, 0)
    const sent = (await readAttempts(t.db)).filter(one => one.outcome === 'sent')
    assert.equal(sent.length, 400, `seed ${dice.seed}: one report each`)
  })

  test('finishes rows of a database job in its transaction, and one failing row delays no others', async () => {
    await put(
      t.db,
      ['a', 'bad', 'c'].map(user => Object.assign(newRow(user), { queue: 'SCHEDULE' as const }))
    )
    await using queues = openTestQueues(t.db)
    queues.add({
      kind: 'database',
      timeoutMs: 5000,
      queue: 'SCHEDULE',
      async run(rows, group) {
        await group.work.begin(async tx => {
          const ours = await removeClaimed(tx, group, rows)
          for (const row of rows.filter(one => ours.has(one.id))) {
            if (row.userId === 'bad') throw new Error('cannot')
            await tx`insert into users (bucket, env_id, id) values (${row.bucket}, ${row.envId}, ${row.userId})`
          }
        })
      }
    })
    queues.start()
    await queues.idle('SCHEDULE')
    const users = await onlyGroup(t.db).sql`select id from users order by id`
    assert.deepEqual(
      users.map(row => row['id']),
      ['a', 'c']
    )
    assert.deepEqual(
      (await waitingIn(t.db)).map(row => row.attempts_left),
      [7]
    )
  })

  test('runs a database job row by row if the batch is too slow, and uses an attempt of a row that is too slow', async () => {
    await put(
      t.db,
      ['a', 'slow', 'c'].map(user => Object.assign(newRow(user), { queue: 'SCHEDULE' as const }))
    )
    await using queues = openTestQueues(t.db)
    queues.add({
      kind: 'database',
      timeoutMs: 5000,
      queue: 'SCHEDULE',
      async run(rows, group) {
        await group.work.begin(async tx => {
          await removeClaimed(tx, group, rows)
          if (rows.some(row => row.userId === 'slow')) {
            await tx`set local statement_timeout = '20ms'`
            await tx`select pg_sleep(5)`
          }
        })
      }
    })
    queues.start()
    await queues.idle('SCHEDULE')
    assert.deepEqual(
      (await waitingIn(t.db)).map(row => row.attempts_left),
      [7]
    )
  })

  test('writes a result that arrives at the moment in which a write ends', async () => {
    await put(t.db, [newRow('a'), newRow('b')])
    const [first, second] = await claim(onlyGroup(t.db), {
      queue: 'EMAIL',
      leaseMs: 5000,
      limit: 2,
      minRunAt: new Date(0)
    })
    const sent = (row: ClaimedRow): AttemptResult => ({
      attemptId: uuidv7(placementHashInId(row.id)),
      queue: 'EMAIL',
      outcome: 'sent',
      row,
      durationMs: 1
    })
    const written = signal()
    let left = 2
    const reports = new Completer(onlyGroup(t.db), {
      ...RECORDS,
      log: createLog('silent'),
      onCompleted: () => {
        left -= 1
        if (left === 0) written.resolve()
        // Code that waits for the end continues as soon as this returns.
        else queueMicrotask(() => reports.add(sent(second!), true))
      }
    })
    reports.add(sent(first!), true)
    await written.promise
    assert.equal((await waitingIn(t.db)).length, 0)
  })
})
