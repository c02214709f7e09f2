// Users are found by the beginning of their id, email address or phone number, in their own environment only.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { bucketOf } from '../../server/core/id.ts'
import type { Db } from '../../server/db/db.ts'
import { userRoutes } from '../../server/users/route.ts'
import { userPageStatement } from '../../server/users/user-pages.sql.ts'
import { asBackEnd, asUser, CLIENT, OTHER, serve, testConfig, type Served } from '../http/serve.ts'
import { plainPostgresOnly } from '../support/plain-postgres.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'
import { inTwoGroups } from '../support/two-groups.ts'

interface Person {
  readonly id: string
  readonly email?: string
  readonly number?: string
}

const PEOPLE: readonly Person[] = [
  { email: 'Amara@Example.com', id: 'u-17', number: '+12025550123' },
  { email: 'amara@example.com.au', id: 'u-18' },
  { email: 'ben@example.com', id: 'amara@example.com' },
  { email: 'amara.b@example.com', id: 'amara.b@example.com', number: '+442071838750' },
  { id: 'U-17' },
  { id: 'u_1%' }
]

const HIDDEN: Person = { email: 'amara@example.com', id: 'u-17-elsewhere', number: '+12025550123' }

async function store(db: Db, envId: string, people: readonly Person[]): Promise<void> {
  for (const { email = null, id, number = null } of people) {
    const bucket = bucketOf(envId, id)
    await db.of(bucket).sql`
      insert into users (bucket, env_id, id, email, number) values (${bucket}, ${envId}, ${id}, ${email}, ${number})`
  }
}

const routes = (db: Db) =>
  userRoutes({ config: testConfig(), db }, { encryption: TEST_ENCRYPTION, vapidPublicKey: '' })

let one: Served
let two: Served
before(async () => {
  one = await serve(routes)
  two = await serve(db => routes(inTwoGroups(db)))
  for (const { db } of [one, two]) {
    await store(db, CLIENT, PEOPLE)
    await store(db, OTHER, [HIDDEN])
  }
})
after(async () => {
  await one[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
})

async function find(served: Served, q: string, count = 50): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const query = new URLSearchParams({ count: String(count), q, ...(cursor !== '' && { cursor }) })
    const answer = await served.fetch(`/${CLIENT}/users?${query}`, { headers: asBackEnd })
    assert.equal(answer.status, 200, await answer.clone().text())
    const page = (await answer.json()) as { users: Person[]; next?: string }
    ids.push(...page.users.map(({ id }) => id))
    cursor = page.next
  }
  return ids
}

const CASES: readonly (readonly [text: string, ids: readonly string[]])[] = [
  ['u-17', ['u-17']],
  ['u-1', ['u-17', 'u-18']],
  ['u_1%', ['u_1%']],
  ['%', []],
  ['AMARA@example.com', ['u-17', 'u-18']],
  ['amara@example.com', ['amara@example.com', 'u-17', 'u-18']],
  ['amara', ['amara.b@example.com', 'amara@example.com', 'u-17', 'u-18']],
  ['ben@', ['amara@example.com']],
  ['(202) 555-0123', ['u-17']],
  ['+1 202', ['u-17']],
  ['4420 7183', ['amara.b@example.com']],
  ['nobody', []]
]

for (const [text, ids] of CASES) {
  test(`finds ${ids.length} by ${JSON.stringify(text)}`, async () => {
    for (const served of [one, two])
      for (const count of [50, 2, 1])
        assert.deepEqual(await find(served, text, count), ids, `${count} a page`)
  })
}

test('refuses an empty text and the credentials of a user', async () => {
  for (const q of ['', '%00', 'x'.repeat(600)])
    assert.equal((await one.fetch(`/${CLIENT}/users?q=${q}`, { headers: asBackEnd })).status, 422)
  const asked = await one.fetch(`/${CLIENT}/users?q=u-18`, { headers: asUser('u-18') })
  assert.equal(asked.status, 401)
})

interface Plan {
  readonly 'Node Type': string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Plan[]
}
const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]

const plans = plainPostgresOnly('it reads plans')
test('reads three indexes by range, and sorts no index', { skip: plans }, async () => {
  const [group] = one.db.groups
  const { sql } = group!
  await sql`
    insert into users (bucket, env_id, id, email, number)
    select i % 1024, ${CLIENT}, 'filler' || i, 'f' || i || '@example.com', '+99' || i from generate_series(1, 20000) i`
  await sql`vacuum analyze users`
  const page = { envId: CLIENT, limit: 51, text: '+1202555' }
  const [row] = await sql<{ 'QUERY PLAN': readonly [{ Plan: Plan }] }[]>`
    explain (format json) ${userPageStatement(sql, group!, page)}`
  const plans = flat(row!['QUERY PLAN'][0].Plan)
  const conditions = plans.flatMap(plan => plan['Index Cond'] ?? [])
  assert.equal(conditions.length, 3)
  for (const condition of conditions) assert.match(condition, /env_id = .*>=.*</)
  assert.ok(plans.every(plan => plan['Node Type'] !== 'Seq Scan' && plan['Node Type'] !== 'Bitmap Heap Scan'))
})
