// The log says where each message went and what it said, finds sends by that address, and forgets both with their user.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import {
  boundContent,
  MAX_LOGGED_SUBJECT_BYTES,
  MAX_LOGGED_TEXT_BYTES
} from '../../server/channels/logged-content.ts'
import type { ChannelExplanation, LogRecord } from '../../server/client/logs.ts'
import { lowestIdAt } from '../../server/core/id.ts'
import { maskAddress, maskLogRecord, toLoggedAddress } from '../../server/logs/address.ts'
import type { SendFacts } from '../../server/logs/delivery-facts.ts'
import { explainDeliveries } from '../../server/logs/explain-delivery.ts'
import { searchStatement } from '../../server/logs/log-search.sql.ts'
import { parseLogQuery } from '../../server/logs/query/parse-query.ts'
import { asBackEnd, basic, CLIENT, OTHER, OTHER_SECRET, startApp, type TestApp } from '../security/app.ts'
import { testDb } from '../support/db.ts'
import { plainPostgresOnly } from '../support/plain-postgres.ts'

const TOKEN = 'a1b2c3d4e5f6a7b8c9d0'

let app: TestApp
before(async () => {
  app = await startApp()
  for (const client of [CLIENT, OTHER]) {
    await ask('PUT', '/notifications/news', { templates: TEMPLATES }, client)
  }
})
after(() => app[Symbol.asyncDispose]())

const TEMPLATES = {
  email: { html: '<p>Hello {{ name }}, <b>{{ n }}</b> new</p>', subject: 'News {{ n }}' },
  inapp: { title: 'News {{ n }}' },
  push: { message: 'Push {{ n }}', title: 'News' },
  sms: { message: 'Text {{ n }}' }
}

