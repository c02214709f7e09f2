// Who has a place of exports, and who has to leave it.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openPlaces } from '../../server/holdings/places.ts'

function opened(most: number) {
  let now = 0
  const ended: string[] = []
  const places = openPlaces(most, 30, () => now)
  return {
    ended,
    pass: (milliseconds: number) => void (now += milliseconds),
    take: (envId: string) => places.take(envId, () => void ended.push(envId))
  }
}

const never = new Promise<void>(() => {})

test('one of an environment, as many as there are', () => {
  const { ended, pass, take } = opened(2)
  const first = take('a')
  assert.ok(first)
  assert.equal(take('a'), undefined)
  assert.ok(take('b'))
  pass(1000)
  assert.equal(take('c'), undefined, 'both have been busy, and waited for nobody')
  first.leave()
  assert.ok(take('c'))
  assert.deepEqual(ended, [])
})

test('who asks when all are taken gets that of the slowest reader, if it is slow', () => {
  const { ended, pass, take } = opened(2)
  const [slow, slower] = [take('slow'), take('slower')]
  void slower!.waiting(never)
  pass(10)
  void slow!.waiting(never)
  pass(19)
  assert.equal(take('c'), undefined, 'neither has waited long')
  pass(1)
  assert.ok(take('c'))
  assert.deepEqual(ended, ['slower'])
  assert.equal(take('slow'), undefined)
})

test('a reader who takes a little every time is slow, too', async () => {
  const { ended, pass, take } = opened(1)
  const place = take('a')!
  for (let piece = 0; piece < 4; piece += 1) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = place.waiting(promise)
    assert.equal(take('b'), undefined)
    pass(8)
    resolve()
    await waiting
  }
  const next = take('b')!
  assert.deepEqual(ended, ['a'])
  // What it does when it has ended is no concern of the next one.
  place.leave()
  assert.equal(take('b'), undefined)
  next.leave()
  assert.ok(take('b'))
})
