// Promise 5: after repeated kill -9 of workers that build digests, each item is in exactly one digest.
//
// node --test test/fault/digest.test.ts; NOTIF_TEST_KILLS (default 8) and TEST_SEED set other values.

import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { digests, MAIL, type Digests } from '../send/digest/digest-server.ts'
import { random } from '../support/random.ts'

const KILLS = Number((process.env['NOTIF_TEST_KILLS'] ?? '8').split(',')[0])
const USERS = 12
const WORKERS = 2
/** Digests that must be built between two kills, so that each kill interrupts work. */
const BETWEEN = 4

const started: ChildProcess[] = []
// Also ends the processes of a test that failed or timed out.
after(() => {
  for (const worker of started) worker.kill('SIGKILL')
})

async function startWorker(url: string): Promise<ChildProcess> {
  const worker = spawn(process.execPath, [join(import.meta.dirname, '../send/digest/worker.ts'), url], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  started.push(worker)
  await once(worker.stdout!, 'data')
  return worker
}

async function kill(worker: ChildProcess): Promise<void> {
  const closed = once(worker, 'close')
  worker.kill('SIGKILL')
  await closed
}

/** Makes every digest due and ends every lease, so that workers in progress are late. */
const hurry = (d: Digests) =>
  d.db.control`
    update outbox set run_at = now(), body = jsonb_set(body, '{dueAt}', '0')
    where (bucket, id) in (select bucket, id from outbox where queue = 'DIGEST' for update skip locked)`

const composed = async (d: Digests): Promise<number> => (await d.deliveries()).length

/** Makes digests due until the condition holds. */
async function until(d: Digests, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await holds())) {
    assert.ok(Date.now() < end, 'nothing moves')
    await hurry(d)
    await sleep(30)
  }
}

/** Kills all workers when one has written everything and waits before its commit for a lock of the log. */
async function killBeforeCommit(d: Digests, workers: readonly ChildProcess[]): Promise<void> {
  const stands = async (): Promise<boolean> => {
    const rows = await d.db.control`
      select 1 from pg_locks join pg_stat_activity using (pid)
      where not granted and relation = 'sends'::regclass and query like '%update sends%'`
    return rows.length > 0
  }
  await d.db.of(0).sql.begin(async tx => {
    await tx`lock table sends in share row exclusive mode`
    await until(d, stands)
    await Promise.all(workers.map(kill))
  })
}

test('each item is in exactly one digest after every crash', { timeout: 240_000 }, async t => {
  await using d = await digests()
  const next = random()
  t.diagnostic(`TEST_SEED=${next.seed}`)
  for (let user = 0; user < USERS; user++) await d.want('daily', { user: `u${user}` })

  let sent = 0
  const stop = new AbortController()
  const accepted: number[] = []
  const call = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const n = sent++
      const user = `u${next(USERS)}`
      // A change of the period moves pending items, which must not lose any.
      if (next(5) === 0) await d.want((['hourly', 'daily', 'weekly'] as const)[next(3)]!, { user })
      const to = { email: `${user}@example.com`, id: user }
      const { status } = await d.send({ ...MAIL, parameters: { n }, to })
      if (status === 200) accepted.push(n)
    }
  }
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => startWorker(d.url)))
  try {
    const callers = [call(), call(), call()]
    for (let killed = 0; killed < KILLS; killed++) {
      if (killed % 2 === 1) {
        await killBeforeCommit(d, workers)
        for (const at of workers.keys()) workers[at] = await startWorker(d.url)
        continue
      }
      const before = await composed(d)
      await until(d, async () => (await composed(d)) >= before + BETWEEN)
      const at = next(WORKERS)
      await kill(workers[at]!)
      workers[at] = await startWorker(d.url)
    }
    stop.abort()
    await Promise.all(callers)
    await until(d, async () => (await d.items()).length === 0 && (await d.heads()).length === 0)
  } finally {
    stop.abort()
    for (const worker of workers) worker.kill('SIGKILL')
  }

  const deliveries = await d.deliveries()
  const found = deliveries.flatMap(({ body }) =>
    (body['send'] as { parameters: { _items: { n: number }[] } }).parameters._items.map(({ n }) => n)
  )
  assert.deepEqual(
    found.toSorted((a, b) => a - b),
    accepted.toSorted((a, b) => a - b)
  )
  const [log] = await d.db.control<{ waiting: number; dead: number }[]>`
    select (select count(*)::int from sends where decisions ->> 'EMAIL' <> 'digested') as waiting,
      (select count(*)::int from dead_letters) as dead`
  assert.deepEqual({ ...log }, { dead: 0, waiting: 0 })
  t.diagnostic(`${found.length} items in ${deliveries.length} digests, ${KILLS} kills, none lost, none twice`)
})
