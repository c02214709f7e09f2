// Chunks of a broadcast with the real database: two processes that prepare the same users write them once, in every database group.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { bucketOf, uuidv7 } from '../../../server/core/id.ts'
import type { Db } from '../../../server/db/db.ts'
import { ensureEnvironment } from '../../../server/environments/environments.sql.ts'
import type { ClaimedTask } from '../../../server/environments/tasks/task.ts'
import { createRenderContext } from '../../../server/send/accept/prepared-send.ts'
import { broadcastTask, countUsers } from '../../../server/send/broadcast/broadcast-task.ts'
import type { Broadcast } from '../../../server/send/broadcast/broadcast.ts'
import {
  prepareChunk,
  writeChunk,
  type BroadcastRun,
  type BucketRange
} from '../../../server/send/broadcast/chunk.ts'
import { readCounts, readCursor } from '../../../server/send/broadcast/cursors.sql.ts'
import { testDb } from '../../support/db.ts'
import { random } from '../../support/random.ts'
import { TEST_ENCRYPTION } from '../../support/test-encryption.ts'
import { inTwoGroups } from '../../support/two-groups.ts'
import { PROVIDERS, testKit } from '../test-context.ts'

const ENV = 'env'
const USERS = 700

const broadcast: Broadcast = {
  send: { inapp: { title: 'Storm' }, type: 'news' },
  to: { everyone: true },
  warnings: []
}

async function addUsers(db: Db): Promise<void> {
  await ensureEnvironment(db, TEST_ENCRYPTION, { id: ENV, origins: [], secret: 's', secureMode: undefined })
  const ids = Array.from({ length: USERS }, (_, i) => `u${i}`)
  await db.control`
    insert into users (bucket, env_id, id, created_at)
    select b, ${ENV}, id, now() - interval '1 hour'
    from unnest(${ids.map(id => bucketOf(ENV, id))}::smallint[], ${ids}::text[]) u(b, id)`
}

/** A task that this process has claimed. */
async function claimed({ control }: Db): Promise<ClaimedTask> {
  const id = uuidv7(0)
  const [row] = await control<{ startedAt: Date }[]>`
    insert into tasks (id, env_id, kind, state, input, per_second, created_by, started_at)
    values (${id}, ${ENV}, 'broadcast', 'running', ${JSON.stringify(broadcast)}::text::jsonb, 0, 'test', now())
    returning started_at as "startedAt"`
  return {
    createdAt: row!.startedAt,
    createdBy: 'test',
    endedAt: null,
    envId: ENV,
    error: null,
    fence: 0,
    id,
    input: null,
    isTotalAtLeast: false,
    kind: 'broadcast',
    perSecond: 0,
    result: null,
    startAt: null,
    startedAt: row!.startedAt,
    state: 'running',
    total: null,
    userDigest: null
  }
}

async function items({ control }: Db): Promise<{ users: number; items: number; unseen: number }> {
  const [row] = await control<{ users: number; items: number; unseen: number }[]>`
    select count(distinct user_id)::integer as users, count(*)::integer as items,
      (select coalesce(sum(unseen), 0)::integer from inbox_counters) as unseen
    from inbox_items`
  return { ...row! }
}

test('of two processes that prepared the same users, one writes them', async () => {
  await using t = await testDb()
  const { db } = t
  await addUsers(db)
  const task = await claimed(db)
  const context = testKit(db)
  const chunks = { context, renderContext: createRenderContext(context, PROVIDERS) }
  const run: BroadcastRun = { audience: { envId: ENV, to: broadcast.to, until: new Date() }, broadcast, task }
  const buckets = Array.from({ length: 1024 }, (_, i) => i)
  const range: BucketRange = { bucketCount: 300, buckets, group: db.groups[0]! }
  const start = { bucket: 0, userId: '' }
  const [one, other] = await Promise.all([
    prepareChunk(chunks, run, range, start, 100),
    prepareChunk(chunks, run, range, start, 100)
  ])
  assert.equal(one.sends.length, 100)
  const written = await Promise.all([
    writeChunk(chunks, run, range, one),
    writeChunk(chunks, run, range, other)
  ])
  assert.deepEqual(written.toSorted(), [false, true])
  assert.deepEqual(await items(db), { items: 100, unseen: 100, users: 100 })
  assert.deepEqual(await readCursor(db.control, { bucket: 0, envId: ENV, id: task.id }), one.next)
  // A process that did not learn of its commit writes nothing a second time.
  assert.equal(await writeChunk(chunks, run, range, one), false)
  assert.deepEqual((await readCounts(db, [task.id])).get(task.id), { failed: 0, leftOut: 0, sent: 100 })
})

test('interrupted at any chunk, in two database groups, it reaches each user once', async () => {
  await using t = await testDb()
  await addUsers(t.db)
  const db = inTwoGroups(t.db)
  const task = await claimed(db)
  const next = random()
  const context = testKit(db)
  const kind = broadcastTask(context, PROVIDERS)
  const until = new Date(task.startedAt!.getTime() + 1)
  assert.equal(await countUsers(context, { envId: ENV, to: broadcast.to, until }), USERS)
  for (let round = 0; round < 20; round++) {
    const interrupted = new AbortController()
    let left = next(4)
    const watched = testKit(db)
    const publish = watched.live.publish
    Object.assign(watched.live, {
      publish(events: Parameters<typeof publish>[0]) {
        publish(events)
        if (left-- === 0) interrupted.abort()
      }
    })
    await broadcastTask(watched, PROVIDERS)
      .run(task, broadcast, interrupted.signal)
      .catch((error: unknown) => assert.ok(interrupted.signal.aborted, String(error)))
    const { items: count, users } = await items(db)
    assert.equal(count, users)
  }
  await kind.run(task, broadcast, new AbortController().signal)
  assert.deepEqual(await items(db), { items: USERS, unseen: USERS, users: USERS })
  assert.deepEqual((await readCounts(db, [task.id])).get(task.id), { failed: 0, leftOut: 0, sent: USERS })
})