async function ask(method: string, path: string, body?: unknown, client = CLIENT): Promise<unknown> {
  const answer = await app.ask(`/${client}${path}`, {
    headers: client === CLIENT ? asBackEnd : basic(`${OTHER}:${OTHER_SECRET}`),
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  assert.ok(answer.status < 300, `${path} ${JSON.stringify(answer.json)}`)
  return answer.json
}

async function deliver(): Promise<void> {
  for (const queue of ['DIGEST', 'EMAIL', 'SMS', 'APN'] as const) {
    app.queues.wake([queue])
    await app.queues.idle(queue)
  }
}

async function send(id: string, more: object = {}, client = CLIENT): Promise<string> {
  const body = { parameters: { n: 3, name: 'Ada' }, to: { id }, type: 'news', ...more }
  return ((await ask('POST', '/sender', body, client)) as { trackingId: string }).trackingId
}

const read = async (id: string): Promise<LogRecord> => (await ask('GET', `/logs/${id}`)) as LogRecord
const channelOf = ({ channels }: LogRecord, name: string): ChannelExplanation =>
  channels.find(({ channel }) => channel === name)!

const find = async (body: object, client = CLIENT): Promise<string[]> =>
  ((await ask('POST', '/logs/query', body, client)) as { logs: LogRecord[] }).logs.map(
    ({ trackingId }) => trackingId
  )

test('keeps addresses of the store and what each channel said', async () => {
  const device = { app_id: 'app', device_id: 'd' }
  await ask('POST', '/users/ada', {
    email: 'Ada@Example.com',
    number: '(202) 555-0147',
    pushTokens: [{ device, token: TOKEN, type: 'APN' }]
  })
  const id = await send('ada')
  await deliver()
  const record = await read(id)
  const said = (name: string) =>
    channelOf(record, name).deliveries.map(({ content, to }) => ({ content, to }))
  assert.deepEqual(said('EMAIL'), [
    { content: { subject: 'News 3', text: 'Hello Ada, 3 new' }, to: 'Ada@Example.com' }
  ])
  assert.deepEqual(said('SMS'), [{ content: { text: 'Text 3' }, to: '+12025550147' }])
  assert.deepEqual(said('PUSH'), [{ content: { subject: 'News', text: 'Push 3' }, to: 'a1b2c3d4…c9d0' }])
  assert.deepEqual(channelOf(record, 'INAPP_WEB').content, { text: 'News 3' })
  assert.ok(!record.request.includes('Example.com'), 'the request names no address')
})

test('finds sends by the address that they went to, in their environment only', async () => {
  await ask('POST', '/users/eve', { email: 'eve@example.com', number: '+442071838750' })
  await ask('POST', '/users/eve', { email: 'Eve@Example.com' }, OTHER)
  const stored = await send('eve')
  const given = await send('mallory', { to: { email: 'EVE@example.com', id: 'mallory' } })
  const other = await send('eve', { to: { email: 'other@example.com', id: 'eve' } })
  const elsewhere = await send('eve', {}, OTHER)
  await deliver()
  assert.deepEqual(await find({ addressFilter: ['eve@example.com'] }), [given, stored])
  assert.deepEqual(await find({ addressFilter: ['eve@example.com'], limit: 1 }), [given])
  assert.deepEqual(await find({ addressFilter: ['eve@example.com'], userFilter: ['eve'] }), [stored])
  assert.deepEqual(await find({ addressFilter: ['eve@example.com'], trackingIds: [other, given] }), [given])
  assert.deepEqual(await find({ addressFilter: ['+44 (0)20 7183-8750'] }), [other, stored])
  assert.deepEqual(await find({ addressFilter: ['other@example.com', 'eve@example.com'] }), [
    other,
    given,
    stored
  ])
  assert.deepEqual(await find({ addressFilter: ['example.com'] }), [])
  assert.deepEqual(await find({ addressFilter: ['eve@example.com'] }, OTHER), [elsewhere])
})

test('finds all sends of a digest by its address', async () => {
  await ask('POST', '/users/dig', { email: 'dig@example.com' })
  await ask('POST', '/user_preferences/dig', [
    { channel: 'EMAIL', delivery: 'daily', notificationId: 'news' }
  ])
  const ids = [await send('dig'), await send('dig'), await send('dig')]
  assert.deepEqual(await find({ addressFilter: ['dig@example.com'] }), [], 'nothing went there yet')
  await app.db
    .control`update outbox set run_at = now(), body = jsonb_set(body, '{dueAt}', '0') where queue = 'DIGEST'`
  await deliver()
  assert.deepEqual(await find({ addressFilter: ['dig@example.com'] }), ids.toReversed())
  const pages: string[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const body = { addressFilter: ['dig@example.com'], limit: 1, ...(cursor !== '' && { cursor }) }
    const page = (await ask('POST', '/logs/query', body)) as { logs: LogRecord[]; next?: string }
    pages.push(...page.logs.map(({ trackingId }) => trackingId))
    cursor = page.next
  }
  assert.deepEqual(pages, ids.toReversed())
})

test('exports the addresses and texts of a user, and erases them', async () => {
  await ask('POST', '/users/gone', { email: 'gone@example.com' })
  await send('gone')
  await deliver()
  const exported = await app.ask(`/${CLIENT}/users/gone/export`, { headers: asBackEnd })
  const lines = exported.text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { table: string; row: Record<string, unknown> })
  const attempt = lines.find(({ row, table }) => table === 'attempts' && row['channel'] === 'EMAIL')!
  assert.equal(attempt.row['address'], 'gone@example.com')
  assert.equal(attempt.row['content'], 'Hello Ada, 3 new')
  const users = async () =>
    ((await ask('GET', '/users?q=gone@example.com')) as { users: object[] }).users.length
  assert.equal(await users(), 1)
  await ask('DELETE', '/users/gone')
  assert.equal(await users(), 0)
  assert.deepEqual(await find({ addressFilter: ['gone@example.com'] }), [])
  const [left] = await app.db
    .control`select count(*)::int as count from attempts where address = 'gone@example.com'`
  assert.equal(left!['count'], 0)
})

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly Plan[]
}
const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]

