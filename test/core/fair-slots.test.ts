// Fair slots: environments take turns, none of them uses all slots, and work that nobody waits for is not started.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { FairSlots } from '../../server/core/fair-slots.ts'

/** Starts work that ends when the test says so. */
function observe(slots: FairSlots) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    async end(name: string) {
      ends.get(name)!()
      await settled()
    },
    run: (name: string, signal?: AbortSignal) =>
      slots.run(name[0]!, signal, async () => {
        started.push(name)
        await new Promise<void>(resolve => ends.set(name, resolve))
        return name
      }),
    started
  }
}

/** All callbacks of promises have run. */
const settled = (): Promise<void> => new Promise(resolve => void setImmediate(resolve))

test('serves environments in turn, and work of one environment in its order', async () => {
  const { end, run, started } = observe(
    new FairSlots({ slots: 1, slotsPerEnvironment: 1, waitingPerEnvironment: 10 })
  )
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void run(name)
  await settled()
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
    assert.equal(started.at(-1), name)
    await end(name)
  }
  assert.equal(started.length, 6)
})

test('leaves a slot to other environments', async () => {
  const { end, run, started } = observe(
    new FairSlots({ slots: 3, slotsPerEnvironment: 2, waitingPerEnvironment: 10 })
  )
  for (const name of ['a1', 'a2', 'a3', 'a4']) void run(name)
  await settled()
  assert.deepEqual(started, ['a1', 'a2'])
  void run('b1')
  await settled()
  assert.deepEqual(started, ['a1', 'a2', 'b1'])
  await end('b1')
  assert.deepEqual(started, ['a1', 'a2', 'b1'])
  await end('a1')
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'a3'])
})

test('refuses work of an environment whose queue is full, and only of that one', async () => {
  const { end, run, started } = observe(
    new FairSlots({ slots: 1, slotsPerEnvironment: 1, waitingPerEnvironment: 1 })
  )
  const [first, second, third, other] = [run('a1'), run('a2'), run('a3'), run('b1')]
  assert.deepEqual(await third, { ok: false, reason: 'full' })
  for (const name of ['a1', 'b1', 'a2']) await end(name)
  assert.deepEqual(
    (await Promise.all([first, second, other])).map(result => result.ok && result.value),
    ['a1', 'a2', 'b1']
  )
  assert.deepEqual(started, ['a1', 'b1', 'a2'])
})

test('drops work whose caller has left, and gives its place to later work', async () => {
  const { end, run, started } = observe(
    new FairSlots({ slots: 1, slotsPerEnvironment: 1, waitingPerEnvironment: 1 })
  )
  const caller = new AbortController()
  const results = [run('a1'), run('a2', caller.signal)]
  caller.abort()
  assert.deepEqual(await results[1], { ok: false, reason: 'aborted' })
  assert.deepEqual(await run('a3', AbortSignal.abort()), { ok: false, reason: 'aborted' })
  results.push(run('a4'))
  await end('a1')
  await end('a4')
  assert.deepEqual(started, ['a1', 'a4'])
})

test('frees the slot of work that fails', async () => {
  const slots = new FairSlots({ slots: 1, slotsPerEnvironment: 1, waitingPerEnvironment: 0 })
  const fail = async (): Promise<never> => {
    throw new Error('broken')
  }
  await assert.rejects(slots.run('a', undefined, fail), /broken/)
  assert.deepEqual(await slots.run('a', undefined, async () => 1), { ok: true, value: 1 })
})
