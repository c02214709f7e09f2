// Sends to a list of users: what each of them gets, what a malformed one costs, and what limits a list.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { SendError, SendListAnswer } from '../../../server/client/send.ts'
import type { SendModuleLimits } from '../../../server/send/send-module.ts'
import { asBackEnd, basic, CLIENT, OTHER, OTHER_SECRET, serve, type Served } from '../../http/serve.ts'
import { isLockAwaited } from '../../support/db.ts'
import { plainPostgresOnly } from '../../support/plain-postgres.ts'
import { until } from '../../support/process.ts'
import { PROVIDERS, testKit, testSender } from '../test-context.ts'

const sending = (env: Readonly<Record<string, string>> = {}, limits: SendModuleLimits = {}) =>
  serve(db => testSender(testKit(db, env), PROVIDERS, limits).routes, env)

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly results: SendListAnswer['results']
  readonly errors: SendError['errors']
}

interface PostOptions {
  readonly key?: string
  readonly path?: string
  readonly client?: string
}

async function post(served: Served, body: object, options: PostOptions = {}): Promise<Answered> {
  const { client = CLIENT, key, path = 'sender' } = options
  const answer = await served.fetch(`/${client}/${path}`, {
    body: JSON.stringify(body),
    headers: {
      ...(client === OTHER ? basic(`${OTHER}:${OTHER_SECRET}`) : asBackEnd),
      ...(key !== undefined && { 'idempotency-key': key })
    },
    method: 'POST'
  })
  const text = await answer.text()
  return { ...(JSON.parse(text) as Answered), headers: answer.headers, status: answer.status, text }
}

const INAPP = { inapp: { title: 'Hi {{ name }}{{ team }}' }, type: 'list' }
const users = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `u${i}` }))

const idOf = (result: SendListAnswer['results'][number]): string => {
  assert.ok('trackingId' in result, JSON.stringify(result))
  return result.trackingId
}
const messagesOf = (result: SendListAnswer['results'][number]): readonly string[] =>
  'messages' in result ? result.messages : []
const errorOf = (result: SendListAnswer['results'][number]): SendError => {
  assert.ok('error' in result, JSON.stringify(result))
  return result.error
}

const storedSends = async ({ db }: Served) =>
  db.control<{ id: string; user_id: string; body: Record<string, unknown> }[]>`
    select id, user_id, body from sends where bucket is not null order by id`

test('each user gets a send with own parameters, in the order of the list', async () => {
  await using s = await sending()
  const parameters = { name: 'there', team: '!' }
  const to = [
    { email: 'Ada@b.example', id: 'ada', parameters: { name: 'Ada' } },
    { email: 'Bo@b.example', mergeTags: { name: 'Bo', team: ['?'] } },
    { id: 'cy', parameters: [] },
    { id: 'ada' }
  ]
  const { results, status } = await post(s, { ...INAPP, parameters, to })
  assert.equal(status, 202)
  assert.deepEqual(results.flatMap(messagesOf), [])
  const sends = await storedSends(s)
  const found = results.map(result => sends.find(({ id }) => id === idOf(result)))
  assert.deepEqual(
    found.map(send => [send!.user_id, send!.body['parameters'], send!.body['to']]),
    [
      ['ada', { name: 'Ada', team: '!' }, { email: 'Ada@b.example', id: 'ada' }],
      ['bo@b.example', { name: 'Bo', team: ['?'] }, { email: 'Bo@b.example', id: 'bo@b.example' }],
      ['cy', parameters, { id: 'cy' }],
      ['ada', parameters, { id: 'ada' }]
    ]
  )
  const titles = await s.db.control<{ title: string }[]>`
    select content->>'title' as title from inbox_items where user_id = 'ada' order by seq`
  assert.deepEqual(
    titles.map(({ title }) => title),
    ['Hi Ada!', 'Hi there!'],
    'a user who is in the list twice gets two sends, in their order'
  )
})

