// Topics over HTTP, for back ends: created, renamed, filled, read in pages and deleted, in one database group and in two.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'

import { topicRoutes } from '../../../server/users/topics/route.ts'
import { MAX_CHANGES, MAX_TOPIC_ID_LENGTH } from '../../../server/users/topics/schema.ts'
import {
  asBackEnd,
  asUser,
  basic,
  CLIENT,
  OTHER,
  OTHER_SECRET,
  serve,
  type Served
} from '../../http/serve.ts'
import { inTwoGroups } from '../../support/two-groups.ts'

let one: Served
let two: Served
before(async () => {
  one = await serve(db => topicRoutes({ db }))
  two = await serve(db => topicRoutes({ db: inTwoGroups(db) }))
})
after(async () => {
  await one[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
})

interface Answered {
  readonly status: number
  readonly json: Record<string, unknown> & { readonly errors?: readonly { readonly pointer: string }[] }
}

interface Page {
  readonly members: readonly { readonly userId: string }[]
  readonly next?: string
}

async function ask(
  served: Served,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = asBackEnd,
  client = CLIENT
): Promise<Answered> {
  const answer = await served.fetch(`/${client}/${path}`, {
    headers,
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  return { json: (await answer.json()) as Answered['json'], status: answer.status }
}

const newId = (): string => `topic-${randomUUID()}`
const change = (served: Served, id: string, body: unknown) =>
  ask(served, 'PUT', `topics/${encodeURIComponent(id)}/members`, body)

async function membersOf(served: Served, id: string, count = 1000): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const query = new URLSearchParams({ count: String(count), ...(cursor !== '' && { cursor }) })
    const { json, status } = await ask(served, 'GET', `topics/${encodeURIComponent(id)}/members?${query}`)
    assert.equal(status, 200, JSON.stringify(json))
    const page = json as unknown as Page
    ids.push(...page.members.map(({ userId }) => userId))
    cursor = page.next
  }
  return ids
}

for (const [groups, serverOf] of [
  ['one group', () => one],
  ['two groups', () => two]
] as const) {
  describe(`members in ${groups}`, () => {
    test('are added and removed, and a repetition changes nothing', async () => {
      const id = newId()
      const first = await change(serverOf(), id, { add: ['a', 'b', 'c', 'a'] })
      assert.deepEqual([first.status, first.json], [201, { added: 3, id, removed: 0 }])
      const again = await change(serverOf(), id, { add: ['a', 'b', 'c'] })
      assert.deepEqual([again.status, again.json], [200, { added: 0, id, removed: 0 }])
      const other = await change(serverOf(), id, { add: ['d'], remove: ['b', 'nobody', 'b'] })
      assert.deepEqual([other.status, other.json], [200, { added: 1, id, removed: 1 }])
      assert.deepEqual(await membersOf(serverOf(), id), ['a', 'c', 'd'])
    })

    test('are listed once each, in the order of their bytes, in pages of every length', async () => {
      const id = newId()
      const ids = [
        'B',
        'a',
        'ä',
        'z.1',
        'é\u{1F600}',
        '\u{FFFD}',
        ...Array.from({ length: 40 }, (_, i) => `u${i}`)
      ]
      await change(serverOf(), id, { add: ids })
      const sorted = ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      for (const count of [1, 7, 46, 1000]) assert.deepEqual(await membersOf(serverOf(), id, count), sorted)
    })

    test('leave the topic when it is deleted, and a new topic with its id is empty', async () => {
      const id = newId()
      await change(serverOf(), id, { add: ['a', 'b', 'c'] })
      const deleted = await ask(serverOf(), 'DELETE', `topics/${id}`)
      assert.deepEqual([deleted.status, deleted.json], [200, { id }])
      for (const [method, path] of [
        ['GET', `topics/${id}`],
        ['GET', `topics/${id}/members`],
        ['DELETE', `topics/${id}`]
      ] as const)
        assert.equal((await ask(serverOf(), method, path)).status, 404, `${method} ${path}`)
      assert.equal((await ask(serverOf(), 'PUT', `topics/${id}`, { title: 'New' })).status, 201)
      assert.deepEqual(await membersOf(serverOf(), id), [])
    })
  })
}

test('a topic has the words of its id as title until it gets one, and its members are counted', async () => {
  const id = `team/blue_${randomUUID().slice(0, 8)}`
  await change(one, id, { add: ['a', 'b'] })
  const path = `topics/${encodeURIComponent(id)}`
  const read = await ask(one, 'GET', path)
  assert.equal(read.json['title'], `Team blue ${id.slice(-8)}`)
  assert.deepEqual(read.json['members'], { count: 2, isAtLeast: false })
  const renamed = await ask(one, 'PUT', path, { title: 'Team Blue' })
  assert.equal(renamed.status, 200)
  assert.equal(renamed.json['createdAt'], read.json['createdAt'])
  await change(one, id, { remove: ['a'] })
  assert.deepEqual((await ask(one, 'GET', path)).json, {
    ...renamed.json,
    members: { count: 1, isAtLeast: false }
  })
})

test('topics are listed by id, in pages, those of the environment only', async () => {
  const asOther = basic(`${OTHER}:${OTHER_SECRET}`)
  for (const id of ['list-b', 'list-a', 'list-c']) await ask(two, 'PUT', `topics/${id}`, { title: id })
  const hidden = await ask(two, 'PUT', 'topics/list-x', { title: 'Hidden' }, asOther, OTHER)
  assert.equal(hidden.status, 201)
  const ids: string[] = []
  for (let query = '?count=2'; query !== '';) {
    const { json } = await ask(two, 'GET', `topics${query}`)
    ids.push(...(json['topics'] as { id: string }[]).map(({ id }) => id))
    query = typeof json['next'] === 'string' ? `?count=2&cursor=${json['next']}` : ''
  }
  assert.deepEqual(
    ids.filter(id => id.startsWith('list-')),
    ['list-a', 'list-b', 'list-c']
  )
  assert.equal((await ask(two, 'GET', 'topics/list-x')).status, 404)
  assert.equal((await ask(two, 'DELETE', 'topics/list-x')).status, 404)
  const own = await ask(two, 'PUT', 'topics/list-a/members', { add: ['a'] }, asOther, OTHER)
  assert.equal(own.status, 201, 'a topic of its own')
  assert.deepEqual(await membersOf(two, 'list-a'), [])
})

const many = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => `m${from + i}`)

