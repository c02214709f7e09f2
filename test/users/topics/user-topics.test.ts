// Topics of a user: what the preferences show, leaving a topic, and joining it again.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'

import { pino } from 'pino'

import { isPreferences, type Preferences } from '#protocol'

import { runDueTasks } from '../../../server/admin/housekeeping.ts'
import { bucketOf } from '../../../server/core/id.ts'
import { insertReceivedTopics } from '../../../server/users/preferences/preferences.sql.ts'
import { REJOIN_MINUTES } from '../../../server/users/topics/user-topics.sql.ts'
import { testConfig } from '../../http/serve.ts'
import { plainClient, until } from '../../inbox/live/test-node.ts'
import { asBackEnd, asUser, CLIENT, hashOf, startApp, type Answer, type TestApp } from '../../security/app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
  for (const id of ['release', 'invoice']) {
    const body = { templates: { email: { html: 'x', subject: 'x' }, inapp: { title: 'x' } }, title: id }
    await ask('PUT', `notifications/${id}`, asBackEnd, body)
  }
})
after(() => app[Symbol.asyncDispose]())

const ask = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown
): Promise<Answer> =>
  app.ask(`/${CLIENT}/${path}`, {
    headers,
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })

const newUser = (): string => `user-${randomUUID()}`
const newTopic = (): string => `topic/${randomUUID()}`
const path = (topic: string): string => `topics/${encodeURIComponent(topic)}`

async function add(topic: string, ...users: readonly string[]): Promise<void> {
  const { status, text } = await ask('PUT', `${path(topic)}/members`, asBackEnd, { add: users })
  assert.ok(status < 300, text)
}

async function topicsOf(user: string): Promise<string[]> {
  const { json, text } = await ask('GET', `users/${user}/topics`, asUser(user))
  assert.ok(Array.isArray(json['topics']), text)
  return (json['topics'] as { id: string }[]).map(({ id }) => id)
}

const leave = (user: string, topic: string, headers = asUser(user)) =>
  ask('DELETE', `users/${user}/${path(topic)}`, headers)
const rejoin = (user: string, topic: string, headers = asUser(user)) =>
  ask('PUT', `users/${user}/${path(topic)}`, headers)

test('a user sees the own topics with their titles, in pages', async () => {
  const user = newUser()
  const ids = Array.from({ length: 5 }, newTopic).toSorted()
  for (const id of ids) {
    await add(id, user, 'somebody')
    await ask('PUT', path(id), asBackEnd, { title: `Title of ${id}` })
  }
  const seen: { id: string; title: string; addedAt: string }[] = []
  for (let query = '?count=2'; query !== '';) {
    const { json } = await ask('GET', `users/${user}/topics${query}`, asUser(user))
    seen.push(...(json['topics'] as typeof seen))
    query = typeof json['next'] === 'string' ? `?count=2&cursor=${json['next']}` : ''
  }
  assert.deepEqual(
    seen.map(({ id, title }) => [id, title]),
    ids.map(id => [id, `Title of ${id}`])
  )
  for (const { addedAt } of seen) assert.ok(Math.abs(Date.parse(addedAt) - Date.now()) < 600_000, addedAt)
  assert.deepEqual(await topicsOf(newUser()), [])
})

const preferencesOf = async (user: string): Promise<Preferences> => {
  const { json } = await ask('GET', `users/${user}/preferences`, asUser(user))
  assert.ok(isPreferences(json))
  return json
}

test('the preferences list the topics of the user by title', async () => {
  const user = newUser()
  const [a, b] = [newTopic(), newTopic()]
  await add(a, user)
  await add(b, user)
  await ask('PUT', path(a), asBackEnd, { title: 'Zebras' })
  await ask('PUT', path(b), asBackEnd, { title: 'Antelopes' })
  assert.deepEqual((await preferencesOf(user)).topics, [
    { id: b, title: 'Antelopes' },
    { id: a, title: 'Zebras' }
  ])
  await ask('DELETE', path(b), asBackEnd)
  assert.deepEqual((await preferencesOf(user)).topics, [{ id: a, title: 'Zebras' }])
})

test('a topic that was sent to the user is a sub-notification with its title', async () => {
  const user = newUser()
  const topic = newTopic()
  await add(topic, user)
  await ask('PUT', path(topic), asBackEnd, { title: 'Beta testers' })
  const bucket = bucketOf(CLIENT, user)
  const received = {
    bucket,
    envId: CLIENT,
    notificationId: 'release',
    subNotificationId: topic,
    userId: user
  }
  await insertReceivedTopics(app.db.of(bucket).sql, [received])
  const shown = async () => (await preferencesOf(user)).subNotifications
  const row = { notificationId: 'release', subNotificationId: topic }
  assert.deepEqual(await shown(), [{ ...row, title: 'Beta testers' }])
  const { text } = await ask('GET', `users/${user}/overview`, asBackEnd)
  assert.match(text, /Beta testers/)
  const sub = `notifications/release/subNotifications/${encodeURIComponent(topic)}`
  await ask('PUT', sub, asBackEnd, { title: 'Releases for testers' })
  assert.deepEqual(await shown(), [{ ...row, title: 'Releases for testers' }])
})

