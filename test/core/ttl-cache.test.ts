// The cache of values that change elsewhere: when it reads, what it serves meanwhile, and what it forgets.

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'

import { createTtlCache, NO_CACHE, type CacheDuration, type TtlCache } from '../../server/core/ttl-cache.ts'

const LIFE: CacheDuration = { freshMs: 100, usableMs: 1000 }

let now: number
let reads: PromiseWithResolvers<string | undefined>[]
let cache: TtlCache<string>

beforeEach(() => {
  now = 1_000_000
  reads = []
  const read = (): Promise<string | undefined> => {
    const one = Promise.withResolvers<string | undefined>()
    reads.push(one)
    return one.promise
  }
  cache = createTtlCache(
    read,
    value => (value === undefined ? NO_CACHE : LIFE),
    () => now
  )
})

const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** Reads the key and answers the read. */
async function fill(key: string, value: string | undefined): Promise<void> {
  const found = cache.get(key)
  reads.at(-1)!.resolve(value)
  assert.equal(await found, value)
}

test('callers at the same time share a read, and a fresh value needs none', async () => {
  const both = Promise.all([cache.get('a'), cache.get('a')])
  reads[0]!.resolve('1')
  assert.deepEqual(await both, ['1', '1'])
  now += 99
  assert.equal(await cache.get('a'), '1')
  assert.equal(reads.length, 1)
})

test('a value that is no longer fresh is served while it is read again, and a usable one only until then', async () => {
  await fill('a', '1')
  now += 100
  assert.equal(await cache.get('a'), '1')
  assert.equal(await cache.get('a'), '1')
  assert.equal(reads.length, 2)
  reads[1]!.resolve('2')
  await settle()
  assert.equal(await cache.get('a'), '2')
  now += 1000
  const late = cache.get('a')
  reads[2]!.resolve('3')
  assert.equal(await late, '3')
})

test('a failed read does not show while the value is usable, and is tried again', async () => {
  await fill('a', '1')
  now += 500
  assert.equal(await cache.get('a'), '1')
  reads[1]!.reject(new Error('away'))
  await settle()
  assert.equal(await cache.get('a'), '1')
  assert.equal(reads.length, 3)
  reads[2]!.reject(new Error('away'))
  await settle()
  now += 500
  const late = cache.get('a')
  reads[3]!.reject(new Error('still away'))
  await assert.rejects(late, { message: 'still away' })
  await fill('a', '2')
})

test('a value that was read while the clock was ahead is old', async () => {
  await fill('a', '1')
  now -= 3_600_000
  const found = cache.get('a')
  reads[1]!.resolve('2')
  assert.equal(await found, '2')
})

test('a value that is gone is not served any more, and what is absent is read each time', async () => {
  await fill('a', '1')
  now += 500
  assert.equal(await cache.get('a'), '1')
  reads[1]!.resolve(undefined)
  await settle()
  const found = cache.get('a')
  reads[2]!.resolve(undefined)
  assert.equal(await found, undefined)
  await fill('a', undefined)
  assert.equal(reads.length, 4)
})

test('what is forgotten is read again, also if it is being read now', async () => {
  await fill('env\0a', '1')
  await fill('other\0a', '1')
  const underway = cache.get('env\0b')
  cache.forgetAll('env\0')
  assert.equal(await cache.get('other\0a'), '1')
  const again = cache.get('env\0b')
  reads.at(-1)!.resolve('new')
  assert.equal(await again, 'new')
  reads.at(-2)!.resolve('old')
  assert.equal(await underway, 'old')
  assert.equal(await cache.get('env\0b'), 'new')
  await fill('env\0a', '2')
})

test('unknown keys push out what was used longest ago, not all', async () => {
  await fill('a', '1')
  for (let i = 0; i < 10_500; i += 1) {
    if (i % 1000 === 0) assert.equal(await cache.get('a'), '1')
    await fill(`unknown ${i}`, i % 2 ? undefined : 'x')
  }
  assert.equal(await cache.get('a'), '1')
})
