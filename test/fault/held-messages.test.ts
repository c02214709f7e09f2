// After repeated kill -9 of workers that release held messages, each message is in the queue of its channel once.
//
// node --test test/fault/held-messages.test.ts; NOTIF_TEST_KILLS (default 8) and TEST_SEED set other values.

import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { BOTH } from '../send/escalation/escalation-server.ts'
import { holds } from '../send/hold/hold-server.ts'
import { random } from '../support/random.ts'

const KILLS = Number((process.env['NOTIF_TEST_KILLS'] ?? '8').split(',')[0])
const USERS = ['u0', 'u1', 'u2']
const BETWEEN = 15

let worker: ChildProcess | undefined
// Also ends the process of a test that failed or timed out.
after(() => worker?.kill('SIGKILL'))

async function startWorker(url: string): Promise<ChildProcess> {
  const path = join(import.meta.dirname, '../send/hold/worker.ts')
  worker = spawn(process.execPath, [path, url], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(worker.stdout!, 'data')
  return worker
}

test('each held message is released once after every crash', { timeout: 240_000 }, async t => {
  await using h = await holds()
  const next = random()
  t.diagnostic(`TEST_SEED=${next.seed}`)
  const accepted: string[] = []
  const isHeld = async (): Promise<boolean> => (await h.rows()).some(({ queue }) => queue === 'HELD')
  const hurry = () =>
    h.db.control`
      update outbox set run_at = now()
      where (bucket, id) in (select bucket, id from outbox where queue = 'HELD' and leased for update skip locked)`
  for (let killed = 0; killed < KILLS; killed += 1) {
    const current = await startWorker(h.url)
    for (const user of USERS) await h.patch({ pause: { isOn: true } }, user)
    for (let i = 0; i < BETWEEN; i += 1) {
      const id = USERS[next(USERS.length)]!
      const { trackingId } = await h.send({ ...BOTH, to: { email: `${id}@b.example`, id } })
      accepted.push(trackingId)
    }
    await Promise.all(USERS.map(user => h.patch({ pause: { isOn: false } }, user)))
    await sleep(next(30))
    const closed = once(current, 'close')
    current.kill('SIGKILL')
    await closed
  }
  await startWorker(h.url)
  while (await isHeld()) {
    await hurry()
    await sleep(20)
  }
  const rows = await h.rows()
  assert.deepEqual(new Set(rows.map(({ queue }) => queue)), new Set(['EMAIL']))
  assert.deepEqual(rows.map(row => row.send_id).toSorted(), accepted.toSorted())
  t.diagnostic(`${rows.length} released, ${KILLS} kills, none twice`)
})
