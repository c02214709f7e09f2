// A busy machine does not make templates fail.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'

import { createRenderPool } from '../../../server/types/templates/render-pool.ts'

/** So long that a job is never late by itself, also beside other tests. */
const MILLIS = 5_000
const loop = (count: number) => ({
  data: {},
  html: true,
  text: `{% for a in (1..${count}) %}{% for b in (1..1000) %}{{ b }}{% endfor %}{% endfor %}`
})

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
      assert.ok((await pool.run(loop(count))).ok)
      took = performance.now() - began
    }
    const result = pool.run(loop(count / 2))
    standStill()
    assert.ok((await result).ok)
  } finally {
    await pool.close()
  }
})

test('puts a late template at the end of the queue, so that no other job waits for it twice', async () => {
  const pool = createRenderPool({ maxBytes: 1_000_000_000, maxMs: 2_000 }, 1)
  const order: string[] = []
  try {
    const endless = { ...loop(1), text: `{% for c in (1..1000) %}${loop(1000).text}{% endfor %}` }
    const good = { ...loop(1), text: 'Good.' }
    const jobs = Object.entries({ endless, good })
    await Promise.all(jobs.map(([name, job]) => pool.run(job).then(({ ok }) => order.push(`${name} ${ok}`))))
    assert.deepEqual(order, ['good true', 'endless false'])
  } finally {
    await pool.close()
  }
})
