// Tasks over HTTP: dead letters are redriven and dropped at a rate, with progress, pause, stop and undo; each is audited, and none is seen elsewhere.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Task } from '../../server/client/tasks.ts'
import { bucketOf, placementHash, uuidv7 } from '../../server/core/id.ts'
import type { Db } from '../../server/db/db.ts'
import {
  asAdmin,
  asBackEnd,
  basic,
  CLIENT,
  OTHER,
  OTHER_SECRET,
  startApp,
  type TestApp
} from '../security/app.ts'
import { until } from '../support/process.ts'

const AT = `/${CLIENT}/tasks`
const asOther = basic(`${OTHER}:${OTHER_SECRET}`)

/** Nothing works in their queue, so that what is redriven stays in the outbox. */
async function keepLetters(
  { db }: { readonly db: Db },
  count: number,
  code: string,
  clientId = CLIENT
): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => ({
    body: '{"to":"a@example.com"}',
    bucket: bucketOf(clientId, `u${i}`),
    id: uuidv7(placementHash(clientId, `u${i}`)),
    user: `u${i}`
  }))
  await db.control`
    insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, body, code)
    select bucket, id, 'NONE', 8, ${clientId}, user_id, '{"to": "a@example.com"}', ${code}
    from unnest(${rows.map(({ bucket }) => bucket)}::smallint[], ${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ user }) => user)}::text[]) r(bucket, id, user_id)`
}

const count = async ({ db }: { readonly db: Db }, table: string, clientId = CLIENT): Promise<number> => {
  const [row] = await db.control<{ count: number }[]>`
    select count(*)::integer as count from ${db.control(table)} where env_id = ${clientId}`
  return row!.count
}

async function post(app: TestApp, path: string, body: object = {}, status = 200): Promise<Task> {
  const answer = await app.ask(path, { body: JSON.stringify(body), headers: asBackEnd, method: 'POST' })
  assert.equal(answer.status, status, answer.text)
  return answer.json as unknown as Task
}

const read = async (app: TestApp, { id }: Pick<Task, 'id'>): Promise<Task> =>
  (await app.ask(`${AT}/${id}`, { headers: asBackEnd })).json as unknown as Task

const create = (app: TestApp, kind: string, filter: object, perSecond = 1000): Promise<Task> =>
  post(app, AT, { input: { filter }, kind, perSecond }, 202)

const ended = (app: TestApp, task: Task): Promise<void> =>
  until(async () => (await read(app, task)).endedAt !== undefined, 'the task has ended')

test('redrives what matches, of its environment alone, and counts what died again', async () => {
  await using app = await startApp()
  await keepLetters(app, 30, '550')
  await keepLetters(app, 4, '421')
  await keepLetters(app, 3, '550', OTHER)
  const task = await create(app, 'redrive-dead-letters', { code: '550' })
  assert.equal(task.done, 0)
  await ended(app, task)
  const { createdBy, done, failed, state, total } = await read(app, task)
  assert.deepEqual(
    { createdBy, done, failed, state, total },
    { createdBy: 'back-end', done: 30, failed: 0, state: 'done', total: 30 }
  )
  assert.equal(await count(app, 'outbox'), 30)
  assert.equal(await count(app, 'dead_letters'), 4)
  assert.equal(await count(app, 'dead_letters', OTHER), 3)

  // Two of them die again.
  await app.db.control`
    with gone as (delete from outbox where id in (select id from outbox limit 2) returning *)
    insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, body, code)
    select bucket, id, queue, claim_count, env_id, user_id, body, '550' from gone`
  assert.equal((await read(app, task)).failed, 2)

  const audited = await app.db.control<{ actor: string; method: string }[]>`
    select actor, method from audit_calls where route = '/:clientId/tasks' and env_id = ${CLIENT}`
  assert.deepEqual([...audited], [{ actor: 'back-end', method: 'POST' }])
})

test('pauses, resumes and stops at a rate, and refuses what has ended', async () => {
  await using app = await startApp()
  await keepLetters(app, 60, '550')
  const task = await create(app, 'redrive-dead-letters', {}, 10)
  await until(async () => (await read(app, task)).done > 0, 'the task works')
  assert.equal((await post(app, `${AT}/${task.id}/pause`)).state, 'paused')
  // The chunk at work when the pause came has ended when a second claim could begin.
  await until(async () => {
    const [row] = await app.db.control<{ isOver: boolean }[]>`
      select lease_until < now() + interval '8 seconds' as "isOver" from tasks where id = ${task.id}`
    return row!.isOver
  }, 'no chunk is at work')
  const paused = (await read(app, task)).done
  assert.equal(await count(app, 'outbox'), paused)
  assert.ok(paused < 60)
  await post(app, `${AT}/${task.id}/resume`)
  await until(async () => (await read(app, task)).done > paused, 'the task goes on')
  assert.equal((await post(app, `${AT}/${task.id}/stop`)).state, 'stopped')
  await post(app, `${AT}/${task.id}/resume`, {}, 409)
  await until(
    async () => (await count(app, 'outbox')) === (await read(app, task)).done,
    'what was done is counted'
  )
  assert.equal((await count(app, 'outbox')) + (await count(app, 'dead_letters')), 60)
})

test('restores what a task or a request dropped, as it was', async () => {
  await using app = await startApp()
  await keepLetters(app, 12, '550')
  const print = async () =>
    await app.db
      .control`select id, claim_count, body, code, died_at from dead_letters where env_id = ${CLIENT} order by id`
  const before = await print()
  const drop = await create(app, 'drop-dead-letters', { code: '550' })
  await ended(app, drop)
  assert.equal(await count(app, 'dead_letters'), 0)
  assert.equal(await count(app, 'dropped_letters'), 12)
  const undo = await post(app, AT, { input: { taskId: drop.id }, kind: 'restore-dead-letters' }, 202)
  await ended(app, undo)
  assert.deepEqual([...(await print())], [...before])
  assert.equal((await read(app, undo)).done, 12)

  const ids = before.slice(0, 2).map(({ id }) => String(id))
  await post(app, `/${CLIENT}/dead-letters/drop`, { ids })
  const stolen = await app.ask(`/${OTHER}/dead-letters/restore`, {
    body: JSON.stringify({ ids }),
    headers: asOther,
    method: 'POST'
  })
  assert.equal(stolen.json['count'], 0)
  const back = await app.ask(`/${CLIENT}/dead-letters/restore`, {
    body: JSON.stringify({ ids }),
    headers: asBackEnd,
    method: 'POST'
  })
  assert.equal(back.json['count'], 2)
  assert.deepEqual([...(await print())], [...before])
})

test('another environment finds no task, and wrong input names its field', async () => {
  await using app = await startApp()
  const task = await create(app, 'drop-dead-letters', { code: 'none' })
  for (const [method, path] of [
    ['GET', `/${OTHER}/tasks/${task.id}`],
    ['POST', `/${OTHER}/tasks/${task.id}/stop`]
  ] as const) {
    assert.equal((await app.ask(path, { headers: asOther, method })).status, 404)
  }
  assert.deepEqual((await app.ask(`/${OTHER}/tasks`, { headers: asOther })).json, { tasks: [] })
  const wrong = await app.ask(AT, {
    body: JSON.stringify({ input: { filter: { kanal: 'EMAIL' } }, kind: 'drop-dead-letters' }),
    headers: asBackEnd,
    method: 'POST'
  })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /#\/input\/filter/)
  const admin = await app.ask(AT, { headers: asAdmin })
  assert.equal((admin.json['tasks'] as unknown[]).length, 1)
})
