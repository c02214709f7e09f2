// Limits that processes count together, over real links.

import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { Problem } from '../../../server/http/problem.ts'
import { createRateLimit, type RateLimit } from '../../../server/http/rate-limits.ts'
import { CountPerKey } from '../../../server/inbox/live/socket-limits.ts'
import { openLinks, type Links } from '../../../server/process/siblings/links.ts'
import { until } from '../../support/process.ts'

interface Pair {
  readonly one: Links
  readonly other: Links
  [Symbol.asyncDispose](): Promise<void>
}

/** Two processes that have each other's links. */
async function openPair(): Promise<Pair> {
  const folder = await mkdtempDisposable(join(tmpdir(), 'notif-links-'))
  const [one, other] = [await openLinks(folder.path, 1), await openLinks(folder.path, 2)]
  for (const links of [one, other]) links.setNumbers([1, 2])
  await until(() => [one, other].every(links => links.reachable().length === 1), 'both reach each other')
  return {
    one,
    other,
    async [Symbol.asyncDispose]() {
      await Promise.all([one.close(), other.close()])
      await folder.remove()
    }
  }
}

const isRefused = (limit: RateLimit): Promise<boolean> =>
  limit.take('192.0.2.1').then(
    () => false,
    (error: unknown) => error instanceof Problem && error.slug === 'rate-limited'
  )

test('a caller that has used its rate in one process is refused by the other', async () => {
  await using pair = await openPair()
  const [here, there] = [pair.one, pair.other].map(links =>
    createRateLimit('requests', 1000, 'this address', links)
  )
  await here!.take('192.0.2.1', 1000)
  let count = 0
  await until(async () => {
    count += 1
    return isRefused(there!)
  }, 'the other process refuses')
  // Alone it would refuse the next one after 1,000.
  assert.ok(count < 1000, `${count} passed`)
  assert.equal(await isRefused(createRateLimit('requests', 1000, 'another scope', pair.other)), false)
})

test('a place that one process has taken is not free in the other, until it is released or the process is gone', async () => {
  await using pair = await openPair()
  const [here, there] = [pair.one, pair.other].map(
    siblings => new CountPerKey(2, { siblings, topic: 'places' })
  )
  const release = here!.take('a')!
  assert.ok(here!.take('a'))
  const isFree = (): boolean => {
    const free = there!.take('a')
    free?.()
    return free !== undefined
  }
  await until(() => !isFree(), 'the other process knows of both')
  release()
  await until(isFree, 'one is released')
  assert.ok(here!.take('a'))
  await until(() => !isFree(), 'it is taken again')
  pair.other.setNumbers([2])
  pair.one.setNumbers([1])
  await until(isFree, 'the process that took them is gone')
  pair.one.setNumbers([1, 2])
  await until(() => !isFree(), 'a process that comes back says what it has')
})
