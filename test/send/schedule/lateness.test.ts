// A thousand schedules of the same second are sent within a second of their time, and none before.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { environmentSettings } from '../../../server/config/environment-settings.ts'
import type { InboxEvent } from '../../../server/core/live-updates.ts'
import { ensureEnvironment } from '../../../server/environments/environments.sql.ts'
import type { Context } from '../../../server/process/context.ts'
import { openQueues } from '../../../server/queue/open-queues.ts'
import { openAcceptor } from '../../../server/send/accept/accept.ts'
import { parseSend } from '../../../server/send/parse-send.ts'
import { openSendModule } from '../../../server/send/send-module.ts'
import { RECORDS } from '../../queue/test-queue.ts'
import { testDb } from '../../support/db.ts'
import { random, type Random } from '../../support/random.ts'
import { TEST_ENCRYPTION } from '../../support/test-encryption.ts'
import { PROVIDERS, testKit } from '../test-context.ts'

const COUNT = 1000
/** Time to store all schedules before the first is due, in milliseconds. */
const AHEAD = 8000
const ALLOWED = 1000
/** A busy machine may delay a round. */
const ROUNDS = 3

/** @returns by how many milliseconds each send is late, in order */
async function measure(next: Random): Promise<number[]> {
  await using database = await testDb()
  const { db } = database
  await ensureEnvironment(db, TEST_ENCRYPTION, { id: 'env', origins: [], secret: 's', secureMode: undefined })
  const sentAt = new Map<string, number>()
  const all = Promise.withResolvers<void>()
  const publish = (events: readonly InboxEvent[]): void => {
    const now = Date.now()
    for (const { change } of events) for (const { id } of change.items) sentAt.set(id, now)
    if (sentAt.size === COUNT) all.resolve()
  }
  const context: Context = { ...testKit(db), live: { preferencesChanged() {}, recheck() {}, publish } }
  const sender = openSendModule(context, PROVIDERS)
  const acceptor = openAcceptor(context, PROVIDERS)
  const environment = { id: 'env', secret: 's', secrets: ['s'], settings: environmentSettings.parse({}) }

  const begin = Math.ceil((Date.now() + AHEAD) / 1000) * 1000
  const due = new Map<string, number>()
  await Promise.all(
    Array.from({ length: COUNT }, async (_, i) => {
      const at = begin + next(1000)
      const body = {
        inapp: { title: 'Now' },
        schedule: new Date(at).toISOString(),
        to: { id: `u${i % 300}` },
        type: 't'
      }
      const { body: answer } = await acceptor.accept({
        ...parseSend(body, Date.now(), () => []),
        claim: undefined,
        environment
      })
      due.set((answer as { trackingId: string }).trackingId, at)
    })
  )

  const queues = openQueues(db, { ...RECORDS, clock: Date.now, log: context.log })
  queues.add(sender.schedule)
  queues.start()
  const patience = setTimeout(all.resolve, begin + 30_000 - Date.now())
  await all.promise
  clearTimeout(patience)
  await queues.stop(1000)

  assert.equal(sentAt.size, COUNT)
  return [...due].map(([id, at]) => sentAt.get(id)! - at).toSorted((a, b) => a - b)
}

test(`${COUNT} schedules of one second`, { timeout: 300_000 }, async t => {
  const next = random()
  t.diagnostic(`seed ${next.seed}`)
  for (let round = 1; ; round++) {
    const late = await measure(next)
    const share = (part: number): number => late[Math.ceil(part * COUNT) - 1]!
    t.diagnostic(`late by ${share(0.5)} ms p50, ${share(0.99)} ms p99, ${share(1)} ms at most`)
    assert.ok(late[0]! >= -5, `one came ${-late[0]!} ms too early`)
    if (share(1) <= ALLOWED) return
    assert.ok(round < ROUNDS, `one came ${share(1)} ms late, in each of ${ROUNDS} rounds`)
  }
})
