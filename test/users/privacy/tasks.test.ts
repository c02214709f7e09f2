// Export and erasure of a user as tasks: the same rows as the synchronous routes, with progress, a result that ends, and no trace.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Task } from '../../../server/client/tasks.ts'
import { bucketOf } from '../../../server/core/id.ts'
import { deleteOldExports } from '../../../server/users/privacy/stored-exports.sql.ts'
import { asBackEnd, basic, CLIENT, OTHER, OTHER_SECRET, startApp, type TestApp } from '../../security/app.ts'
import { until } from '../../support/process.ts'

const USER = 'ada-7c1f'
const AT = `/${CLIENT}/users/${USER}/tasks`
const bucket = bucketOf(CLIENT, USER)

/** Rows of several tables, more than one chunk in one of them, and more than one part of an export. */
async function live(app: TestApp, rowCount = 2500): Promise<void> {
  const body = JSON.stringify({ email: 'ada@example.com' })
  await app.ask(`/${CLIENT}/users/${USER}`, { body, headers: asBackEnd, method: 'POST' })
  const email = { html: 'x', subject: 'x' }
  const send = JSON.stringify({ email, inapp: { title: 'x' }, to: { id: USER }, type: 'x' })
  await app.ask(`/${CLIENT}/sender`, { body: send, headers: asBackEnd, method: 'POST' })
  await app.queues.idle('EMAIL')
  await app.db.control`
    insert into sandbox_messages (bucket, id, env_id, user_id, send_id, notification_id, channel, message)
    select ${bucket}, gen_random_uuid(), ${CLIENT}, ${USER}, gen_random_uuid(), 'x', 'EMAIL',
      jsonb_build_object('html', repeat('x', 300)) from generate_series(1, ${rowCount})`
}

async function post(app: TestApp, path: string, body: object, status: number): Promise<Task> {
  const answer = await app.ask(path, { body: JSON.stringify(body), headers: asBackEnd, method: 'POST' })
  assert.equal(answer.status, status, answer.text)
  return answer.json as unknown as Task
}

const read = async (app: TestApp, { id }: Pick<Task, 'id'>): Promise<Task> =>
  (await app.ask(`${AT}/${id}`, { headers: asBackEnd })).json as unknown as Task

const done = async (app: TestApp, task: Task): Promise<Task> => {
  await until(async () => (await read(app, task)).endedAt !== undefined, 'the task has ended')
  const ended = await read(app, task)
  assert.equal(ended.state, 'done', ended.error)
  return ended
}

const sorted = (lines: string): string[] => lines.trim().split('\n').toSorted()

test('an export has the rows of the synchronous one, is bounded to its user and environment, and ends', async () => {
  await using app = await startApp()
  await live(app)
  const direct = await app.ask(`/${CLIENT}/users/${USER}/export`, { headers: asBackEnd })
  const task = await post(app, AT, { kind: 'export-user' }, 202)
  const ended = await done(app, task)
  const at = `${AT}/${task.id}/result`
  const stored = await app.ask(at, { headers: asBackEnd })
  assert.equal(stored.status, 200, stored.text)
  assert.deepEqual(sorted(stored.text), sorted(direct.text))
  assert.equal(ended.done, sorted(direct.text).length)
  assert.equal(ended.total, ended.done)
  assert.equal(ended.result?.['bytes'], Buffer.byteLength(stored.text))

  const asOther = basic(`${OTHER}:${OTHER_SECRET}`)
  for (const [path, headers] of [
    [at.replace(USER, 'bob'), asBackEnd],
    [at.replace('/result', '').replace(USER, 'bob'), asBackEnd],
    [at.replace(CLIENT, OTHER), asOther],
    [`${AT}/${task.id}`.replace(CLIENT, OTHER), asOther]
  ] as const)
    assert.equal((await app.ask(path, { headers })).status, 404, path)
  const { json } = await app.ask(AT, { headers: asBackEnd })
  assert.deepEqual(
    (json['tasks'] as Task[]).map(({ id }) => id),
    [task.id]
  )

  await app.db.control`update user_exports set created_at = now() - interval '25 hours'`
  assert.equal((await app.ask(at, { headers: asBackEnd })).status, 404)
  assert.equal(await deleteOldExports(app.db.groups[0]!), 1)
  const [left] = await app.db.control`select count(*)::integer as count from user_export_parts`
  assert.equal(left!['count'], 0)
})

test('an erasure leaves what the synchronous one leaves: a proof and no id, also not in tasks and exports', async () => {
  await using app = await startApp()
  await live(app)
  await done(app, await post(app, AT, { kind: 'export-user' }, 202))
  const task = await post(app, AT, { kind: 'erase-user' }, 202)
  const ended = await done(app, task)
  assert.deepEqual(ended.input, {})
  const { erasureId, removed } = ended.result as { erasureId: string; removed: Record<string, number> }
  assert.equal(removed['sandbox_messages'], 2501)
  assert.equal(removed['users'], 1)
  assert.equal(
    ended.done,
    Object.values(removed).reduce((sum, rows) => sum + rows, 0)
  )
  const proof = await app.ask(`/${CLIENT}/erasures/${erasureId}`, { headers: asBackEnd })
  assert.deepEqual(proof.json['removed'], removed)
  const tables = await app.db.control<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname !~ '^(audit|schema)'`
  for (const { name } of tables) {
    const found = await app.db.control`
      select from ${app.db.control(name)} t where t::text like ${`%${USER}%`} limit 1`
    assert.equal(found.count, 0, name)
  }
  const again = await done(app, await post(app, AT, { kind: 'erase-user' }, 202))
  assert.deepEqual(again.result, { redacted: {}, removed: {} })
})

test('an export can be stopped, an erasure until it begins, neither is paused, and a second order is the first', async () => {
  await using app = await startApp()
  await live(app, 1)
  // Another task about a user is at work, so that these wait.
  await app.db.control`
    insert into tasks (id, env_id, kind, state, input, per_second, created_by, user_digest, lease_until)
    values (gen_random_uuid(), ${CLIENT}, 'none', 'running', '{}', 0, 'test', 'x', now() + interval '1 hour')`
  const first = await post(app, AT, { kind: 'export-user' }, 202)
  assert.equal((await post(app, AT, { kind: 'export-user' }, 202)).id, first.id)
  const erasure = await post(app, AT, { kind: 'erase-user' }, 202)
  await post(app, `/${CLIENT}/tasks/${first.id}/pause`, {}, 409)
  assert.equal((await post(app, `${AT}/${first.id}/stop`, {}, 200)).state, 'stopped')
  await app.db
    .control`update tasks set state = 'running', lease_until = now() + interval '1 hour' where id = ${erasure.id}`
  await post(app, `${AT}/${erasure.id}/stop`, {}, 409)
  await post(app, `/${CLIENT}/tasks/${erasure.id}/stop`, {}, 409)
  const other = await app.ask(`/${CLIENT}/tasks`, {
    body: JSON.stringify({ input: { userId: USER }, kind: 'erase-user' }),
    headers: asBackEnd,
    method: 'POST'
  })
  assert.equal(other.status, 422, 'its idempotency key would be a trace')
})
