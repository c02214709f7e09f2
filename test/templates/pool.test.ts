// Time that the machine took is not time that a template took.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'

import { createPool } from '../../server/templates/pool.ts'

/** So long that what is under way is never late by itself, also beside other tests. */
const MILLIS = 5_000
const loop = (count: number) => ({
  data: {},
  html: true,
  text: `{% for a in (1..${count}) %}{% for b in (1..1000) %}{{ b }}{% endfor %}{% endfor %}`
})

test('a job during which the machine stood still is done all the same', async () => {
  const pool = createPool({ bytes: 1_000_000_000, millis: MILLIS }, 1)
  try {
    // One that is under way when the signal comes, however fast the machine is.
    let count = 50
    for (let took = 0; took < 250; count *= 2) {
      const began = performance.now()
      assert.ok((await pool.run(loop(count))).ok)
      took = performance.now() - began
    }
    const result = pool.run(loop(count / 2))
    spawn('sh', ['-c', `kill -STOP ${process.pid}; sleep 6; kill -CONT ${process.pid}`])
    assert.ok((await result).ok)
  } finally {
    await pool.close()
  }
})

test('a template that was late waits its turn again: nobody behind it waits for it twice', async () => {
  const pool = createPool({ bytes: 1_000_000_000, millis: 1_000 }, 1)
  const order: string[] = []
  try {
    const endless = { ...loop(1), text: `{% for c in (1..1000) %}${loop(1000).text}{% endfor %}` }
    const jobs = Object.entries({ endless, good: loop(1) })
    await Promise.all(jobs.map(([name, job]) => pool.run(job).then(({ ok }) => order.push(`${name} ${ok}`))))
    assert.deepEqual(order, ['good true', 'endless false'])
  } finally {
    await pool.close()
  }
})
