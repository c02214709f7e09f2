// The deletion of a topic with many members: in chunks, continued by housekeeping, and against requests at the same time.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'

import { pino } from 'pino'

import { runDueTasks } from '../../../server/admin/housekeeping.ts'
import { bucketOf } from '../../../server/core/id.ts'
import type { Problem } from '../../../server/http/problem.ts'
import { changeMembers } from '../../../server/users/topics/members.sql.ts'
import { finishDeletion } from '../../../server/users/topics/remove-members.sql.ts'
import {
  createTopic,
  deleteTopic,
  putTopic,
  readTopic,
  whileDeleted,
  type TopicKey
} from '../../../server/users/topics/topics.sql.ts'
import { testConfig } from '../../http/serve.ts'
import { asBackEnd, CLIENT, startApp, type TestApp } from '../../security/app.ts'
import { countLockWaits } from '../../support/db.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

const newKey = (): TopicKey => ({ envId: CLIENT, topicId: `topic-${randomUUID()}` })

/** In one bucket, so that the members are in one database group, which removes a chunk at once. */
async function fill(key: TopicKey, count: number): Promise<void> {
  await createTopic(app.db, key, 'Full')
  await app.db.control`
    insert into topic_members (bucket, env_id, topic_id, user_id)
    select 7, ${key.envId}, ${key.topicId}, 'u' || i from generate_series(1, ${count}) i`
}

async function countRows({ topicId }: TopicKey): Promise<number> {
  const [row] = await app.db.control<{ count: number }[]>`
    select count(*)::int as count from topic_members where bucket >= 0 and topic_id = ${topicId}`
  return row!.count
}

const isUnavailable = (error: unknown): boolean => (error as Problem).status === 503

test('housekeeping removes what a request left', async () => {
  const key = newKey()
  await fill(key, 12_000)
  assert.ok(await deleteTopic(app.db, key))
  assert.equal(await finishDeletion(app.db, key, () => false), false)
  assert.equal(await countRows(key), 7000, 'one chunk is gone')
  assert.equal(await readTopic(app.db, key), undefined)
  await assert.rejects(putTopic(app.db, key, 'New'), isUnavailable, 'members of the old one are left')
  await assert.rejects(createTopic(app.db, key, 'New'), isUnavailable)
  assert.ok(await deleteTopic(app.db, key), 'a repeated deletion continues it')
  await app.db.control`update ticks set due_at = now() where name = 'deleted-topics'`
  const done = await runDueTasks({ config: testConfig(), db: app.db, log: pino({ level: 'silent' }) })
  assert.ok(done.includes('deleted-topics'), done.join())
  assert.equal(await countRows(key), 0)
  assert.equal(await deleteTopic(app.db, key), false)
  assert.equal((await putTopic(app.db, key, 'New')).isNew, true)
})

test('a request for the id of a large deleted topic finishes the deletion, and the new topic is empty', async () => {
  const key = newKey()
  await fill(key, 12_000)
  await deleteTopic(app.db, key)
  const body = JSON.stringify({ add: ['new'] })
  const path = `/${CLIENT}/topics/${key.topicId}/members`
  const { status, text } = await app.ask(path, { body, headers: asBackEnd, method: 'PUT' })
  assert.equal(status, 201, text)
  assert.equal(await countRows(key), 1)
})

/** Another process is removing a chunk. */
test('a deletion ends only after the chunks of other processes, so that they remove no member of a new topic', async () => {
  const key = newKey()
  await fill(key, 10)
  await deleteTopic(app.db, key)
  const chunk = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const other = whileDeleted(app.db, key, () => {
    begun.resolve()
    return chunk.promise
  })
  await begun.promise
  let isFinished = false
  const deletion = finishDeletion(app.db, key, () => true).then(() => (isFinished = true))
  await until(async () => isFinished || (await countLockWaits(app.db.control)) === 1)
  assert.equal(isFinished, false)
  chunk.resolve()
  await Promise.all([other, deletion])
  await createTopic(app.db, key, 'New')
  await changeMembers(app.db, key, { add: ['new'], remove: [] })
  assert.equal(await finishDeletion(app.db, key, () => true), true)
  assert.equal(await countRows(key), 1)
})

test('additions, deletions and creations at the same time leave no member without a topic', async () => {
  const key = newKey()
  const path = `/${CLIENT}/topics/${key.topicId}`
  const statuses = new Set<number>()
  const ask = async (method: string, at: string, body?: unknown): Promise<void> => {
    const asked = { headers: asBackEnd, method, ...(body !== undefined && { body: JSON.stringify(body) }) }
    statuses.add((await app.ask(at, asked)).status)
  }
  for (let round = 0; round < 15; round++) {
    await Promise.all([
      ask('PUT', `${path}/members`, { add: Array.from({ length: 50 }, (_, i) => `u${round}-${i}`) }),
      ask('DELETE', path),
      ask('PUT', path, { title: 'T' }),
      ask('DELETE', path),
      ask('PUT', `${path}/members`, { add: [`u${round}`], remove: [`u${round}-1`] })
    ])
    await ask('DELETE', path)
    assert.equal(await countRows(key), 0, `round ${round}`)
    const [row] = await app.db.control`select 1 from deleted_topics where id = ${key.topicId}`
    assert.equal(row, undefined, `round ${round}`)
  }
  for (const status of statuses) assert.ok([200, 201, 404, 409, 503].includes(status), String(status))
})

test('a deletion waits for members that are being added', async () => {
  const key = newKey()
  const user = 'late'
  await createTopic(app.db, key, 'T')
  let isDeleted = false
  let deletion: Promise<unknown> | undefined
  let addition: Promise<unknown> | undefined
  const rollBack = new Error('only held up')
  await assert.rejects(
    app.db.control.begin(async tx => {
      await tx`
        insert into topic_members (bucket, env_id, topic_id, user_id)
        values (${bucketOf(CLIENT, user)}, ${key.envId}, ${key.topicId}, ${user})`
      addition = changeMembers(app.db, key, { add: [user], remove: [] })
      await until(async () => (await countLockWaits(app.db.control)) === 1)
      deletion = (async () => {
        await deleteTopic(app.db, key)
        await finishDeletion(app.db, key, () => true)
        isDeleted = true
      })()
      await until(async () => isDeleted || (await countLockWaits(app.db.control)) === 2)
      throw rollBack
    }),
    rollBack
  )
  assert.deepEqual(await addition, { added: 1, removed: 0 })
  await deletion
  assert.equal(await countRows(key), 0)
  assert.equal(await readTopic(app.db, key), undefined)
})

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue()));
}
