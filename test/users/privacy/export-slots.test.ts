// Which exports get a slot, and which are aborted for another.

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
  const slots = openExportSlots(most, 30, () => now)
  return {
    ended,
    pass: (milliseconds: number) => void (now += milliseconds),
    take: (envId: string) => slots.acquire(envId, () => void ended.push(envId))
  }
}

const never = new Promise<void>(() => {})

test('gives each environment one slot, until all are used', () => {
  const { ended, pass, take } = opened(2)
  const first = take('a')
  assert.ok(first)
  assert.equal(take('a'), undefined)
  assert.ok(take('b'))
  pass(1000)
  assert.equal(take('c'), undefined, 'neither reader is slow')
  first.release()
  assert.ok(take('c'))
  assert.deepEqual(ended, [])
})

test('aborts the export of the slowest reader if all slots are used', () => {
  const { ended, pass, take } = opened(2)
  const [slow, slower] = [take('slow'), take('slower')]
  void slower!.trackWrite(never, 1000)
  pass(10)
  void slow!.trackWrite(never, 1000)
  pass(19)
  assert.equal(take('c'), undefined, 'neither reader is slow for long enough')
  pass(1)
  assert.ok(take('c'))
  assert.deepEqual(ended, ['slower'])
  assert.equal(take('slow'), undefined)
})

test('aborts an export whose reader takes a few bytes at a time', async () => {
  const { ended, pass, take } = opened(1)
  const slot = take('a')!
  for (let piece = 0; piece < 4; piece += 1) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = slot.trackWrite(promise, 1000)
    assert.equal(take('b'), undefined)
    pass(8)
    resolve()
    await waiting
  }
  const next = take('b')!
  assert.deepEqual(ended, ['a'])
  // The aborted export releases its slot; that must not release the new one.
  slot.release()
  assert.equal(take('b'), undefined)
  next.release()
  assert.ok(take('b'))
})

const SECOND = 1000
const EXPORT_BYTES = 1_200_000

/** Exports repeatedly, five seconds after each rejection, abort or end. @param rate - bytes per second */
function repeatExports(slots: ExportSlots, id: string, rate: number) {
  const counts = { aborted: 0, completed: 0 }
  let [remaining, nextAt] = [0, 0]
  let slot: ExportSlot | undefined
  let finishWrite = async (): Promise<void> => {}

  const write = (): void => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const written = slot!.trackWrite(promise, rate)
    finishWrite = () => {
      resolve()
      return written
    }
  }

  const start = (now: number): void => {
    remaining = EXPORT_BYTES
    nextAt = now + 5 * SECOND
    slot = slots.acquire(id, () => {
      counts.aborted += 1
      slot = undefined
    })
    if (slot) write()
  }

  return {
    counts,
    async tick(now: number): Promise<void> {
      if (!slot) return now < nextAt ? undefined : start(now)
      if (rate === 0) return
      await finishWrite()
      remaining -= rate
      if (remaining > 0) return write()
      slot.release()
      slot = undefined
      nextAt = now + 5 * SECOND
      counts.completed += 1
    }
  }
}

async function simulateHour(slotCount: number, rates: readonly number[]) {
  let now = 0
  const slots = openExportSlots(slotCount, 30 * SECOND, () => now)
  const readers = rates.map((rate, i) => repeatExports(slots, `e${i}`, rate))
  for (; now < 3600 * SECOND; now += SECOND) for (const { tick } of readers) await tick(now)
  return readers.map(({ counts }) => counts)
}

test('never aborts steady readers, however slow they are, and completes all of their exports', async () => {
  for (const { aborted, completed } of await simulateHour(2, [20_000, 20_000, 12_000])) {
    assert.equal(aborted, 0)
    assert.ok(completed >= 10, `${completed} exports`)
  }
})

test('aborts a reader that takes nothing each time it comes back, and completes the exports of the others', async () => {
  const [stalled, ...steady] = await simulateHour(2, [0, 20_000, 20_000])
  assert.ok(stalled!.aborted >= 10, `${stalled!.aborted} times`)
  for (const { aborted, completed } of steady) {
    assert.equal(aborted, 0)
    assert.ok(completed >= 10, `${completed} exports`)
  }
})
