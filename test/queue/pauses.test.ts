// An operator pauses a queue: no worker starts another attempt, attempts in progress finish, and nothing is lost, also after a restart.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { QueueStatus } from '../../server/client/queues.ts'
import { deletePause, writePause } from '../../server/queue/pauses/pauses.sql.ts'
import { asAdmin, asBackEnd, CLIENT, startApp, type Answer } from '../security/app.ts'
import { testDb } from '../support/db.ts'
import { until } from '../support/process.ts'
import { deliver, newRow, openTestQueues, put, readAttempts, waitingIn } from './test-queue.ts'

const pause = (query: Parameters<typeof writePause>[0], end: Date | null = null) =>
  writePause(query, { by: 'admin:1', queue: 'EMAIL', until: end })

test('attempts in progress finish, and rows that were claimed ahead return to the queue', async () => {
  await using t = await testDb()
  const started: string[] = []
  const gate = Promise.withResolvers<void>()
  await using queues = openTestQueues(t.db)
  queues.add(
    deliver(
      async row => {
        started.push(row.userId)
        await gate.promise
        return { kind: 'sent', ref: 'ok' }
      },
      { concurrency: 2 }
    )
  )
  await put(
    t.db,
    Array.from({ length: 8 }, (_, i) => newRow(`u${i}`))
  )
  queues.start()
  await until(() => Promise.resolve(started.length === 2), 'two attempts run')
  await pause(t.db.control)
  await until(() => Promise.resolve(queues.isPausedByOperator('EMAIL')), 'the worker knows the pause')
  gate.resolve()
  await queues.idle('EMAIL')
  assert.equal(started.length, 2)
  assert.deepEqual(
    (await waitingIn(t.db)).map(({ attempts_left, leased }) => [attempts_left, leased]),
    Array.from({ length: 6 }, () => [8, false])
  )
  await deletePause(t.db.control, 'EMAIL')
  await until(async () => (await waitingIn(t.db)).length === 0, 'the queue is empty')
  assert.deepEqual(started.toSorted(), ['u0', 'u1', 'u2', 'u3', 'u4', 'u5', 'u6', 'u7'])
  assert.equal((await readAttempts(t.db)).length, 8)
})

test('a queue that was paused before the start sends nothing, and continues at the end of the pause', async () => {
  await using t = await testDb()
  const end = Date.now() + 1500
  await pause(t.db.control, new Date(end))
  await put(t.db, [newRow('u1')])
  let at = 0
  await using queues = openTestQueues(t.db)
  queues.add(
    deliver(async () => {
      at = Date.now()
      return { kind: 'sent', ref: 'ok' }
    })
  )
  queues.start()
  await until(async () => (await waitingIn(t.db)).length === 0, 'the queue is empty')
  assert.ok(at >= end, `${end - at} ms before the end`)
})

test('the routes pause and resume a queue of all environments, for operators, and say by whom and until when', async () => {
  await using app = await startApp()
  const post = (path: string, body: object = {}): Promise<Answer> =>
    app.ask(path, { body: JSON.stringify(body), headers: asAdmin, method: 'POST' })
  const end = new Date(Date.now() + 3_600_000).toISOString()
  const paused = await post('/queues/email/pause', { until: end })
  assert.equal(paused.status, 200, paused.text)
  const { by, since, until: shownEnd } = paused.json['paused'] as Record<string, string>
  assert.match(by!, /^admin:[0-9a-f]{8}$/)
  assert.ok(Date.parse(since!) <= Date.now())
  assert.equal(shownEnd, end)
  const read = async (): Promise<QueueStatus> => {
    const { queues } = (await app.ask('/queues', { headers: asAdmin })).json as unknown as {
      queues: QueueStatus[]
    }
    return queues.find(({ queue }) => queue === 'EMAIL')!
  }
  assert.deepEqual((await read()).pausedByOperator, { by, since, until: end })
  // Another call replaces the end, and not the beginning.
  assert.deepEqual((await post('/queues/EMAIL/pause')).json['paused'], { by, since })

  await until(() => Promise.resolve(app.queues.isPausedByOperator('EMAIL')), 'the worker knows the pause')
  const send = {
    email: { html: 'x', subject: 'x' },
    to: { email: 'a@example.com', id: 'a' },
    type: 'new_comment'
  }
  const sent = await app.ask(`/${CLIENT}/sender`, {
    body: JSON.stringify(send),
    headers: asBackEnd,
    method: 'POST'
  })
  assert.equal(sent.status, 200, sent.text)
  await app.queues.idle('EMAIL')
  assert.equal((await read()).due.count, 1)

  assert.deepEqual((await post('/queues/EMAIL/resume')).json, { queue: 'EMAIL' })
  await until(async () => (await read()).due.count === 0, 'the mail went out')
  assert.equal((await read()).pausedByOperator, undefined)
  assert.equal((await post('/queues/FAX/pause')).status, 404)
  assert.equal((await post('/queues/EMAIL/pause', { until: 'soon' })).status, 422)
})
