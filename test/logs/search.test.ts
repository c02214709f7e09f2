// The search of a long log: it reads matching rows only, finds every failure by indexes, and stops in time if it finds little.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { placementHash, uuidv7 } from '../../server/core/id.ts'
import { lowestIdAt } from '../../server/core/id.ts'
import type { Fragment, Tx } from '../../server/db/db.ts'
import { toLogRecord } from '../../server/logs/log-record.ts'
import { searchStatement } from '../../server/logs/log-search.sql.ts'
import { pageStatement } from '../../server/logs/logs.sql.ts'
import { parseLogQuery } from '../../server/logs/query/parse-query.ts'
import { logRoutes } from '../../server/logs/route.ts'
import { searchLogs } from '../../server/logs/search-page.ts'
import { DECISIONS, STATUS_LABELS } from '../../server/logs/status-labels.ts'
import { asBackEnd, CLIENT, serve, type Served } from '../http/serve.ts'
import { testKit } from '../send/test-context.ts'
import { whileLocked } from '../support/citus.ts'
import { plainPostgresOnly } from '../support/plain-postgres.ts'
import { fillLog, LOG_DAYS, RARE } from './fill.ts'

const DAY = 86_400_000
/** A thousand sends a day; one in so many failed at its provider, and one has no address. */
const ROWS = 9000
const FAILING = 1000
const STEP = 100

let served: Served
/** Advances by this much each time it is read. */
let jump = 0
let now = Date.now()
const clock = () => (now += jump)

before(async () => {
  // Only the clock of this test ends a search, however slow the machine is.
  served = await serve(db => logRoutes({ ...testKit(db), clock }, { timeoutSeconds: 60 }))
  await fillLog(served.db.control, { envId: CLIENT, failing: FAILING, now: Date.now(), rows: ROWS })
})
after(() => served[Symbol.asyncDispose]())

const asked = (body: object) => parseLogQuery(body, { envId: CLIENT, now: Date.now(), retentionDays: 30 })

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly Plan[]
}

/** The scans of tables that were executed. */
async function looks(tx: Tx, statement: Fragment): Promise<{ table: string; how: string; rows: number }[]> {
  const [row] = await tx<{ 'QUERY PLAN': readonly [{ Plan: Plan }] }[]>`
    explain (analyze, format json) ${statement}`
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]
  return flat(row!['QUERY PLAN'][0].Plan)
    .filter(plan => plan['Relation Name'] !== undefined && plan['Actual Loops'] > 0)
    .map(plan => ({
      how: plan['Node Type'],
      rows: plan['Actual Rows'] * plan['Actual Loops'],
      table: plan['Relation Name']!
    }))
}

const day = Math.floor(Date.now() / DAY) * DAY - 5 * DAY
const THAT_DAY = { dateRangeFilter: { endTime: day + DAY - 1, startTime: day } }
const nameOf = (at: number): string => new Date(at).toISOString().slice(0, 10).replaceAll('-', '')

const plans = plainPostgresOnly('it reads plans')

