// A cell is to its readers what an atom of nanostores is: begun and ended by who listens, and a source of derived stores.

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'

import { computed, onMount } from 'nanostores'

import { cell, type Cell } from '../../components/store/cell.ts'

interface Counter {
  readonly $n: Cell<number>
  readonly log: string[]
  set(n: number): void
}

function counter(): Counter {
  let n = 0
  const log: string[] = []
  const $n = cell(
    () => n,
    () => {
      log.push('begun')
      return () => log.push('ended')
    }
  )
  return {
    $n,
    log,
    set(next) {
      n = next
      $n.notify()
    }
  }
}

const second = (t: TestContext): void => t.mock.timers.tick(1000)

test('its work begins with the first listener and ends a second after the last', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { $n, log } = counter()
  assert.deepEqual(log, [])
  const leave = [$n.listen(() => {}), $n.subscribe(() => {})]
  assert.deepEqual(log, ['begun'])
  leave[0]!()
  leave[0]!()
  second(t)
  assert.deepEqual(log, ['begun'])
  leave[1]!()
  t.mock.timers.tick(999)
  const back = $n.listen(() => {})
  second(t)
  assert.deepEqual(log, ['begun'])
  back()
  second(t)
  assert.deepEqual(log, ['begun', 'ended'])
})

test('who only reads begins it as well', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { $n, log, set } = counter()
  set(3)
  assert.equal($n.get(), 3)
  second(t)
  assert.deepEqual(log, ['begun', 'ended'])
})

test('listeners hear the value and the one before, once for a change, and the same function twice where it listens twice', () => {
  const { $n, set } = counter()
  const heard: [number, number | undefined][] = []
  const hear = (n: number, before: number | undefined): number => heard.push([n, before])
  const leave = $n.listen(hear)
  $n.listen(hear)
  set(1)
  set(1)
  leave()
  set(2)
  assert.deepEqual(heard, [
    [1, 0],
    [1, 0],
    [2, 1]
  ])
})

test('what changes between a first look and listening is there, as frameworks that look, draw and then listen need it', () => {
  const { $n, set } = counter()
  assert.equal($n.get(), 0)
  set(1)
  assert.equal($n.value, 1)
  const heard: [number, number | undefined][] = []
  $n.subscribe((n, before) => heard.push([n, before]))
  assert.deepEqual(heard, [[1, undefined]])
})

test('who leaves and listens anew while it is told hears each change once', () => {
  const { $n, set } = counter()
  const heard: number[] = []
  const hear = (n: number): void => {
    heard.push(n)
    leave()
    leave = $n.listen(hear)
  }
  let leave = $n.listen(hear)
  $n.listen(n => heard.push(10 * n))
  set(1)
  set(2)
  assert.deepEqual(heard, [1, 10, 20, 2])
})

test("a listener's error is nobody else's, and is not lost", async () => {
  const { $n, set } = counter()
  const errors: unknown[] = []
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.once('uncaughtException', error => errors.push(error))
  try {
    const heard: number[] = []
    $n.listen(() => {
      throw new Error('of a page')
    })
    $n.listen(n => heard.push(n))
    set(1)
    assert.deepEqual(heard, [1])
    await setImmediate()
    assert.match(String(errors), /of a page/)
  } finally {
    for (const other of others) process.on('uncaughtException', other)
  }
})

test('derived stores of nanostores follow it, listened to or only read, and its own hooks work on it', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { $n, log, set } = counter()
  let seen = 0
  onMount($n, () => {
    seen++
  })
  const $double = computed($n, n => 2 * n)
  assert.equal($double.get(), 0)
  set(1)
  assert.equal($double.get(), 2)
  const heard: number[] = []
  const leave = $double.listen(n => heard.push(n))
  set(2)
  set(3)
  assert.deepEqual(heard, [4, 6])
  leave()
  for (let level = 0; level < 3; level++) second(t)
  set(4)
  assert.equal($double.get(), 8)
  assert.deepEqual(log.slice(0, 2), ['begun', 'ended'])
  assert.equal(seen, 2)
})
