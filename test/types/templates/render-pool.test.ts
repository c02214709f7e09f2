// Time that the machine took is not time that a template took.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'

import { createPool } from '../../../server/types/templates/render-pool.ts'

/** So long that what is under way is never late by itself, also beside other tests. */
const MILLIS = 5_000
const loop = (count: number) => ({
  data: {},
  html: true,
  text: `{% for a in (1..${count}) %}{% for b in (1..1000) %}{{ b }}{% endfor %}{% endfor %}`
})

/** A machine that stands still for longer than a job may take: here this process does, with all its threads. */
function standStill(): void {
  const { pid } = spawn('sh', ['-c', `sleep ${MILLIS / 1000 + 1}; kill -CONT ${process.pid}`])
  assert.ok(pid, 'nobody would wake it')
  process.kill(process.pid, 'SIGSTOP')
}

test('a job during which the machine stood still is done all the same', async () => {
  const pool = createPool({ bytes: 1_000_000_000, millis: MILLIS }, 1)
  try {
    // One that is under way for a moment on a fast machine, and far from late on a busy one.
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

test('a template that was late waits its turn again: nobody behind it waits for it twice', async () => {
  const pool = createPool({ bytes: 1_000_000_000, millis: 2_000 }, 1)
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