/** With the number of sends that one step looks at. */
for (const [more, most] of [
  [{}, STEP],
  [{ userFilter: ['user4000', 'user4001'] }, 2],
  [{ notificationFilter: ['invoice'] }, STEP],
  [{ notificationFilter: [RARE.type] }, 0],
  [{ statusFilter: ['failure'] }, 3],
  [{ statusFilter: ['failure', 'partial'] }, 3],
  [{ statusFilter: ['success'] }, STEP],
  [{ channelFilter: ['EMAIL'] }, STEP],
  [{ requestFilter: ['request.parameters.n > 0'] }, STEP],
  [{ customFilter: 'filter type = "invoice"' }, STEP]
] as const) {
  test(`reads one day, and of that one step: ${JSON.stringify(more)}`, { skip: plans }, async () => {
    const query = asked({ ...THAT_DAY, ...more })
    const span = { high: lowestIdAt(query.range.to), low: lowestIdAt(query.range.from) }
    const everybody = { buckets: null }
    await served.db.control.begin(async tx => {
      await tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`
      const places = searchStatement(tx, everybody, query, span, STEP)
      const [found] = await tx<{ ids: string[] | null }[]>`${places}`
      const ids = found!.ids ?? []
      assert.ok(ids.length <= most, `${ids.length} sends`)
      const all = [
        ...(await looks(tx, places)),
        ...(ids.length > 0 ? await looks(tx, pageStatement(tx, everybody, query, STEP, ids)) : [])
      ]
      for (const { how, rows, table } of all) {
        const about = `${how} of ${table}: ${rows} rows`
        // These two are empty here, so a complete scan is one read.
        if (table !== 'outbox' && table !== 'dead_letters') assert.notEqual(how, 'Seq Scan', about)
        if (table.startsWith('sends')) assert.equal(table, `sends_${nameOf(day)}`, about)
        else if (table.startsWith('attempts')) assert.ok(table >= `attempts_${nameOf(day - 1)}`, about)
        // A send has one attempt here, which may be read among the few of its bucket on that day.
        assert.ok(rows <= 5 * STEP, about)
      }
    })
  })
}

interface Page {
  readonly logs: readonly { readonly trackingId: string; readonly status: string }[]
  readonly messages: readonly string[]
  readonly next?: string
}

async function ask(body: object): Promise<Page> {
  const init = { body: JSON.stringify(body), headers: asBackEnd, method: 'POST' }
  const answer = await served.fetch(`/${CLIENT}/logs/query`, init)
  assert.equal(answer.status, 200)
  return (await answer.json()) as Page
}

async function throughout(body: object) {
  const pages: Page[] = []
  do {
    const cursor = pages.at(-1)?.next
    pages.push(await ask({ limit: 1000, ...body, ...(cursor !== undefined && { cursor }) }))
  } while (pages.at(-1)!.next !== undefined)
  return { ids: pages.flatMap(({ logs }) => logs.map(({ trackingId }) => trackingId)), pages }
}

test('finds by indexes exactly the sends whose records say failure or partial', async () => {
  const { control } = served.db
  const place = placementHash(CLIENT, 'digested')
  const bucket = place >> 6
  const [leader, led, silent, lettered, late, phoneless] = Array.from({ length: 6 }, () => uuidv7(place))
  const wrote = async (id: string, decisions: object, digests: Record<string, string> | null = null) => {
    await control`
      insert into sends (bucket, id, env_id, user_id, notification_id, body, decisions, digests)
      values (${bucket}, ${id}, ${CLIENT}, 'digested', 'invoice', '{}', ${control.json(decisions as never)}, ${digests && control.json(digests)})`
  }
  await wrote(leader!, { EMAIL: 'digested' }, { EMAIL: leader! })
  await wrote(led!, { EMAIL: 'digested' }, { EMAIL: leader! })
  await wrote(silent!, {})
  await wrote(lettered!, { SMS: 'sent' })
  await wrote(late!, { EMAIL: 'sent' })
  await wrote(phoneless!, { INAPP_WEB: 'sent', SMS: 'no-address' })
  await control`
    insert into attempts (bucket, id, send_id, delivery_id, env_id, user_id, notification_id, channel, claim_count, outcome)
    values (${bucket}, ${uuidv7(place)}, ${leader!}, ${uuidv7(place)}, ${CLIENT}, 'digested', 'invoice', 'EMAIL', 8, 'dead'),
      (${bucket}, ${uuidv7(place)}, ${late!}, ${uuidv7(place)}, ${CLIENT}, 'digested', 'invoice', 'EMAIL', 1, 'gone'),
      (${bucket}, ${uuidv7(place)}, ${late!}, ${uuidv7(place)}, ${CLIENT}, 'digested', 'invoice', 'EMAIL', 1, 'sent')`
  await control`
    insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, send_id, body, code)
    values (${bucket}, ${uuidv7(place)}, 'SMS', 1, ${CLIENT}, 'digested', ${lettered!}, '{}', '400')`
  const failures = await throughout({ statusFilter: ['failure', 'partial'] })
  const all = await throughout({})
  assert.equal(all.ids.length, ROWS + 6)
  const failed = all.pages
    .flatMap(({ logs }) => logs)
    .filter(({ status }) => status === 'failure' || status === 'partial')
  assert.deepEqual(
    failures.ids,
    failed.map(({ trackingId }) => trackingId)
  )
  for (const id of [leader, led, silent, lettered, late]) assert.ok(failures.ids.includes(id!), id)
  const partial = await throughout({ statusFilter: ['partial'] })
  assert.deepEqual(partial.ids, [late])
  assert.deepEqual((await throughout({ channelFilter: ['SMS'], statusFilter: ['failure'] })).ids, [lettered])
  assert.equal(failures.ids.length, 5 + (2 * ROWS) / FAILING)
})

test('indexes every decision that is a failure', async () => {
  for (const decision of DECISIONS) {
    const [row] = await served.db.control<{ withOthers: boolean; withMissing: boolean; alone: boolean }[]>`
      select may_have_failed(jsonb_build_object('EMAIL', 'sent', 'SMS', ${decision}::text), null) as "withOthers",
        may_have_failed(jsonb_build_object('EMAIL', 'no-address', 'SMS', ${decision}::text), null) as "withMissing",
        may_have_failed(jsonb_build_object('SMS', ${decision}::text), null) as alone`
    const { kind } = STATUS_LABELS[decision]
    const isFailed = kind === 'failed'
    const reachesNobody = kind === 'discarded' || kind === 'unreachable'
    assert.deepEqual(
      row,
      {
        alone: isFailed || kind === 'unreachable',
        withMissing: isFailed || reachesNobody,
        withOthers: isFailed
      },
      decision
    )
  }
})

test('stops a search that finds nothing in time, says how far it searched, and completes it page by page', async () => {
  const old = { requestFilter: ['request.parameters.n = 3'] }
  const whole = await throughout({ ...old, limit: 100 })
  assert.deepEqual([whole.ids.length, whole.pages.length], [1, 1])
  jump = 20_000
  try {
    const { ids, pages } = await throughout({ ...old, limit: 100 })
    assert.deepEqual(ids, whole.ids)
    // The clock is read three times a minute, so the first page ends after its first steps.
    assert.ok(pages.length > 10, `${pages.length} pages`)
    assert.deepEqual(pages[0]!.logs, [])
    const [, at] = /^Searched to (\S+) within 60 seconds\. Continue with next\.$/.exec(
      pages[0]!.messages[0]!
    )!
    const age = Date.now() - Date.parse(at!)
    assert.ok(age > 0 && age < LOG_DAYS * DAY, at)
    assert.deepEqual(pages.at(-1)!.messages, [])
  } finally {
    jump = 0
    now = Date.now()
  }
})

test('ends a search after its step if the client disconnected', async () => {
  const query = asked({ limit: 100, requestFilter: ['request.parameters.n = 3'] })
  const limits = { clock: () => 0, maxBytes: 1e9, timeoutMs: 60_000 }
  // Each group reads the clock by itself.
  const db = { ...served.db, groups: [served.db.groups[0]!] }
  const waiting = await searchLogs(db, query, { ...limits, signal: new AbortController().signal })
  assert.deepEqual([waiting.logs.length, waiting.isIncomplete], [1, false])
  const client = new AbortController()
  let reads = 0
  const leaveAfterStep = (): number => {
    // The clock is read at the start of the search, and before and after the first step.
    if (++reads === 3) client.abort()
    return 0
  }
  const gone = await searchLogs(db, query, { ...limits, clock: leaveAfterStep, signal: client.signal })
  assert.deepEqual([gone.logs.length, gone.isIncomplete], [0, true])
})

test('searches a long log month by month, so that a page of the last month does not read earlier ones', async () => {
  const { control, listenUrl } = served.db
  const old = day - 295 * DAY
  const name = nameOf(old)
  for (const table of ['sends', 'attempts']) {
    await control.unsafe(`create table ${table}_${name} partition of ${table}
      for values from ('${lowestIdAt(old)}') to ('${lowestIdAt(old + DAY)}')`)
  }
  const place = placementHash(CLIENT, RARE.user)
  const first = uuidv7(place, old + 1000)
  await control`
    insert into sends (bucket, id, env_id, user_id, notification_id, body, decisions)
    values (${place >> 6}, ${first}, ${CLIENT}, ${RARE.user}, 'invoice', '{}', '{"EMAIL": "sent"}')`
  const page = async (body: object) => {
    const query = parseLogQuery(body, { envId: CLIENT, now: Date.now(), retentionDays: 366 })
    const { logs, next } = await searchLogs(served.db, query, {
      maxBytes: 8_000_000,
      clock: Date.now,
      signal: new AbortController().signal,
      timeoutMs: 5000
    })
    return { ids: logs.map(({ send }) => send.id), next }
  }
  // A statement that is planned over this partition waits for the lock.
  await whileLocked(listenUrl, `sends_${name}`, async () => {
    assert.equal((await page({ limit: 100 })).ids.length, 100)
    assert.equal((await page({ limit: 5, statusFilter: ['failure'] })).ids.length, 5)
  })
  const { ids, next } = await page({ limit: 500, userFilter: [RARE.user] })
  assert.equal(ids.length, 201)
  assert.equal(ids.at(-1), first)
  assert.equal(next, undefined)
  const oldest = await page({
    customFilter: `filter user_id = "${RARE.user}" | sort received_at asc`,
    limit: 2
  })
  assert.deepEqual(oldest.ids, ids.toReversed().slice(0, 2))
})

test('pages a search from the oldest as well', async () => {
  const query = { ...asked({ customFilter: 'filter type = "rare" | sort received_at asc', limit: 50 }) }
  const limits = { clock: Date.now, maxBytes: 1e9, signal: new AbortController().signal, timeoutMs: 3000 }
  const [first, all] = [
    await searchLogs(served.db, query, limits),
    await searchLogs(served.db, { ...query, limit: 1000 }, limits)
  ]
  const second = await searchLogs(served.db, { ...query, after: first.next! }, limits)
  const ids = [...first.logs, ...second.logs].map(facts => toLogRecord(facts).trackingId)
  assert.deepEqual([first.logs.length, second.logs.length, all.logs.length], [50, 50, 200])
  assert.deepEqual(
    ids,
    all.logs.slice(0, 100).map(({ send }) => send.id)
  )
})
