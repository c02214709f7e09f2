// Exports whose readers take nothing hold export connections only, and none of the workers' connections.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { test } from 'node:test'

import { pino } from 'pino'

import { bucketOf } from '../../../server/core/id.ts'
import { exportRoute } from '../../../server/users/privacy/route.ts'
import * as serving from '../../http/serve.ts'
import { asBackEnd, basic, CLIENT, OTHER, OTHER_SECRET, startApp, type TestApp } from '../../security/app.ts'

const USER = 'fat'

/** More than the buffers on the way to a reader. */
async function fill({ db }: Pick<TestApp, 'db'>): Promise<void> {
  await db.control`
    insert into sandbox_messages (bucket, id, env_id, user_id, send_id, notification_id, channel, message)
    select ${bucketOf(CLIENT, USER)}, gen_random_uuid(), ${CLIENT}, ${USER}, gen_random_uuid(), 'x', 'EMAIL',
      jsonb_build_object('html', repeat('x', 400000)) from generate_series(1, 60)`
}

/** Requests an export and reads only the head of the answer. */
async function stalled(
  port: number,
  headers = asBackEnd
): Promise<{ readonly socket: Socket; readonly status: string }> {
  const socket = connect(port, '127.0.0.1')
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET /${CLIENT}/users/${USER}/export HTTP/1.1\r\nhost: x\r\n${head.join('')}\r\n`)
  const first = await new Promise<string>(resolve => socket.once('data', data => resolve(String(data))))
  socket.pause()
  return { socket, status: first.slice(9, 12) }
}

test('delivers emails while readers of exports take nothing', { timeout: 60_000 }, async () => {
  await using app = await startApp({ NOTIF_DB_CONNECTIONS: '4' })
  await fill(app)
  const readers = await Promise.all(Array.from({ length: 4 }, () => stalled(app.port)))
  const email = { html: 'x', subject: 'x' }
  const body = JSON.stringify({ email, to: { email: 'b@example.org', id: 'b' }, type: 'x' })
  const { json } = await app.ask(`/${CLIENT}/sender`, { body, headers: asBackEnd, method: 'POST' })
  await app.queues.idle('EMAIL')
  const sent = await app.ask(`/${CLIENT}/logs/${json['trackingId']}`, { headers: asBackEnd })
  assert.equal(sent.json['status'], 'success')
  // One environment has one slot, so other environments do not wait for its reader.
  assert.deepEqual(readers.map(({ status }) => status).sort(), ['200', '503', '503', '503'])
  const refused = await app.ask(`/${CLIENT}/users/${USER}/export`, { headers: asBackEnd })
  assert.equal(refused.headers['retry-after'], '5')
  const headers = basic(`${OTHER}:${OTHER_SECRET}`)
  for (const turn of ['first', 'second']) {
    assert.equal((await app.ask(`/${OTHER}/users/${USER}/export`, { headers })).status, 200, turn)
  }

  for (const { socket } of readers) socket.destroy()
  let again = '503'
  while (again === '503') {
    const next = await stalled(app.port)
    again = next.status
    next.socket.destroy()
  }
  assert.equal(again, '200')
})

test(
  'aborts an export that is not read if another environment needs its slot',
  { timeout: 60_000 },
  async () => {
    const events: string[] = []
    const log = pino(
      new Writable({
        write(chunk, _encoding, done) {
          events.push(JSON.parse(String(chunk)).event as string)
          done()
        }
      })
    )
    await using served = await serving.serve(db => [
      exportRoute({ db, log }, { readerTimeoutMs: 1000, slotCount: 1 })
    ])
    await fill(served)
    const { socket, status } = await stalled(Number(new URL(served.url).port), serving.asBackEnd)
    assert.equal(status, '200')
    const headers = basic(`${OTHER}:${serving.OTHER_SECRET}`)
    let given = 503
    while (given === 503) {
      const answer = await served.fetch(`/${OTHER}/users/${USER}/export`, { headers })
      given = answer.status
      await answer.text()
    }
    assert.equal(given, 200)
    assert.deepEqual(events, ['export_aborted'])
    socket.resume()
    await once(socket, 'close')
  }
)
