// The batcher: which batches may be written at the same time, when it is full, and how many bytes an environment may use.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openBatcher } from '../../server/send/accept/batcher.ts'
import { ByteBudget } from '../../server/send/accept/byte-budget.ts'
import type { Pending } from '../../server/send/accept/late-requests.ts'
import { random } from '../support/random.ts'

interface Request {
  readonly placementHash: number
  readonly number: number
}

type PendingRequest = Pending<Request, void>

/** Waits for some turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise<void>(resolve => setImmediate(resolve))
}

test('requests of one user are written in their order, small batches of other users at the same time', async t => {
  const upTo = random()
  t.diagnostic(`seed ${upTo.seed}`)
  const writing = new Set<readonly PendingRequest[]>()
  const done: Request[] = []
  let maxWriting = 0
  const batcher = openBatcher<Request, void, PendingRequest>(
    { maxBatchSize: 32, maxWaiting: 1e6 },
    {
      async prepare(pending) {
        await turns(upTo(3))
        return pending.map(async one => {
          if (upTo(20) === 0) await turns(upTo(9))
          return one
        })
      },
      async write(batch) {
        const hashes = new Set(batch.map(({ request }) => request.placementHash))
        for (const other of writing) {
          assert.ok(other.length <= 8 && batch.length <= 8, 'a large batch is written alone')
          assert.ok(
            !other.some(({ request }) => hashes.has(request.placementHash)),
            'two batches of one user'
          )
        }
        writing.add(batch)
        maxWriting = Math.max(maxWriting, writing.size)
        await turns(upTo(6))
        writing.delete(batch)
        for (const { request, resolve } of batch) {
          done.push(request)
          resolve()
        }
      }
    }
  )
  const requests: Promise<void>[] = []
  for (let number = 0; number < 3_000;) {
    for (const end = number + 1 + upTo(number % 500 < 400 ? 3 : 20); number < end; number++) {
      requests.push(batcher.add({ number, placementHash: upTo(40) }))
    }
    await turns(upTo(3))
  }
  await Promise.all(requests)
  assert.equal(done.length, requests.length)
  assert.ok(maxWriting >= 2, 'no two batches were written at the same time')
  for (const ofUser of Map.groupBy(done, ({ placementHash }) => placementHash).values()) {
    assert.deepEqual(
      ofUser.map(({ number }) => number),
      ofUser.map(({ number }) => number).toSorted((a, b) => a - b)
    )
  }
})

test('is full while as many requests wait as may', { timeout: 10_000 }, async () => {
  const open = Promise.withResolvers<void>()
  const batcher = openBatcher<Request, void, PendingRequest>(
    { maxBatchSize: 1, maxWaiting: 2 },
    {
      prepare: async pending => pending.map(async one => one),
      async write(batch) {
        await open.promise
        for (const { resolve } of batch) resolve()
      }
    }
  )
  const add = (): Promise<void> => batcher.add({ number: 0, placementHash: 0 })
  const first = [add(), add()]
  assert.equal(batcher.isFull(), true)
  await turns(2)
  assert.equal(batcher.isFull(), false, 'both are in a batch')
  const second = [add(), add()]
  assert.equal(batcher.isFull(), true)
  open.resolve()
  await Promise.all([...first, ...second])
  assert.equal(batcher.isFull(), false)
})

test('an environment gets half of the bytes that the others leave, and a lone request any', () => {
  const budget = new ByteBudget(100)
  assert.ok(budget.take('a', 1_000), 'alone')
  assert.ok(!budget.take('b', 1) && !budget.take('a', 1))
  budget.release('a', 1_000)
  assert.ok(budget.take('a', 25) && budget.take('a', 25))
  assert.ok(!budget.take('a', 1), 'half of 100')
  assert.ok(budget.take('b', 25))
  assert.ok(!budget.take('b', 1), 'half of 50')
  assert.ok(budget.take('c', 12))
  budget.release('a', 25)
  assert.ok(budget.take('b', 6), 'half of 63')
  assert.ok(!budget.take('b', 1))
})
