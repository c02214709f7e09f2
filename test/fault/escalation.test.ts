// After repeated kill -9 of workers that end delays, each delayed email is sent once, or cancelled because its item was read.
//
// node --test test/fault/escalation.test.ts; NOTIF_TEST_KILLS (default 8) and TEST_SEED set other values.

import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { BOTH, escalations, UNLESS_READ } from '../send/escalation/escalation-server.ts'
import { random } from '../support/random.ts'

const KILLS = Number((process.env['NOTIF_TEST_KILLS'] ?? '8').split(',')[0])
const WORKERS = 2
/** Sends whose delays end between two kills. */
const BETWEEN = 15

const started: ChildProcess[] = []
// Also ends the processes of a test that failed or timed out.
after(() => {
  for (const worker of started) worker.kill('SIGKILL')
})

async function startWorker(url: string): Promise<ChildProcess> {
  const path = join(import.meta.dirname, '../send/escalation/worker.ts')
  const worker = spawn(process.execPath, [path, url], { stdio: ['pipe', 'pipe', 'inherit'] })
  started.push(worker)
  await once(worker.stdout!, 'data')
  return worker
}

async function kill(worker: ChildProcess): Promise<void> {
  const closed = once(worker, 'close')
  worker.kill('SIGKILL')
  await closed
}

test('each delayed email is sent or cancelled once after every crash', { timeout: 240_000 }, async t => {
  await using e = await escalations(UNLESS_READ)
  const next = random()
  t.diagnostic(`TEST_SEED=${next.seed}`)
  const read = new Set<string>()
  const unread = new Set<string>()
  const endDelays = () =>
    e.db.control`
      update outbox set run_at = now()
      where (bucket, id) in (
        select bucket, id from outbox where queue = 'ESCALATE' and not leased for update skip locked)`
  /** Also those of the workers that live, once for each kill: repeated ends would use up the attempts of rows that are worked on. */
  const endLeases = () => e.db.control`update outbox set run_at = now() where queue = 'ESCALATE' and leased`
  const left = async (): Promise<number> =>
    (await e.rows()).filter(({ queue }) => queue === 'ESCALATE').length
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => startWorker(e.url)))
  for (let killed = 0; killed < KILLS; killed += 1) {
    for (let i = 0; i < BETWEEN; i += 1) {
      const user = `u${next(5)}`
      const { trackingId } = await e.send({ ...BOTH, to: { email: `${user}@b.example`, id: user } })
      if (next(2) === 0) {
        await e.mark(trackingId, { opened: new Date().toISOString() }, user)
        read.add(trackingId)
      } else unread.add(trackingId)
    }
    const before = await left()
    await endDelays()
    while ((await left()) === before) await sleep(1)
    const at = next(WORKERS)
    await kill(workers[at]!)
    await endLeases()
    workers[at] = await startWorker(e.url)
  }
  while ((await left()) > 0) {
    await endDelays()
    await sleep(20)
  }
  const dead = await e.db.control`select code, detail from dead_letters`
  assert.deepEqual([...dead], [])
  const mails = (await e.rows()).map(({ send_id }) => send_id)
  assert.deepEqual(mails.toSorted(), [...unread].toSorted())
  const rows = await e.db.control<{ id: string; decision: string }[]>`
    select id, decisions ->> 'EMAIL' as decision from sends`
  const sorted = (decision: string): string[] =>
    rows.flatMap(row => (row.decision === decision ? row.id : [])).toSorted()
  assert.deepEqual(sorted('cancelled'), [...read].toSorted())
  assert.deepEqual(sorted('sent'), [...unread].toSorted())
  t.diagnostic(`${mails.length} sent, ${read.size} cancelled, ${KILLS} kills, none twice`)
})
