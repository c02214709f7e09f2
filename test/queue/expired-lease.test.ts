// A process that was frozen after its claim calls no provider, because another worker may have claimed the row.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'

import type { Channel } from '../../server/channels/channel.ts'
import { createDeliveryJob } from '../../server/channels/delivery-job.ts'
import { accept } from '../channels/conformance.ts'
import { testDb, type TestDb } from '../support/db.ts'
import { readAttempts, deliver, onlyGroup, openTestQueues, newRow, put, waitingIn } from './test-queue.ts'

/** Longer than a claimed row may wait for its attempt, and than the lease for {@link TIMEOUT}. */
const STOOD_STILL = 60_000
const TIMEOUT = 5_000

describe('a frozen process', { timeout: 60_000 }, () => {
  let t: TestDb
  let now = 0
  const monotonicMs = (): number => now
  before(async () => {
    t = await testDb()
  })
  after(() => t[Symbol.asyncDispose]())
  beforeEach(() => onlyGroup(t.db).sql`truncate outbox, attempts, dead_letters, sends`)

  /** This claim is the second, and the first used no attempt. */
  const assertGivenBack = async (claims: readonly number[], tries: readonly number[]): Promise<void> => {
    assert.deepEqual(claims, [2])
    assert.deepEqual(tries, [7])
    const attempts = await readAttempts(t.db)
    assert.deepEqual(
      attempts.map(({ outcome, claim_count }) => [outcome, claim_count]),
      [['sent', 2]]
    )
    assert.deepEqual([...(await waitingIn(t.db))], [])
  }

  test('returns the row to the queue if it was frozen between claim and attempt', async () => {
    const claims: number[] = []
    const tries: number[] = []
    let prepared = 0
    await using queues = openTestQueues(t.db, { monotonicMs })
    const work = deliver(async (row, { number }) => {
      claims.push(number)
      tries.push(row.attemptsLeft)
      return { kind: 'sent' }
    })
    queues.add({
      ...work,
      prepare(...rows) {
        if ((prepared += 1) === 1) now += STOOD_STILL
        return work.prepare(...rows)
      }
    })
    await put(t.db, [newRow('u')])
    queues.start()
    await queues.idle('EMAIL')
    await assertGivenBack(claims, tries)
  })

  for (const whenUncertain of ['retry', 'dead'] as const) {
    test(`returns the row to the queue if it was frozen while it built the message (${whenUncertain})`, async () => {
      const claims: number[] = []
      let builtCount = 0
      await using queues = openTestQueues(t.db, { monotonicMs })
      const channel: Channel<string> = {
        async buildMessage() {
          if ((builtCount += 1) === 1) now += STOOD_STILL
          return { message: 'Hello', ok: true }
        },
        describe: text => ({ text }),
        name: 'SMS',
        provider: {
          async send(_message, _delivery, { number }) {
            claims.push(number)
            return { kind: 'sent' }
          }
        },
        concurrency: 1,
        timeoutMs: TIMEOUT,
        whenUncertain
      }
      const queue = createDeliveryJob(channel)
      const tries: number[] = []
      queues.add({
        ...queue,
        async prepare(rows, group) {
          const send = await queue.prepare(rows, group)
          return async (row, call) => {
            const outcome = await send(row, call)
            if (outcome.kind === 'sent') tries.push(row.attemptsLeft)
            return outcome
          }
        }
      })
      await accept(t.db, 'SMS', { send: { to: { id: 'u' }, type: 'hello' }, to: '+12025550100' })
      queues.start()
      await queues.idle('SMS')
      await assertGivenBack(claims, tries)
    })
  }
})
