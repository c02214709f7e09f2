// The pool of threads for templates with loops: environments take turns, a busy machine makes no template fail, and a template that
// was late lately has no second attempt.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'

import type { Problem } from '../../../server/http/problem.ts'
import {
  createRenderPool,
  type RenderOrigin,
  type RenderPool
} from '../../../server/types/templates/render-pool.ts'

/** So long that a job is never late by itself, also beside other tests. */
const MILLIS = 5_000
const loop = (count: number) => ({
  data: {},
  html: true,
  text: `{% for a in (1..${count}) %}{% for b in (1..1000) %}{{ b }}{% endfor %}{% endfor %}`
})

const A: RenderOrigin = { envId: 'a' }
const B: RenderOrigin = { envId: 'b' }

const ENDLESS = { ...loop(1), text: `{% for c in (1..1000) %}${loop(1000).text}{% endfor %}` }
const GOOD = { ...loop(1), text: 'Good.' }

/** Runs jobs at the same time. @returns their names in the order in which they ended */
async function orderOf(pool: RenderPool, jobs: Record<string, readonly [typeof GOOD, RenderOrigin]>) {
  const order: string[] = []
  const run = async ([name, [job, origin]]: [string, readonly [typeof GOOD, RenderOrigin]]) => {
    const { ok } = await pool.run(job, origin)
    order.push(`${name} ${ok}`)
  }
  await Promise.all(Object.entries(jobs).map(run))
  return order
}

/** Stops this process with all its threads for longer than a job may take. */
function standStill(): void {
  const { pid } = spawn('sh', ['-c', `sleep ${MILLIS / 1000 + 1}; kill -CONT ${process.pid}`])
  assert.ok(pid, 'nobody would wake it')
  process.kill(process.pid, 'SIGSTOP')
}

test('completes a job during which the machine stood still', async () => {
  const pool = createRenderPool({ maxBytes: 1_000_000_000, maxMs: MILLIS }, 1)
  try {
    // Runs for a moment on a fast machine, and is far from late on a busy one.
    let count = 1
    for (let took = 0; took < 50; count *= 2) {
      const began = performance.now()
      assert.ok((await pool.run(loop(count), A)).ok)
      took = performance.now() - began
    }
    const result = pool.run(loop(count / 2), A)
    standStill()
    assert.ok((await result).ok)
  } finally {
    await pool.close()
  }
})

test('puts a late template at the end of the queue, so that no other job waits for it twice', async () => {
  const pool = createRenderPool({ maxBytes: 1_000_000_000, maxMs: 1_000 }, 1)
  try {
    assert.deepEqual(await orderOf(pool, { endless: [ENDLESS, A], good: [GOOD, A] }), [
      'good true',
      'endless false'
    ])
  } finally {
    await pool.close()
  }
})

test('gives a template no second attempt that was late lately in this environment', async () => {
  const pool = createRenderPool({ maxBytes: 1_000_000_000, maxMs: 1_000 }, 1)
  try {
    await pool.run(ENDLESS, A)
    assert.deepEqual(await orderOf(pool, { endless: [ENDLESS, A], good: [GOOD, A] }), [
      'endless false',
      'good true'
    ])
    assert.deepEqual(await orderOf(pool, { endless: [ENDLESS, B], good: [GOOD, B] }), [
      'good true',
      'endless false'
    ])
  } finally {
    await pool.close()
  }
})

test('renders templates of other environments before those that one has queued', async () => {
  for (const size of [1, 2]) {
    const pool = createRenderPool({ maxBytes: 1_000_000_000, maxMs: 1_000 }, size)
    try {
      // Starts all threads, so that the order below does not depend on how long that takes.
      await Promise.all([pool.run(ENDLESS, A), pool.run(GOOD, B)])
      const order = await orderOf(pool, {
        a1: [ENDLESS, A],
        a2: [ENDLESS, A],
        a3: [ENDLESS, A],
        b: [GOOD, B]
      })
      // With one thread, a job that runs is not interrupted.
      assert.deepEqual(order.slice(0, 2), size === 1 ? ['a1 false', 'b true'] : ['b true', 'a1 false'])
    } finally {
      await pool.close()
    }
  }
})

test('drops a job that waits when its client disconnects', async () => {
  const pool = createRenderPool({ maxBytes: 1_000_000_000, maxMs: 1_000 }, 1)
  const client = new AbortController()
  try {
    const running = pool.run(ENDLESS, A)
    const waiting = pool.run(GOOD, { caller: client, envId: 'a' })
    client.abort()
    await assert.rejects(waiting, { slug: 'rate-limited' })
    assert.equal((await running).ok, false)
  } finally {
    await pool.close()
  }
})

test('asks a caller to retry if too many templates of its environment wait', async () => {
  const pool = createRenderPool({ maxBytes: 1_000_000_000, maxMs: MILLIS }, 1)
  const waiting = Array.from({ length: 1_001 }, () => pool.run(ENDLESS, A).catch(() => undefined))
  const caller = { signal: new AbortController().signal }
  await assert.rejects(pool.run(GOOD, { ...A, caller }), ({ headers, status }: Problem) => {
    assert.deepEqual([status, headers['retry-after']], [429, '1'])
    return true
  })
  // A delivery has no caller, and fails alone.
  assert.equal((await pool.run(GOOD, A)).ok, false)
  await pool.close()
  await Promise.all(waiting)
})
