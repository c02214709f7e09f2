// Who has a place of exports, and who has to leave it.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  openExportSlots,
  type ExportSlot,
  type ExportSlots
} from '../../../server/users/privacy/export-slots.ts'

function opened(most: number) {
  let now = 0
  const ended: string[] = []
  const places = openExportSlots(most, 30, () => now)
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

test('who asks when all are taken gets that of the slowest reader, if it takes next to nothing', () => {
  const { ended, pass, take } = opened(2)
  const [slow, slower] = [take('slow'), take('slower')]
  void slower!.waiting(never, 1000)
  pass(10)
  void slow!.waiting(never, 1000)
  pass(19)
  assert.equal(take('c'), undefined, 'neither has waited long')
  pass(1)
  assert.ok(take('c'))
  assert.deepEqual(ended, ['slower'])
  assert.equal(take('slow'), undefined)
})

test('a reader who takes next to nothing every time makes room, too', async () => {
  const { ended, pass, take } = opened(1)
  const place = take('a')!
  for (let piece = 0; piece < 4; piece += 1) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = place.waiting(promise, 1000)
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

const SECOND = 1000
const EXPORT = 1_200_000

/** Exports again and again, and comes back five seconds after it was refused, cut or done. @param rate - bytes a second */
function reader(places: ExportSlots, id: string, rate: number) {
  const seen = { cut: 0, done: 0 }
  let [left, next] = [0, 0]
  let place: ExportSlot | undefined
  let taken = async (): Promise<void> => {}

  const read = (): void => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const written = place!.waiting(promise, rate)
    taken = () => {
      resolve()
      return written
    }
  }

  const ask = (now: number): void => {
    left = EXPORT
    next = now + 5 * SECOND
    place = places.take(id, () => {
      seen.cut += 1
      place = undefined
    })
    if (place) read()
  }

  return {
    seen,
    async second(now: number): Promise<void> {
      if (!place) return now < next ? undefined : ask(now)
      if (rate === 0) return
      await taken()
      left -= rate
      if (left > 0) return read()
      place.leave()
      place = undefined
      next = now + 5 * SECOND
      seen.done += 1
    }
  }
}

async function hour(most: number, rates: readonly number[]) {
  let now = 0
  const places = openExportSlots(most, 30 * SECOND, () => now)
  const readers = rates.map((rate, i) => reader(places, `e${i}`, rate))
  for (; now < 3600 * SECOND; now += SECOND) for (const { second } of readers) await second(now)
  return readers.map(({ seen }) => seen)
}

test('steady readers are never cut, however slow their lines, and all of them come to an end', async () => {
  for (const { cut, done } of await hour(2, [20_000, 20_000, 12_000])) {
    assert.equal(cut, 0)
    assert.ok(done >= 10, `${done} exports`)
  }
})

test('who takes nothing and comes back again and again makes room each time, and the others come to an end', async () => {
  const [still, ...steady] = await hour(2, [0, 20_000, 20_000])
  assert.ok(still!.cut >= 10, `${still!.cut} times`)
  for (const { cut, done } of steady) {
    assert.equal(cut, 0)
    assert.ok(done >= 10, `${done} exports`)
  }
})
