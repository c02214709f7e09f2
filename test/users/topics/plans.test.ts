// The statements about members of a large topic read a range of its index, whatever the statistics say.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { DatabaseGroup, Fragment } from '../../../server/db/db.ts'
import { memberPageStatement, removeMembersStatement } from '../../../server/users/topics/members.sql.ts'
import { removeChunkStatement } from '../../../server/users/topics/remove-members.sql.ts'
import { testDb, type TestDb } from '../../support/db.ts'
import { plainPostgresOnly } from '../../support/plain-postgres.ts'

const KEY = { envId: 'env', topicId: 'large' }
const MEMBERS = 20_000

let database: TestDb
let group: DatabaseGroup
before(async () => {
  database = await testDb()
  group = database.db.groups[0]!
  for (const topic of [KEY.topicId, 'other'])
    await group.sql`
      insert into topic_members (bucket, env_id, topic_id, user_id)
      select i % 1024, ${KEY.envId}, ${topic}, 'u' || i from generate_series(1, ${MEMBERS}) i`
})
after(() => database[Symbol.asyncDispose]())

interface Plan {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Plan[]
}
const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]

async function explain(statement: Fragment): Promise<Plan[]> {
  const [row] = await group.sql<{ 'QUERY PLAN': readonly [{ Plan: Plan }] }[]>`
    explain (format json) ${statement}`
  return flat(row!['QUERY PLAN'][0].Plan)
}

const STATEMENTS = {
  'a chunk of a deletion': () => removeChunkStatement(group, KEY),
  'a list of members to remove': () => removeMembersStatement(group, 'topic_members', KEY, ['u1', 'u2']),
  'a page of members': () => group.sql`${memberPageStatement(group, KEY, 'u15', 1001)}`
}

for (const analyzed of [false, true]) {
  for (const [what, statement] of Object.entries(STATEMENTS)) {
    test(
      `${what} ${analyzed ? 'with' : 'without'} statistics`,
      { skip: plainPostgresOnly('reads plans') },
      async () => {
        if (analyzed) await group.sql`analyze topic_members`
        const plans = await explain(statement())
        const found = plans.filter(plan => plan['Index Cond'] !== undefined)
        assert.ok(found.length > 0)
        for (const { 'Index Name': index, 'Index Cond': condition } of found) {
          assert.equal(index, 'topic_members_of_topic')
          assert.match(condition!, /env_id = .*topic_id = /)
        }
        const names = plans.map(plan => plan['Node Type'])
        assert.ok(!names.includes('Seq Scan') && !names.includes('Sort'), names.join())
      }
    )
  }
}
