// The retention of an environment's log: older sends are not found at once, and housekeeping deletes them.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { pino } from 'pino'

import { runDueTasks } from '../../server/admin/housekeeping.ts'
import { environmentSettings } from '../../server/config/environment-settings.ts'
import { placementHash, uuidv7 } from '../../server/core/id.ts'
import { lowestIdAt } from '../../server/core/id.ts'
import type { Db } from '../../server/db/db.ts'
import { changeSettings } from '../../server/environments/environments.sql.ts'
import { readRetentions } from '../../server/logs/retention.sql.ts'
import { CLIENT, OTHER } from '../http/serve.ts'
import { idsOf, openDesk, pointersOf, type Desk } from './log-server.ts'

const DAY = 86_400_000
const config = { retentionDays: 30 }

/** The partitions of days past. */
async function pastOf({ control }: Db, days: readonly number[]): Promise<void> {
  const today = Math.floor(Date.now() / DAY) * DAY
  for (const day of days.flatMap(ago => [ago, ago + 1])) {
    const from = today - day * DAY
    const name = new Date(from).toISOString().slice(0, 10).replaceAll('-', '')
    for (const table of ['sends', 'attempts']) {
      await control.unsafe(`create table if not exists ${table}_${name} partition of ${table}
        for values from (uuid_at(to_timestamp(${from / 1000}))) to (uuid_at(to_timestamp(${(from + DAY) / 1000})))`)
    }
  }
}

async function sendAt(db: Db, envId: string, daysAgo: number): Promise<string> {
  const place = placementHash(envId, 'u')
  const id = uuidv7(place).replace(/^.{13}/, lowestIdAt(Date.now() - daysAgo * DAY).slice(0, 13))
  await db.control`
    insert into sends (bucket, id, env_id, user_id, notification_id, body, decisions)
    values (${place >> 6}, ${id}, ${envId}, 'u', 'n', '{"to": {"id": "u"}, "type": "n"}', '{"EMAIL": "sent"}')`
  await db.control`
    insert into attempts (bucket, id, send_id, delivery_id, env_id, user_id, notification_id, channel, claim_count, outcome)
    values (${place >> 6}, ${id}, ${id}, ${id}, ${envId}, 'u', 'n', 'EMAIL', 1, 'sent')`
  await db.control`
    insert into receipts (bucket, id, env_id, user_id, send_id, channel, outcome, provider_ref)
    values (${place >> 6}, ${id}, ${envId}, 'u', ${id}, 'EMAIL', 'delivered', 'u@b.example')`
  return id
}

test('keeps whole days for the longest retention, and lists environments with a shorter one', async () => {
  await using desk = await openDesk()
  const { control } = desk.db
  await control`insert into environments (id, secret) values ('as usual', '')`
  for (const [days, others] of [
    [7, 60],
    [60, 7]
  ] as const) {
    await keep(desk, CLIENT, days)
    await keep(desk, OTHER, others)
    const { longestDays, shorter } = await readRetentions(control, 30)
    assert.equal(longestDays, 60)
    assert.deepEqual(shorter.map(one => one.days).toSorted(), [30, 7])
    // A shorter retention of one environment does not affect environments without a setting.
    assert.equal((await readRetentions(control, 90)).longestDays, 90)
  }
})

/** As another process changes them: the cache of the routes is updated within seconds. */
async function keep(desk: Desk, envId: string, retentionDays: number): Promise<void> {
  const settings = environmentSettings.parse({ retentionDays })
  await desk.db.control.begin(tx => changeSettings(tx, envId, () => settings))
  desk.context.environments.forget(envId)
}

test('finds and keeps the sends of each environment for its own retention', async () => {
  await using desk = await openDesk()
  const { db } = desk
  const ages = [1, 6, 20, 29, 45]
  await pastOf(db, ages)
  const ids: Record<string, string[]> = { [CLIENT]: [], [OTHER]: [] }
  await keep(desk, CLIENT, 7)
  await keep(desk, OTHER, 60)
  for (const age of ages) {
    for (const envId of [CLIENT, OTHER]) ids[envId]!.push(await sendAt(db, envId, age))
  }
  const found = async (envId: string) => idsOf(await desk.query({}, envId)).length
  assert.deepEqual([await found(CLIENT), await found(OTHER)], [2, 5])
  const old = ids[CLIENT]![2]!
  assert.equal((await desk.ask('GET', `/${CLIENT}/logs/${old}`)).status, 404)
  assert.equal((await desk.ask('GET', `/${CLIENT}/logs/${ids[CLIENT]![1]}`)).status, 200)
  assert.equal((await desk.ask('GET', `/${OTHER}/logs/${ids[OTHER]![4]}/explain`)).status, 200)
  const early = await desk.ask('POST', `/${CLIENT}/logs/query`, {
    dateRangeFilter: { startTime: Date.now() - 8 * DAY }
  })
  assert.deepEqual([early.status, pointersOf(early)], [422, ['#/dateRangeFilter/startTime']])
  assert.match(early.body['message'] as string, /7 days/)

  const kept = ids[CLIENT]![3]!
  await db.control`
    insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, send_id, body, code)
    values (${placementHash(CLIENT, 'u') >> 6}, ${kept}, 'EMAIL', 8, ${CLIENT}, 'u', ${kept}, '{}', '550')`

  await runDueTasks({ config, db, log: pino({ level: 'silent' }) })
  const countLeft = async (table: string) => {
    const counts = await db.control<{ count: number; envId: string }[]>`
      select env_id as "envId", count(*)::int as count from ${db.control(table)} group by env_id`
    return Object.fromEntries(counts.map(({ count, envId }) => [envId, count]))
  }
  // A redrive of the dead letter needs its send.
  assert.deepEqual(await countLeft('sends'), { [CLIENT]: 3, [OTHER]: 5 })
  assert.deepEqual(await countLeft('attempts'), { [CLIENT]: 2, [OTHER]: 5 })
  assert.deepEqual(await countLeft('receipts'), { [CLIENT]: 3, [OTHER]: 5 })
})
