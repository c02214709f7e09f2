// The counts of the log equal a count of the log: after random sends and outcomes, late ones, failed and simultaneous counts.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { LogStats } from '../../server/client/logs.ts'
import { addLogCounts, deleteOldCounts } from '../../server/logs/counts.sql.ts'
import type { Outcome } from '../../server/queue/outcome.ts'
import { CLIENT, OTHER } from '../http/serve.ts'
import { failFirstTwoInserts } from '../support/fixtures.ts'
import { random } from '../support/random.ts'
import { inTwoGroups } from '../support/two-groups.ts'
import { inapp, mail, openDesk, type Desk } from './log-server.ts'

const NEVER = new AbortController().signal
const CLIENTS = [CLIENT, OTHER]

const add = async ({ context }: Desk): Promise<void> => {
  for (const group of context.db.groups) await addLogCounts(group, NEVER)
}

async function statsOf(desk: Desk, clientId: string, query = ''): Promise<LogStats> {
  const { body, status } = await desk.ask('GET', `/${clientId}/logs/stats?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as unknown as LogStats
}

type Counts = Record<string, number>

/** Counts what each record of the log says, as `channel state` and `type state`. */
async function countLog(desk: Desk, clientId: string): Promise<{ channel: Counts; type: Counts }> {
  const channel: Counts = {}
  const type: Counts = {}
  const { logs } = await desk.query({ limit: 1000 }, clientId)
  for (const record of logs) {
    for (const one of record.channels) {
      const ended = one.deliveries.flatMap(({ attempts }) =>
        attempts.flatMap(({ outcome }) =>
          outcome === 'sent' ? 'sent' : ['dead', 'gone'].includes(outcome) ? 'failed' : []
        )
      )
      const decided =
        one.state === 'discarded' || (one.state === 'failed' && one.deliveries.length === 0)
          ? [one.state]
          : one.channel === 'INAPP_WEB' && one.state === 'sent'
            ? ['sent']
            : ended
      for (const state of decided) {
        channel[`${one.channel} ${state}`] = (channel[`${one.channel} ${state}`] ?? 0) + 1
        type[`${record.type} ${state}`] = (type[`${record.type} ${state}`] ?? 0) + 1
      }
    }
  }
  return { channel, type }
}

const flatten = ({ counts }: LogStats): Counts =>
  Object.fromEntries(
    counts.flatMap(({ states = {}, value }) =>
      Object.entries(states).map(([state, count]) => [`${value} ${state}`, count] as const)
    )
  )

async function assertEqualToLog(desk: Desk): Promise<void> {
  for (const clientId of CLIENTS) {
    const log = await countLog(desk, clientId)
    assert.deepEqual(flatten(await statsOf(desk, clientId, 'by=channel')), log.channel, clientId)
    assert.deepEqual(flatten(await statsOf(desk, clientId, 'by=type')), log.type, clientId)
    const { counts: news } = await statsOf(desk, clientId, 'by=day&type=news')
    const ofNews = Object.entries(log.type).filter(([name]) => name.startsWith('news '))
    assert.equal(
      news.reduce((sum, { count }) => sum + count, 0),
      ofNews.reduce((sum, [, count]) => sum + count, 0)
    )
    const total = Object.values(log.channel).reduce((sum, count) => sum + count, 0)
    for (const by of ['day', 'state']) {
      const { counts } = await statsOf(desk, clientId, `by=${by}`)
      assert.equal(
        counts.reduce((sum, { count }) => sum + count, 0),
        total
      )
    }
  }
}

const OUTCOMES: readonly Outcome[] = [
  { kind: 'sent' },
  { kind: 'sent' },
  { code: '550', detail: 'no', kind: 'dead' },
  { code: '410', detail: 'no', kind: 'gone' },
  { code: '450', detail: 'later', kind: 'retry' }
]

for (const view of [undefined, inTwoGroups]) {
  test(`counts equal the log, in ${view ? 'two groups' : 'one group'}`, async () => {
    await using desk = await openDesk(view && { view })
    const below = random()
    const pick = <T>(values: readonly T[]): T => values[below(values.length)]!
    const due = () => new Date(Date.now() + 400).toISOString()
    const kinds = [
      (id: string) => mail(id),
      (id: string) => mail(id, { type: 'news' }),
      (id: string) => mail(id, { to: { id } }),
      (id: string) => mail(id, { to: { email: 'broken', id } }),
      (id: string) => inapp(id),
      (id: string) => ({ ...inapp(id), ...mail(id) }),
      (id: string) => mail(id, { schedule: due() }),
      (id: string) => mail(id, { schedule: due(), to: { id } })
    ]
    desk.provider = () => pick(OUTCOMES)
    const sendSome = (count: number) =>
      Promise.all(Array.from({ length: count }, () => desk.send(pick(kinds)(`u${below(20)}`), pick(CLIENTS))))
    for (let round = 0; round < 4; round += 1) {
      await sendSome(20)
      await Promise.all([desk.drain(), sendSome(5), add(desk), add(desk), add(desk)])
      await desk.db.control`update outbox set run_at = now() where not leased`
      const letters = await desk.ask('POST', `/${pick(CLIENTS)}/dead-letters/redrive`, {
        filter: { channel: 'EMAIL' }
      })
      assert.equal(letters.status, 200)
    }

    // A count that fails leaves everything for the next one.
    await sendSome(20)
    await failFirstTwoInserts(desk.db.control, 'log_counts')
    const failing = await Promise.allSettled([add(desk), add(desk)])
    assert.ok(failing.some(({ status }) => status === 'rejected'))
    await desk.db.control`drop trigger lose on log_counts`

    // Outcomes that arrive after a count.
    desk.provider = () => ({ kind: 'sent' })
    await desk.db.control`update outbox set run_at = now() where not leased`
    await desk.drain()
    await add(desk)
    const [left] = await desk.db.control`select count(*)::int as count from log_count_deltas`
    assert.equal(left!['count'], 0)
    await assertEqualToLog(desk)
  })
}

test('says until when it counts, and counts nothing of later', async () => {
  await using desk = await openDesk()
  assert.equal((await statsOf(desk, CLIENT)).until, undefined)
  await desk.send(inapp('u'))
  await add(desk)
  await desk.send(inapp('u'))
  const { counts, until } = await statsOf(desk, CLIENT, 'by=channel')
  assert.deepEqual(counts, [{ count: 1, states: { sent: 1 }, value: 'INAPP_WEB' }])
  const [now] = await desk.db.control<{ at: Date }[]>`select now() as at`
  assert.ok(Date.parse(until!) <= now!.at.getTime())
  await add(desk)
  assert.ok((await statsOf(desk, CLIENT)).until! > until!)
  assert.deepEqual((await statsOf(desk, OTHER)).counts, [])
})

test('a deleted schedule counts as discarded, once', async () => {
  await using desk = await openDesk()
  const id = await desk.send(mail('u', { schedule: new Date(Date.now() + 3_600_000).toISOString() }))
  await add(desk)
  assert.deepEqual((await statsOf(desk, CLIENT)).counts, [])
  assert.equal((await desk.ask('DELETE', `/${CLIENT}/schedule/${id}`)).status, 200)
  await add(desk)
  assert.deepEqual((await statsOf(desk, CLIENT, 'by=state')).counts, [{ count: 1, value: 'discarded' }])
})

test('takes days in UTC, at most a year, and forgets old ones', async () => {
  await using desk = await openDesk()
  const [group] = desk.db.groups
  await desk.db.control`
    insert into log_counts (bucket, env_id, day, notification_id, channel, result, count)
    select 0, ${CLIENT}, (now() at time zone 'UTC')::date - i, 't', 'EMAIL', 'sent', i from generate_series(1, 450) i`
  const sumOf = async (query: string): Promise<number> =>
    (await statsOf(desk, CLIENT, query)).counts.reduce((sum, { count }) => sum + count, 0)
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  assert.equal(await sumOf(`from=${day(3)}&to=${day(2)}`), 5)
  const { counts } = await statsOf(desk, CLIENT, `from=${day(3)}&to=${day(2)}`)
  assert.deepEqual(
    counts.map(({ value }) => value),
    [day(2), day(3)]
  )
  for (const query of [`from=${day(366)}`, `from=${day(1)}&to=${day(2)}`, 'from=2026-02-30', 'by=user'])
    assert.equal((await desk.ask('GET', `/${CLIENT}/logs/stats?${query}`)).status, 422, query)
  while ((await deleteOldCounts(group!, 400)) > 0);
  const [oldest] = await desk.db.control`select max(count)::int as count from log_counts`
  assert.equal(oldest!['count'], 400)
})