test('a malformed user costs no other one', async () => {
  await using s = await sending()
  const to = [
    { id: 'a' },
    { id: '' },
    'b',
    null,
    { email: 'nobody' },
    {},
    { id: 'c', emaill: 'c@b.example', email: 'nobody' },
    { id: 'd', parameters: 'x', timezone: 'Moon' },
    { id: 'e', parameters: { text: 'x'.repeat(262_144) } }
  ]
  const { results, status } = await post(s, { ...INAPP, email: { html: 'x', subject: 'x' }, to })
  assert.equal(status, 202)
  const pointers = results.map(result =>
    'error' in result ? result.error.errors!.map(({ pointer }) => pointer) : 'sent'
  )
  assert.deepEqual(pointers, [
    'sent',
    ['#/to/1/id'],
    ['#/to/2'],
    ['#/to/3'],
    ['#/to/4/email'],
    ['#/to/5/id'],
    'sent',
    ['#/to/7/timezone', '#/to/7/parameters'],
    ['#/to/8/parameters']
  ])
  assert.deepEqual(errorOf(results[1]!), {
    detail: '1 field is wrong.',
    errors: [{ detail: 'Expected 1 to 255 characters without a NUL character.', pointer: '#/to/1/id' }],
    status: 422,
    title: 'The request does not fit the schema.',
    type: '/problems#invalid-request'
  })
  assert.equal(errorOf(results[8]!).status, 413)
  const messages = messagesOf(results[6]!)
  assert.match(messages[0]!, /^#\/to\/6\/emaill: unknown field, ignored. Did you mean email\?/)
  assert.match(messages[1]!, /^#\/to\/6\/email: Expected one email address/)
  assert.equal((await storedSends(s)).length, 2)
  const bad = await post(s, { ...INAPP, to: [{}, {}] })
  assert.deepEqual([bad.status, bad.results.length], [202, 2])
})

test('a fault outside of the list refuses the whole request, and stores no key', async () => {
  await using s = await sending()
  const refused: [object, number, string | undefined][] = [
    [{ ...INAPP, to: [] }, 422, '#/to'],
    [{ ...INAPP, to: users(1_001) }, 422, '#/to'],
    [{ inapp: { title: 'x' }, to: users(2) }, 422, '#/type'],
    [{ to: users(2), type: 'unknown' }, 422, '#/type'],
    [{ inapp: { title: '{% if %}' }, to: users(2), type: 'list' }, 422, '#/inapp/title'],
    [{ ...INAPP, parameters: { text: 'x'.repeat(70_000) }, to: users(1_000) }, 413, '#/to']
  ]
  for (const [body, status, pointer] of refused) {
    const answer = await post(s, body, { key: 'k' })
    assert.deepEqual([answer.status, answer.errors?.[0]?.pointer], [status, pointer], answer.text)
  }
  assert.equal((await storedSends(s)).length, 0)
  assert.equal((await post(s, { ...INAPP, to: users(2) }, { key: 'k' })).status, 202)
  const simulated = await post(s, { send: { ...INAPP, to: users(2) } }, { path: 'simulate' })
  assert.deepEqual(simulated.errors, [{ detail: 'Expected one user, not a list.', pointer: '#/send/to' }])
})

test('a repeated list gets the same answer, and nothing is sent twice', async () => {
  await using s = await sending()
  const body = { ...INAPP, to: [...users(120), {}, { id: 'u7' }] }
  const [first, second] = await Promise.all([post(s, body, { key: 'k' }), post(s, body, { key: 'k' })])
  assert.deepEqual(second.results, first.results, 'two at the same time')
  await s.db.control`delete from notifications`
  const third = await post(s, body, { key: 'k' })
  assert.equal(third.text, first.text)
  assert.equal(third.headers.get('idempotent-replayed'), 'true')
  assert.equal((await storedSends(s)).length, 121)
  const other = await post(s, { ...INAPP, to: users(2) }, { key: 'k' })
  assert.equal(other.status, 422)
  assert.match(other.text, /Another request used this Idempotency-Key/)
  assert.equal((await post(s, body, { key: 'another' })).status, 202)
  assert.equal((await storedSends(s)).length, 242)
})

test('a list with a schedule is scheduled for each user', async () => {
  await using s = await sending()
  const schedule = new Date(Date.now() + 3_600_000).toISOString()
  const { results } = await post(s, { ...INAPP, schedule, to: users(60) })
  const rows = await s.db.control<{ id: string }[]>`select id from outbox where queue = 'SCHEDULE'`
  assert.deepEqual(rows.map(({ id }) => id).toSorted(), results.map(idOf).toSorted())
  const listed = await s.fetch(`/${CLIENT}/schedule/${idOf(results[41]!)}`, { headers: asBackEnd })
  assert.match(await listed.text(), /"u41"/)
})

test('the rate limits count each user, and refuse before anything is sent', async () => {
  await using s = await sending()
  const limit = (limits: object) => s.db.control`
    update environments set settings = settings || ${s.db.control.json({ limits } as never)} where id = ${CLIENT}`
  for (const limits of [{ sendsPerSecond: 50 }, { requestsPerSecond: 50 }]) {
    await s.db.control`delete from sends where bucket is not null`
    await limit(limits)
    await until(async () => {
      const { results, status } = await post(s, { ...INAPP, to: users(51) })
      if (status === 202) assert.equal(results.length, 51)
      return status === 429
    }, 'the settings are read again')
    await s.db.control`delete from sends where bucket is not null`
    await until(async () => {
      const refused = await post(s, { ...INAPP, to: users(51) })
      assert.equal(refused.status, 429)
      return /A list counts each of its users.*Send shorter lists/.test(refused.text)
    }, 'the list is the first request of its second')
    assert.equal((await storedSends(s)).length, 0)
    let accepted: Answered | undefined
    await until(
      async () => (accepted = await post(s, { ...INAPP, to: users(50) })).status === 202,
      'a window'
    )
    assert.match(accepted!.headers.get('ratelimit')!, /r=0/)
    assert.equal((await storedSends(s)).length, 50)
  }
})

test('the single send of another environment is accepted between the slices of a list', async () => {
  await using s = await sending()
  await post(s, { ...INAPP, to: users(1) })
  await post(s, { ...INAPP, to: { id: 'single' } }, { client: OTHER })
  const list = post(s, { ...INAPP, to: users(1_000) })
  await until(async () => (await storedSends(s)).length > 2, 'the list has begun')
  await post(s, { ...INAPP, to: { id: 'single' } }, { client: OTHER })
  const before = (await storedSends(s)).length
  assert.ok(before < 1_002, `the single send waited for all ${before}`)
  await list
})

/** Sends while the log is locked. @returns what `work` returns, after the lock has ended */
async function whileLocked<T extends object>(
  { db }: Served,
  work: (untilWaiting: () => Promise<void>) => Promise<T>
): Promise<T> {
  return db.control.begin(async tx => {
    await tx`lock table sends in exclusive mode`
    return work(() => until(() => isLockAwaited(db.controlWork), 'a send waits for the lock'))
  }) as Promise<T>
}

test('a list is refused as a whole if it exceeds the share of its environment', async () => {
  await using s = await sending({}, { batch: { maxBytes: 400_000 } })
  await post(s, { ...INAPP, to: users(1) })
  await post(s, { ...INAPP, to: users(1) }, { client: OTHER })
  const { first, other } = await whileLocked(s, async untilWaiting => {
    const list = post(s, { ...INAPP, to: users(190) })
    await untilWaiting()
    const second = await post(s, { ...INAPP, to: users(20) })
    assert.deepEqual([second.status, second.headers.get('retry-after')], [503, '1'])
    return { first: list, other: post(s, { ...INAPP, to: users(20) }, { client: OTHER }) }
  })
  assert.deepEqual([(await first).status, (await other).status], [202, 202])
  assert.equal((await storedSends(s)).length, 212)
})

test('a list is refused as a whole, and stores no key, while too many sends wait', async () => {
  await using s = await sending({}, { batch: { maxBatchSize: 1, maxWaiting: 1 } })
  await post(s, { ...INAPP, to: users(1) })
  const { list, singles } = await whileLocked(s, async untilWaiting => {
    const waiting = Array.from({ length: 5 }, (_, i) => post(s, { ...INAPP, to: { id: `w${i}` } }))
    await untilWaiting()
    const refused = Promise.any(waiting.map(async one => assert.equal((await one).status, 503)))
    await refused
    return { list: await post(s, { ...INAPP, to: users(2) }, { key: 'k' }), singles: waiting }
  })
  assert.equal(list.status, 503)
  const accepted = (await Promise.all(singles)).filter(({ status }) => status === 200)
  assert.equal((await storedSends(s)).length, 1 + accepted.length)
  assert.equal((await post(s, { ...INAPP, to: users(3) }, { key: 'k' })).status, 202)
})

const refusal = plainPostgresOnly('a trigger refuses a value, and on a cluster only the coordinator does so')
test('sends what one transaction refuses for one user only to the others', { skip: refusal }, async () => {
  await using s = await sending()
  await s.db.control`
    create function fail() returns trigger language plpgsql as $$
    begin if new.user_id = 'u3' then raise exception using errcode = '22003'; end if; return new; end $$`
  await s.db.control`create trigger fail before insert on sends for each row execute function fail()`
  const { results } = await post(s, { ...INAPP, to: users(60) }, { key: 'k' })
  assert.deepEqual(
    results.flatMap((result, i) => ('error' in result ? [i, result.error.status] : [])),
    [3, 422]
  )
  assert.equal((await storedSends(s)).length, 59)
})

test('a disk that is full in the middle of a list: a repeat with the key sends the rest', async () => {
  await using s = await sending()
  const { control } = s.db
  await control`
    create function fail() returns trigger language plpgsql as $$
    begin
      if new.user_id = 'u170' then
        -- On a cluster the server knows the error by its message.
        raise exception using errcode = '53100', message = 'could not extend file "base/1/2": No space left on device';
      end if;
      return new;
    end $$`
  await control`create trigger fail before insert on sends for each row execute function fail()`
  const body = { ...INAPP, to: users(300) }
  const keyless = await post(s, body)
  assert.equal(keyless.status, 202, 'only this answer says which were sent')
  const sent = keyless.results.filter(result => 'trackingId' in result).length
  assert.ok(sent > 0 && sent < 300, `${sent}`)
  assert.equal((await storedSends(s)).length, sent)
  assert.equal(errorOf(keyless.results[299]!).status, 507)

  const failed = await post(s, body, { key: 'k' })
  assert.equal(failed.status, 507)
  const before = (await storedSends(s)).length
  assert.ok(before > sent)
  await control`drop trigger fail on sends`
  const repeated = await post(s, body, { key: 'k' })
  assert.equal(repeated.status, 202)
  assert.equal(new Set(repeated.results.map(idOf)).size, 300)
  assert.equal((await storedSends(s)).length, sent + 300)
})

test('the users of a list may be in several database groups', async () => {
  await using s = await serve(db => {
    const [group] = db.groups
    const half = (from: number) => ({ ...group!, buckets: Array.from({ length: 512 }, (_, i) => from + i) })
    const groups = [half(0), half(512)]
    return testSender(testKit({ ...db, groups, of: bucket => groups[bucket >> 9]! }), PROVIDERS).routes
  })
  const body = { ...INAPP, to: users(120) }
  const { results } = await post(s, body, { key: 'k' })
  await s.db.control`update idempotency_keys set status = null, response = null where user_id = ''`
  assert.deepEqual((await post(s, body, { key: 'k' })).results, results)
  assert.deepEqual((await storedSends(s)).map(({ id }) => id).toSorted(), results.map(idOf).toSorted())
})