const plans = plainPostgresOnly('it reads plans')
test(
  'reads only the messages to the address, also in a log of many others and of another environment',
  { skip: plans },
  async () => {
    await using t = await testDb()
    const [group] = t.db.groups
    const { work } = group!
    await work`
    insert into attempts (bucket, id, send_id, delivery_id, env_id, user_id, notification_id, channel, claim_count, outcome,
      address)
    select i % 1024, a.id, a.id, a.id, case when i % 2 = 0 then ${CLIENT} else ${OTHER} end, 'u', 't', 'EMAIL', 1, 'sent',
      case when i % 1000 < 2 then 'X@example.com' else 'u' || i || '@example.com' end
    from generate_series(1, 20000) i cross join lateral (
      select overlay(uuid_at(now() - i * interval '1 s')::text placing lpad(to_hex(i), 12, '0') from 25)::uuid as id) a`
    await work`vacuum analyze attempts`
    const now = Date.now()
    const query = parseLogQuery(
      { addressFilter: ['x@example.com'] },
      { envId: CLIENT, now, retentionDays: 30 }
    )
    const span = { high: lowestIdAt(now), low: lowestIdAt(now - 86_400_000) }
    const statement = (count: number) => searchStatement(work, group!, query, span, count)
    const [found] = await work<{ ids: string[] }[]>`${statement(100)}`
    assert.equal(found!.ids.length, 20)
    const [row] = await work<{ 'QUERY PLAN': readonly [{ Plan: Plan }] }[]>`
    explain (analyze, format json) ${statement(5)}`
    const scans = flat(row!['QUERY PLAN'][0].Plan).filter(plan => plan['Relation Name'] !== undefined)
    assert.ok(scans.every(plan => plan['Node Type'] !== 'Seq Scan'))
    const rows = scans.reduce((sum, plan) => sum + plan['Actual Rows'] * plan['Actual Loops'], 0)
    assert.ok(rows <= 60, `${rows} rows`)
  }
)

test('shortens the token of a delivery that waits, and of a dead letter', () => {
  const row = {
    attemptsLeft: 8,
    id: 'r',
    isLeased: false,
    queue: 'APN',
    runAt: new Date(),
    to: TOKEN
  } as const
  const letter = { code: 'x', detail: null, diedAt: new Date(), id: 'l', queue: 'FCM', to: TOKEN } as const
  const facts = { attempts: [], deadLetters: [letter], queued: [row], receipts: [] }
  const found = explainDeliveries({ ...facts, send: {} as SendFacts }, 'PUSH')
  assert.deepEqual(
    found.map(({ to }) => to),
    ['a1b2c3d4…c9d0', 'a1b2c3d4…c9d0']
  )
})

test('bounds what it keeps, and splits no character', () => {
  const kept = boundContent({ subject: 'ä'.repeat(500), text: '😀'.repeat(500) })
  assert.ok(Buffer.byteLength(kept.subject!) <= MAX_LOGGED_SUBJECT_BYTES)
  assert.ok(Buffer.byteLength(kept.text) <= MAX_LOGGED_TEXT_BYTES)
  assert.match(kept.text, /^(?:😀)+…$/u)
  const whole = { text: 'x'.repeat(MAX_LOGGED_TEXT_BYTES) }
  assert.deepEqual(boundContent({ subject: '', ...whole }), whole)
})

test('masks every address of a record', async () => {
  const id = await send('ada', { to: { email: 'ada.l@example.com', id: 'ada', number: '+12025550147' } })
  await deliver()
  const masked = maskLogRecord(await read(id))
  const text = JSON.stringify(masked)
  for (const part of ['ada.l', 'Ada@', '2025550147']) assert.ok(!text.includes(part), `${part} in ${text}`)
  assert.equal(masked['user_email'], 'a…@example.com')
  assert.equal(channelOf(masked, 'SMS').deliveries[0]!.to, '+…47')
  assert.equal(maskAddress('#general'), '…')
  assert.match(toLoggedAddress('WEB_PUSH', `https://push.example/send/${TOKEN}`), /^push\.example…c9d0$/)
})
