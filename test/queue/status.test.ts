// Operators see how much each queue has to do, how late it is, and until when it is paused.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { QueueStatus } from '../../server/client/queues.ts'
import { MAX_COUNTED_ROWS, readQueueStatus } from '../../server/queue/status/status.sql.ts'
import { asAdmin, asBackEnd, CLIENT, startApp } from '../security/app.ts'
import { testDb } from '../support/db.ts'
import { until } from '../support/process.ts'
import { inTwoGroups } from '../support/two-groups.ts'
import { newRow, put } from './test-queue.ts'

test('counts due and later rows of each queue up to a limit, and the age of the oldest', async () => {
  await using t = await testDb()
  await put(
    t.db,
    Array.from({ length: 40 }, (_, i) => ({
      ...newRow(`u${i}`),
      queue: i % 4 === 0 ? ('SMS' as const) : ('EMAIL' as const),
      runAt: new Date(Date.now() + (i < 20 ? -60_000 - 1000 * i : 3_600_000))
    }))
  )
  const statusOf = async (limit?: number) =>
    (await Promise.all(inTwoGroups(t.db).groups.map(group => readQueueStatus(group, limit)))).flat()
  const sum = (queue: string, name: 'due' | 'later', all: Awaited<ReturnType<typeof statusOf>>) =>
    all.filter(one => one.queue === queue).reduce((total, one) => total + one[name], 0)
  const all = await statusOf()
  assert.deepEqual(
    ['EMAIL', 'SMS', 'CALL'].map(queue => [sum(queue, 'due', all), sum(queue, 'later', all)]),
    [
      [15, 15],
      [5, 5],
      [0, 0]
    ]
  )
  const oldest = Math.max(...all.map(one => one.oldestDueSeconds ?? 0))
  assert.ok(oldest >= 79 && oldest < 600, `${oldest} s`)
  assert.ok((await statusOf(2)).every(({ due, later }) => due <= 2 && later <= 2))
  assert.ok(MAX_COUNTED_ROWS > 2)
})

test('GET /queues says why and until when a queue is paused, to operators only', async () => {
  // Nothing listens at this port.
  await using app = await startApp({ NOTIF_SMTP_URL: 'smtp://127.0.0.1:1' })
  const sent = await app.ask(`/${CLIENT}/sender`, {
    body: JSON.stringify({
      email: { html: 'x', subject: 'x' },
      to: { email: 'a@example.com', id: 'a' },
      type: 'new_comment'
    }),
    headers: asBackEnd,
    method: 'POST'
  })
  assert.equal(sent.status, 200, sent.text)
  const read = async (): Promise<QueueStatus> => {
    const answer = await app.ask('/queues', { headers: asAdmin })
    assert.equal(answer.status, 200)
    return (answer.json as unknown as { queues: QueueStatus[] }).queues.find(
      ({ queue }) => queue === 'EMAIL'
    )!
  }
  await until(async () => (await read()).paused !== undefined, 'the queue is paused')
  const { due, later, paused } = await read()
  assert.equal(due.count + later.count, 1)
  assert.equal(due.isAtLeast, false)
  assert.ok(Date.parse(paused!.until) > Date.parse(paused!.since))
  assert.match(paused!.code, /ECONNREFUSED|connect|ESOCKET/)
  for (const headers of [asBackEnd, {}]) assert.equal((await app.ask('/queues', { headers })).status, 401)
})
