// Groups of sends: what may be written side by side, and what never is.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openGroups, type Pending } from '../../server/send/accept/batcher.ts'
import { random } from '../support/random.ts'

interface Job {
  readonly bytes: number
  readonly place: number
  readonly number: number
}

type Waiting = Pending<Job, void>

/** As long as some turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise<void>(resolve => setImmediate(resolve))
}

test('jobs of one owner are written one after the other in their order, groups of few of others side by side', async t => {
  const upTo = random()
  t.diagnostic(`seed ${upTo.seed}`)
  const writing = new Set<readonly Waiting[]>()
  const done: Job[] = []
  let most = 0
  const groups = openGroups<Job, void, Waiting>(
    { bytes: 1e9, limit: 1e6, size: 32 },
    {
      async prepare(pending) {
        await turns(upTo(3))
        return pending
      },
      async write(ready) {
        const places = new Set(ready.map(({ job }) => job.place))
        for (const other of writing) {
          assert.ok(other.length <= 8 && ready.length <= 8, 'a large group is written alone')
          assert.ok(!other.some(({ job }) => places.has(job.place)), 'two groups of one owner')
        }
        writing.add(ready)
        most = Math.max(most, writing.size)
        await turns(upTo(6))
        writing.delete(ready)
        for (const { job, resolve } of ready) {
          done.push(job)
          resolve()
        }
      }
    }
  )
  const jobs: Promise<void>[] = []
  for (let number = 0; number < 3_000;) {
    for (const end = number + 1 + upTo(number % 500 < 400 ? 3 : 20); number < end; number++) {
      jobs.push(groups.add({ bytes: 1, number, place: upTo(40) }))
    }
    await turns(upTo(3))
  }
  await Promise.all(jobs)
  assert.equal(done.length, jobs.length)
  assert.ok(most >= 2, 'nothing was ever written side by side')
  for (const own of Map.groupBy(done, ({ place }) => place).values()) {
    assert.deepEqual(
      own.map(({ number }) => number),
      own.map(({ number }) => number).toSorted((a, b) => a - b)
    )
  }
})

test(
  'so many jobs may wait, and so many bytes be under way, but for a lone job',
  { timeout: 10_000 },
  async () => {
    const open = Promise.withResolvers<void>()
    const groups = openGroups<Job, void, Waiting>(
      { bytes: 10, limit: 2, size: 1 },
      {
        prepare: async pending => pending,
        async write(ready) {
          await open.promise
          for (const { resolve } of ready) resolve()
        }
      }
    )
    const add = (bytes: number): Promise<void> => groups.add({ bytes, number: 0, place: 0 })
    const first = [add(3), add(7)]
    await assert.rejects(add(1), { status: 503 }, 'bytes')
    await turns(2)
    const second = [add(0), add(0)]
    await assert.rejects(add(0), { status: 503 }, 'jobs')
    open.resolve()
    await Promise.all([...first, ...second])
    await add(11)
  }
)