for (const [what, body, pointer] of [
  ['an empty id', { add: ['a', 'b', 'c', ''] }, '#/add/3'],
  ['an id with NUL', { remove: ['a', 'b\0'] }, '#/remove/1'],
  ['a number', { add: [7] }, '#/add/0'],
  ['an id in both lists', { add: ['a', 'b'], remove: ['c', 'b'] }, '#/remove/1'],
  ['a list that is none', { add: 'a' }, '#/add'],
  ['a list that is too long', { add: many(MAX_CHANGES + 1) }, '#/add'],
  ['two lists that are too long together', { add: many(MAX_CHANGES), remove: ['x'] }, '#/remove']
] as const) {
  test(`${what} is refused with its place, and nothing is stored`, async () => {
    const id = newId()
    const { json, status } = await change(one, id, body)
    assert.deepEqual([status, json.errors?.map(error => error.pointer)], [422, [pointer]])
    assert.equal((await ask(one, 'GET', `topics/${id}`)).status, 404)
  })
}

test(`${MAX_CHANGES} ids fit into one call`, async () => {
  const id = newId()
  const { json } = await change(one, id, { add: many(600), remove: many(400, 600) })
  assert.deepEqual(json, { added: 600, id, removed: 0 })
})

test('a topic id is one line of limited length, and may have slashes', async () => {
  for (const id of ['x'.repeat(MAX_TOPIC_ID_LENGTH), 'a/b/c', 'ü', '%2F', 'members'])
    assert.equal((await ask(one, 'PUT', `topics/${encodeURIComponent(id)}`, { title: 'T' })).status, 201, id)
  for (const id of ['x'.repeat(MAX_TOPIC_ID_LENGTH + 1), 'a\nb'])
    for (const [method, path] of [
      ['PUT', ''],
      ['GET', ''],
      ['DELETE', ''],
      ['PUT', '/members'],
      ['GET', '/members']
    ] as const) {
      const body = method === 'PUT' ? { title: 'T' } : undefined
      const { status } = await ask(one, method, `topics/${encodeURIComponent(id)}${path}`, body)
      assert.equal(status, 400, `${method} ${JSON.stringify(id)}`)
    }
})

test('users may neither read nor change topics of back ends', async () => {
  const id = newId()
  await change(one, id, { add: ['a'] })
  for (const [method, path] of [
    ['GET', 'topics'],
    ['GET', `topics/${id}`],
    ['GET', `topics/${id}/members`],
    ['PUT', `topics/${id}/members`],
    ['DELETE', `topics/${id}`]
  ] as const)
    assert.equal((await ask(one, method, path, undefined, asUser('a'))).status, 401, `${method} ${path}`)
})
