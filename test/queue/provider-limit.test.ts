// A provider whose rate is far below the waiting rows: only rows that can start are claimed, so that none is lost, repeated or
// uses an extra attempt. Queues without a limit are not delayed, and rows of one environment keep their order.

import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'

import type { Db } from '../../server/db/db.ts'
import { MAX_ATTEMPTS } from '../../server/queue/backoff.ts'
import type { ClaimedRow } from '../../server/queue/outbox.sql.ts'
import type { Outcome } from '../../server/queue/outcome.ts'
import { testDb } from '../support/db.ts'
import { random, type Random } from '../support/random.ts'
import { deliver, onlyGroup, openTestQueues } from './test-queue.ts'

const WAITING = 10_000
const BESIDE = 400
/** Attempts in the limited queue after which a round ends. */
const STARTS = 5

/** Mails of two environments in turns, the texts of a third; all due, the first one for the longest time. */
const fill = (db: Db): Promise<unknown> => onlyGroup(db).sql`
  insert into outbox (bucket, id, queue, run_at, env_id, user_id, send_id, body)
  select 1, overlay(uuid_at(now())::text placing lpad(to_hex(i), 12, '0') from 25)::uuid,
    case when i > ${WAITING} then 'SMS' else 'EMAIL' end, now() - ${WAITING + BESIDE} * interval '1 ms' + i * interval '1 ms',
    case when i > ${WAITING} then 'c' when i % 2 = 0 then 'a' else 'b' end, 'u', gen_random_uuid(), '{}'
  from generate_series(1, ${WAITING + BESIDE}) i`

interface Start {
  readonly row: ClaimedRow
  readonly outcome: Outcome
  readonly at: number
}

const drawOutcome = (dice: Random): Outcome =>
  dice(3) === 0 ? { code: '451', detail: 'Later.', kind: 'retry' } : { kind: 'sent', ref: 'r' }

/** Two processes work off the queues until some mails have started, and end in the middle of it. */
async function round(
  db: Db,
  dice: Random,
  attemptsPerSecond: number
): Promise<{ mails: Start[]; texts: string[] }> {
  const mails: Start[] = []
  const texts: string[] = []
  const events = new EventEmitter()
  const processes = [openTestQueues(db), openTestQueues(db)]
  for (const queues of processes) {
    queues.add(
      deliver(
        async row => {
          const outcome = drawOutcome(dice)
          mails.push({ at: performance.now(), outcome, row })
          if (mails.length === STARTS) events.emit('enough')
          return outcome
        },
        { attemptsPerSecond }
      ),
      deliver(
        async row => {
          texts.push(row.id)
          return { kind: 'sent', ref: 'r' }
        },
        { queue: 'SMS' }
      )
    )
  }
  const enough = once(events, 'enough')
  for (const queues of processes) queues.start()
  // The texts do not wait for the mails.
  await Promise.all(processes.map(queues => queues.idle('SMS')))
  await enough
  await Promise.all(processes.map(queues => queues.stop(1000)))
  return { mails, texts }
}

interface Row {
  readonly id: string
  readonly claim_count: number
  readonly attempts_left: number
  readonly leased: boolean
}

test('keeps ten thousand emails at a few per second within the rate, the leases and the time', async t => {
  const dice = random()
  t.diagnostic(`seed ${dice.seed}`)
  for (const perSecond of [1, 2 + dice(8)]) {
    await using database = await testDb()
    const { db } = database
    await fill(db)
    const { mails, texts } = await round(db, dice, perSecond)
    const rows = await onlyGroup(db).sql<Row[]>`
      select id, claim_count, attempts_left, leased from outbox where queue = 'EMAIL' order by run_at, id`

    assert.equal(new Set(texts).size, BESIDE)
    assert.equal(texts.length, BESIDE)
    // Each claim led to an attempt, and no row is claimed now.
    const sent = mails.filter(({ outcome }) => outcome.kind === 'sent').map(({ row }) => row.id)
    const failed = mails.filter(({ outcome }) => outcome.kind === 'retry').map(({ row }) => row.id)
    assert.equal(new Set([...sent, ...failed]).size, mails.length, 'a mail was tried twice')
    assert.deepEqual(
      rows.filter(({ leased }) => leased),
      []
    )
    assert.equal(rows.length + sent.length, WAITING)
    const back: string[] = []
    for (const { id, claim_count, attempts_left } of rows) {
      const tries = failed.includes(id) ? 1 : 0
      assert.equal(attempts_left, MAX_ATTEMPTS - tries, id)
      if (claim_count > tries) back.push(id)
    }
    // Each process had one claim under way at most, and what it gave back has not lost its place.
    assert.ok(back.length <= 2, `${back.length} were given back`)
    const inTurn = rows.filter(({ id }) => !failed.includes(id)).map(({ id }) => id)
    assert.deepEqual(inTurn, inTurn.toSorted())
    // Each process for itself has one at once, and 20 ms of being late are made up for; a slow machine is only later.
    const [first] = mails
    for (const [i, { at }] of mails.entries()) {
      const share = 2 * (1 + ((at - first!.at + 20) * perSecond) / 1000)
      assert.ok(i + 1 <= share, `${i + 1} in ${at - first!.at} ms at ${perSecond}`)
    }
    // Within an environment, rows keep their order.
    const claimedIds = [...mails.map(({ row }) => row.id), ...back]
      .map(id => Number.parseInt(id.slice(-12), 16))
      .toSorted((a, b) => a - b)
    for (const parity of [0, 1]) {
      const own = claimedIds.filter(n => n % 2 === parity)
      assert.deepEqual(
        own,
        own.map((_, i) => 2 * i + (parity === 0 ? 2 : 1))
      )
    }
  }
})
