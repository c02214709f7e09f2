// Dead letters are grouped by cause, with bounded counts, in their environment only.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { bucketOf, placementHash, uuidv7 } from '../../../server/core/id.ts'
import type { Db } from '../../../server/db/db.ts'
import {
  MAX_COUNTED_LETTERS,
  readDeadLetterGroups
} from '../../../server/queue/dead-letters/dead-letters.sql.ts'
import { mergeGroups } from '../../../server/queue/dead-letters/groups.ts'
import { deadLetterRoutes } from '../../../server/queue/dead-letters/route.ts'
import { asBackEnd, CLIENT, OTHER, serve, type Served } from '../../http/serve.ts'
import { testKit } from '../../send/test-context.ts'
import { testDb } from '../../support/db.ts'
import { inTwoGroups } from '../../support/two-groups.ts'
import { deadIn, deliver, newRow, openTestQueues, put } from '../test-queue.ts'

let one: Served
let two: Served
before(async () => {
  one = await serve(db => deadLetterRoutes(testKit(db)))
  two = await serve(db => deadLetterRoutes(testKit(inTwoGroups(db))))
})
after(async () => {
  await one[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
})

/** @param hoursAgo - when it died */
async function bury(db: Db, envId: string, queue: string, code: string, hoursAgo: number): Promise<string> {
  const user = `u${Math.trunc(hoursAgo * 7)}`
  const id = uuidv7(placementHash(envId, user))
  await db.control`
    insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, body, code, died_at)
    values (${bucketOf(envId, user)}, ${id}, ${queue}, 1, ${envId}, ${user}, '{}', ${code},
      now() - ${hoursAgo} * interval '1 hour')`
  return id
}

interface Group {
  readonly channel: string
  readonly code: string
  readonly count: number
  readonly isAtLeast: boolean
  readonly firstDiedAt: string
  readonly lastDiedAt: string
  readonly exampleId: string
}

async function groupsOf(served: Served): Promise<Group[]> {
  const answer = await served.fetch(`/${CLIENT}/dead-letters/groups`, { headers: asBackEnd })
  assert.equal(answer.status, 200)
  const { groups, more } = (await answer.json()) as { groups: Group[]; more: boolean }
  assert.equal(more, false)
  return groups
}

test('groups by channel and code, the largest first', async () => {
  for (const served of [one, two]) {
    const { db } = served
    await bury(db, CLIENT, 'EMAIL', '550', 5)
    const latest = await bury(db, CLIENT, 'EMAIL', '550', 1)
    await bury(db, CLIENT, 'EMAIL', '550', 3)
    await bury(db, CLIENT, 'EMAIL', '554', 2)
    await bury(db, CLIENT, 'APN', '400', 9)
    await bury(db, CLIENT, 'FCM', '400', 8)
    await bury(db, OTHER, 'EMAIL', '550', 1)
    const groups = await groupsOf(served)
    assert.deepEqual(
      groups.map(({ channel, code, count, isAtLeast }) => [channel, code, count, isAtLeast]),
      [
        ['EMAIL', '550', 3, false],
        ['PUSH', '400', 2, false],
        ['EMAIL', '554', 1, false]
      ]
    )
    const [first] = groups
    assert.equal(first!.exampleId, latest)
    const hours = (Date.parse(first!.lastDiedAt) - Date.parse(first!.firstDiedAt)) / 3_600_000
    assert.ok(Math.abs(hours - 4) < 0.1, `${hours} hours`)
  }
})

test('counts at most ten thousand of a cause, and steps over the rest by the index', async () => {
  await using t = await testDb()
  const [group] = t.db.groups
  await group!.work`
    insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, body, code, died_at)
    select i % 1024, gen_random_uuid(), 'EMAIL', 1, ${CLIENT}, 'u', '{}', case when i % 100 = 0 then 'rare' else 'often' end,
      now() - i * interval '1 s'
    from generate_series(1, ${2 * MAX_COUNTED_LETTERS}) i`
  await group!.work`vacuum analyze dead_letters`
  const found = await readDeadLetterGroups(group!, CLIENT, 100)
  assert.deepEqual(
    found.map(({ code, count }) => [code, count]),
    [
      ['often', MAX_COUNTED_LETTERS],
      ['rare', MAX_COUNTED_LETTERS / 50]
    ]
  )
  assert.deepEqual(
    mergeGroups(found, 1).all.map(({ code, isAtLeast }) => [code, isAtLeast]),
    [['often', true]]
  )
  assert.equal(mergeGroups(found, 1).hasMore, true)
  assert.equal((await readDeadLetterGroups(group!, CLIENT, 1)).length, 1)
})

test('a long code of a provider is cut, and its message still becomes a dead letter', async () => {
  await using t = await testDb()
  await using queues = openTestQueues(t.db)
  queues.add(deliver(async () => ({ code: '漢'.repeat(3000), detail: 'x', kind: 'dead' })))
  await put(t.db, [newRow('u')])
  queues.start()
  await queues.idle('EMAIL')
  assert.equal((await deadIn(t.db))[0]!.code, '漢'.repeat(100))
})