test('a preference does not tell the title of a topic that the user is not in', async () => {
  const user = newUser()
  const topic = newTopic()
  await add(topic, 'somebody')
  await ask('PUT', path(topic), asBackEnd, { title: 'Secret takeover' })
  const choice = { channel: 'EMAIL', delivery: 'off', notificationId: 'release', subNotificationId: topic }
  await ask('POST', `users/${user}/preferences`, asUser(user), [choice])
  assert.doesNotMatch(JSON.stringify(await preferencesOf(user)), /takeover/)
})

for (const [who, headersOf] of [
  ['the user', asUser],
  ['the back end', () => asBackEnd]
] as const) {
  test(`${who} ends a membership and takes that back`, async () => {
    const user = newUser()
    const topic = newTopic()
    await add(topic, user, 'stays')
    for (let i = 0; i < 2; i++) {
      const { json, status } = await leave(user, topic, headersOf(user))
      assert.deepEqual([status, json], [200, { id: topic }])
      assert.deepEqual(await topicsOf(user), [])
    }
    assert.equal((await rejoin(user, topic, headersOf(user))).status, 201)
    assert.equal((await rejoin(user, topic, headersOf(user))).status, 200)
    assert.deepEqual(await topicsOf(user), [topic])
    const { json } = await ask('GET', `${path(topic)}/members`, asBackEnd)
    assert.deepEqual((json['members'] as { userId: string }[]).map(one => one.userId).toSorted(), [
      'stays',
      user
    ])
  })
}

test('open preferences hear of it', async () => {
  const user = newUser()
  const topic = newTopic()
  await add(topic, user)
  const client = plainClient(app, '/ws?kit=1', { origin: 'https://a.example' })
  client.socket.once('open', () =>
    client.send('inbox/hello', {
      clientId: CLIENT,
      protocol: 1,
      userHash: hashOf(user),
      userId: user,
      version: 0
    })
  )
  await client.frames.route('inbox/head')
  const count = (): number => client.frames.routes().filter(name => name === 'inbox/preferences').length
  await leave(user, topic)
  await until(() => count() === 1)
  await rejoin(user, topic)
  await until(() => count() === 2)
  client.close()
})

test('a user joins no topic that the user did not leave', async () => {
  const user = newUser()
  const topic = newTopic()
  await add(topic, 'somebody')
  const refused = async (why: string, id = topic): Promise<void> => {
    const { json, status } = await rejoin(user, id)
    assert.equal(status, 404, why)
    assert.equal(json['detail'], `There is no topic ${JSON.stringify(id)}.`, why)
    assert.deepEqual(await topicsOf(user), [], why)
  }
  await refused('never a member')
  await refused('no topic', newTopic())
  await leave(user, topic)
  await refused('left without being a member')

  await add(topic, user)
  await ask('PUT', `${path(topic)}/members`, asBackEnd, { remove: [user] })
  await refused('removed by the back end')

  await add(topic, user)
  await leave(user, topic)
  await ask('PUT', `${path(topic)}/members`, asBackEnd, { remove: [user] })
  await refused('removed by the back end after leaving')

  await add(topic, user)
  await leave(user, topic)
  await ask('DELETE', path(topic), asBackEnd)
  await refused('the topic was deleted')
  await add(topic, 'somebody')
  await refused('the topic is another one with the same id')

  await add(topic, user)
  await leave(user, topic)
  await app.db.control`
    update topic_leaves set left_at = now() - ${REJOIN_MINUTES} * interval '1 minute'
    where bucket = ${bucketOf(CLIENT, user)} and user_id = ${user}`
  await refused('too late')
  await app.db.control`update ticks set due_at = now() where name = 'deleted-topics'`
  await runDueTasks({ config: testConfig(), db: app.db, log: pino({ level: 'silent' }) })
  const [row] = await app.db.control`
    select 1 from topic_leaves where bucket = ${bucketOf(CLIENT, user)} and user_id = ${user}`
  assert.equal(row, undefined, 'housekeeping forgets it')
})

test('a user changes only the own memberships', async () => {
  const topic = newTopic()
  const [mine, theirs] = [newUser(), newUser()]
  await add(topic, mine, theirs)
  assert.equal((await leave(theirs, topic, asUser(mine))).status, 401)
  assert.equal((await rejoin(theirs, topic, asUser(mine))).status, 401)
  assert.deepEqual(await topicsOf(theirs), [topic])
})
