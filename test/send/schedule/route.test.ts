// Schedules over HTTP: they can be read, changed and deleted until their time, and answer 404 or 409 afterwards.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'

import { uuidv7 } from '../../../server/core/id.ts'
import { MAX_ATTEMPTS } from '../../../server/queue/backoff.ts'
import { basic, CLIENT, OTHER, OTHER_SECRET } from '../../http/serve.ts'
import { DAY_AHEAD } from '../../support/fixtures.ts'
import { at, HOUR, scheduling } from './schedule-server.ts'

const HELLO = { inapp: { title: 'Hello' }, to: { id: 'u1' }, type: 't' }
const MAIL = { ...HELLO, email: { html: '<p>x</p>', subject: 'S' }, to: { email: 'a@b.example', id: 'u1' } }

test('returns a schedule as it was requested', async () => {
  await using s = await scheduling()
  const schedule = at(HOUR)
  const id = await s.later({ ...HELLO, parameters: { a: 1 }, schedule, subNotificationId: 'sub', x: 1 })
  const { body, status } = await s.ask('GET', `/schedule/${id}`)
  assert.equal(status, 200)
  assert.deepEqual(body, {
    messages: ['#/x: unknown field, ignored.'],
    notificationId: 't',
    request: {
      inapp: { title: 'Hello' },
      parameters: { a: 1 },
      schedule,
      subNotificationId: 'sub',
      to: { id: 'u1' },
      type: 't'
    },
    schedule,
    subNotificationId: 'sub',
    trackingId: id,
    userId: 'u1'
  })
})

test('pages contain every schedule once, the earliest first, and apply filters', async () => {
  await using s = await scheduling()
  const ids: string[] = []
  const schedule = new Date(Date.now() + 30 * 86_400_000).toISOString()
  for (let i = 0; i < 12; i++) {
    const type = i % 2 === 0 ? 'even' : 'odd'
    // Schedules of the same instant are ordered by id.
    ids.push(await s.later({ ...HELLO, schedule, to: { id: `u${i % 3}` }, type }))
  }
  const early = await s.later({ ...HELLO, to: { id: 'u0' }, type: 'odd' }, 60_000)
  const expected = [early, ...ids.toSorted()]
  const walk = async (query: string, count: number): Promise<string[]> => {
    const seen: string[] = []
    for (let next: string | undefined = ''; next !== undefined;) {
      const page = await s.ask('GET', `/schedule?count=${count}${query}${next && `&cursor=${next}`}`)
      assert.equal(page.status, 200)
      assert.ok(page.body.schedules.length <= count)
      seen.push(...page.body.schedules.map(one => one.trackingId))
      next = page.body.next
    }
    return seen
  }
  for (const count of [1, 4, 13, 50]) assert.deepEqual(await walk('', count), expected)
  const odd = [early, ...ids.filter((_, i) => i % 2 === 1).toSorted()]
  assert.deepEqual(await walk('&type=odd', 2), odd)
  assert.deepEqual(await walk('&notificationId=odd', 50), odd)
  assert.deepEqual(await walk('&userId=u0', 2), [early, ...ids.filter((_, i) => i % 3 === 0).toSorted()])
  assert.deepEqual(await walk('&userId=u0&type=odd', 2), [
    early,
    ...ids.filter((_, i) => i % 6 === 3).toSorted()
  ])
  assert.deepEqual(await walk('&userId=nobody', 5), [])
  for (const [query, pointer] of [
    ['cursor=x', '#/cursor'],
    ['count=0', '#/count'],
    ['count=x', '#/count'],
    ['userId=', '#/userId']
  ]) {
    const wrong = await s.ask('GET', `/schedule?${query}`)
    assert.deepEqual([wrong.status, wrong.body.errors?.[0]?.pointer], [422, pointer])
  }
})

test('a page is limited in bytes, and the next page continues after it', async () => {
  await using s = await scheduling({}, { scheduleBytes: 50_000 })
  const expected: string[] = []
  for (const [n, length] of [20_000, 20_000, 20_000, 90_000, 10, 10].entries()) {
    expected.push(await s.later({ ...HELLO, parameters: { text: 'x'.repeat(length) } }, HOUR + n * 1000))
  }
  const pages: string[][] = []
  for (let next: string | undefined = ''; next !== undefined;) {
    const { body } = await s.ask('GET', `/schedule${next && `?cursor=${next}`}`)
    pages.push(body.schedules.map(one => one.trackingId))
    next = body.next
  }
  assert.deepEqual(
    pages.map(page => page.length),
    [2, 1, 1, 2]
  )
  assert.deepEqual(pages.flat(), expected)
})

for (const method of ['PATCH', 'PUT']) {
  test(`${method} of the time alone keeps all other fields`, async () => {
    await using s = await scheduling()
    const id = await s.later({ ...MAIL, parameters: { a: 1 } })
    await s.db.control`update outbox set attempts_left = 1 where id = ${id}`
    const schedule = `${DAY_AHEAD}T10:20:30.1234567Z`
    const { body, status } = await s.ask(method, `/schedule/${id}`, { schedule })
    assert.deepEqual(body, { messages: [], schedule: `${DAY_AHEAD}T10:20:30.123Z`, trackingId: id })
    assert.equal(status, 200)
    const [row] = await s.db.control`select run_at, body, attempts_left from outbox where id = ${id}`
    assert.equal(row!['run_at'].toISOString(), `${DAY_AHEAD}T10:20:30.123Z`)
    assert.equal(row!['attempts_left'], MAX_ATTEMPTS, 'what was changed is tried anew')
    assert.deepEqual(row!['body'].send, {
      email: MAIL.email,
      inapp: { title: 'Hello' },
      parameters: { a: 1 },
      schedule: `${DAY_AHEAD}T10:20:30.123Z`,
      to: MAIL.to,
      type: 't'
    })
    const [send] = await s.db.control`select body, decisions from sends where id = ${id}`
    assert.deepEqual(send!['body'], row!['body'].send)
    assert.deepEqual(send!['decisions'], { EMAIL: 'scheduled', INAPP_WEB: 'scheduled' })
  })
}

test('the last change is sent, also with former names and wrapped', async () => {
  await using s = await scheduling()
  const id = await s.later({ ...HELLO, subNotificationId: 'a', templateId: 'b' })
  const changes = [
    { mergeTags: { name: 'Ada' }, notificationId: 'other', secondaryId: 'c' },
    { sendRequest: { inapp: { title: 'Hi {{ name }}' }, templateId: '' } },
    { to: { email: 'new@b.example' }, schedule: null }
  ]
  for (const change of changes) {
    const { body, status } = await s.ask('PATCH', `/schedule/${id}`, change)
    assert.deepEqual([status, body.messages], [200, []])
  }
  const [row] = await s.db.control`select body from outbox where id = ${id}`
  assert.equal(row!['body'].notificationId, 'other')
  assert.deepEqual(row!['body'].send.to, { email: 'new@b.example', id: 'u1' })
  assert.equal(row!['body'].send.templateId, undefined)
  await s.runQueue(await s.claimNow(id))
  const [item] = await s.db.control`select notification_id, sub_id, content from inbox_items`
  assert.deepEqual(
    { ...item },
    {
      content: { parameters: { name: 'Ada' }, title: 'Hi Ada' },
      notification_id: 'other',
      sub_id: 'c'
    }
  )
  const [send] = await s.db.control`select notification_id, sub_id, decisions from sends`
  assert.deepEqual({ ...send }, { decisions: { INAPP_WEB: 'sent' }, notification_id: 'other', sub_id: 'c' })
})

test('a given detail of the user replaces only that detail', async () => {
  await using s = await scheduling()
  const id = await s.later({ ...MAIL, to: { ...MAIL.to, timezone: 'Europe/Oslo' } })
  const { status } = await s.ask('PATCH', `/schedule/${id}`, {
    user: { locale: 'de_AT', number: '2025550123', slackChannelName: '#ops', timezone: 'Asia/Tokyo' }
  })
  assert.equal(status, 200)
  assert.deepEqual((await s.ask('GET', `/schedule/${id}`)).body.request['to'], {
    email: 'a@b.example',
    id: 'u1',
    locale: 'de-AT',
    number: '+12025550123',
    slackChannel: '#ops',
    timezone: 'Asia/Tokyo'
  })
})

test('a time in the past means now', async () => {
  await using s = await scheduling()
  const id = await s.later(HELLO)
  s.context.woken.clear()
  const { status } = await s.ask('PATCH', `/schedule/${id}`, { schedule: '2001-01-01T00:00:00Z' })
  assert.equal(status, 200)
  assert.ok(s.context.woken.has('SCHEDULE'))
  const [row] = await s.db.control`select extract(epoch from now() - run_at)::float8 as late from outbox`
  assert.ok(row!['late'] >= 0 && row!['late'] < 10, 'not so far back that the queue would look elsewhere')
})

test('a wrong change is refused with its pointer and changes nothing', async () => {
  await using s = await scheduling()
  const id = await s.later(HELLO)
  const before = await s.ask('GET', `/schedule/${id}`)
  const tooFar = at(400 * 24 * HOUR)
  const cases: readonly (readonly [unknown, string])[] = [
    [{ schedule: 'tomorrow' }, '#/schedule'],
    [{ schedule: tooFar }, '#/schedule'],
    [{ sendRequest: { schedule: tooFar } }, '#/sendRequest/schedule'],
    [{ sendRequest: 5 }, '#/sendRequest'],
    [{}, '#'],
    [{ shedule: at(HOUR) }, '#'],
    [[], '#'],
    [{ to: { id: 'u2' } }, '#/to/id'],
    [{ user: { id: 'u2' } }, '#/user/id'],
    [{ sendRequest: { to: { id: 'u2' } } }, '#/sendRequest/to/id'],
    [{ to: { email: 7 } }, '#/to/email'],
    [{ inapp: { title: '{% if %}' } }, '#/inapp/title'],
    [{ sendRequest: { inapp: { title: '{% if %}' } } }, '#/sendRequest/inapp/title'],
    [{ email: { subject: 'only' } }, '#/email/html'],
    [{ parameters: { x: 'y'.repeat(270_000) } }, '#/parameters'],
    [{ forceChannels: ['PIGEON'] }, '#/forceChannels/0']
  ]
  for (const [change, pointer] of cases) {
    const { body, status } = await s.ask('PATCH', `/schedule/${id}`, change)
    assert.ok(status === 422 || status === 413, `${JSON.stringify(change)}: ${status}`)
    assert.equal(body.errors?.[0]?.pointer, pointer, JSON.stringify(body))
  }
  assert.deepEqual(await s.ask('GET', `/schedule/${id}`), before)
})

test('the whole send is checked again: a type without templates needs content', async () => {
  await using s = await scheduling()
  await s.db.control`
    insert into notifications (env_id, id, title, channels) values (${CLIENT}, 'made', 'made', ${['INAPP_WEB']})`
  await s.db.control`
    insert into templates (env_id, notification_id, channel, content)
    values (${CLIENT}, 'made', 'INAPP_WEB', ${s.db.control.json({ title: 'x' })})`
  const id = await s.later({ to: { id: 'u1' }, type: 'made', x: 1 })
  const unknown = await s.ask('PATCH', `/schedule/${id}`, { type: 'nobody_knows' })
  assert.deepEqual([unknown.status, unknown.body.errors?.[0]?.pointer], [422, '#/type'])
  const warned = await s.ask('PATCH', `/schedule/${id}`, { forceChannels: ['EMAIL'], y: 1 })
  assert.equal(warned.status, 202)
  assert.match(warned.body.messages.join(), /#\/y: unknown field.*EMAIL was discarded/s)
  await s.ask('PATCH', `/schedule/${id}`, { forceChannels: ['EMAIL'], y: 1, z: 1 })
  // Warnings of all changes, each once.
  const { body } = await s.ask('GET', `/schedule/${id}`)
  assert.deepEqual(
    body.messages.map(text => text.slice(0, 3)),
    ['#/x', '#/y', '#/z']
  )
})

test('answers 404 for unknown, foreign and deleted schedules, and 409 for sent ones', async () => {
  await using s = await scheduling()
  const id = await s.later(HELLO)
  const sent = await s.later(HELLO)
  await s.runQueue(await s.claimNow(sent))
  const now = (await s.ask('POST', '/sender', MAIL)).body.trackingId
  const [mail] = await s.db.control<{ id: string }[]>`select id from outbox where send_id = ${now}`
  const gone = await s.later(HELLO)
  const deleted = await s.ask('DELETE', `/schedule/${gone}`)
  assert.deepEqual([deleted.status, deleted.body], [200, { messages: [], trackingId: gone }])

  const bare = await s.later(HELLO)
  await s.db.control`update sends set decisions = '{}' where id = ${bare}`
  assert.equal((await s.ask('DELETE', `/schedule/${bare}`)).status, 200)

  const expected: readonly (readonly [string, number, RegExp])[] = [
    [bare, 404, /was deleted/],
    ['nonsense', 404, /The schedule "nonsense" does not exist/],
    [randomUUID(), 404, /schedule .* does not exist/],
    [uuidv7(1), 404, /schedule .* does not exist/],
    // A queued delivery is not a schedule, and stays.
    [mail!.id, 404, /schedule .* does not exist/],
    [gone, 404, /was deleted/],
    [sent, 409, /sent already/],
    [now, 409, /sent already/]
  ]
  for (const [which, status, words] of expected) {
    for (const method of ['PATCH', 'PUT', 'DELETE']) {
      const body = method === 'DELETE' ? undefined : { schedule: at(HOUR) }
      const answer = await s.ask(method, `/schedule/${which}`, body)
      assert.equal(answer.status, status, `${method} ${which}: ${JSON.stringify(answer.body)}`)
      assert.match(answer.body.detail, words)
    }
    assert.equal((await s.ask('GET', `/schedule/${which}`)).status, 404)
  }
  const { schedules } = (await s.ask('GET', '/schedule')).body
  assert.deepEqual(
    schedules.map(one => one.trackingId),
    [id]
  )
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const { status } = await s.fetch(`/${OTHER}/schedule/${id}`, {
      headers: basic(`${OTHER}:${OTHER_SECRET}`),
      method,
      ...(method === 'PATCH' && { body: JSON.stringify({ schedule: at(HOUR) }) })
    })
    assert.equal(status, 404, method)
  }
  const others = await s.fetch(`/${OTHER}/schedule`, { headers: basic(`${OTHER}:${OTHER_SECRET}`) })
  assert.deepEqual(await others.json(), { schedules: [] })
  assert.equal((await s.ask('GET', `/schedule/${id.toUpperCase()}`)).status, 200)
  const [log] = await s.db.control`select decisions from sends where id = ${gone}`
  assert.deepEqual(log!['decisions'], { INAPP_WEB: 'deleted' })
})

test('a change with an idempotency key is applied once, and its answer is repeated after the send', async () => {
  await using s = await scheduling()
  const id = await s.later(HELLO)
  const key = { 'idempotency-key': 'k' }
  const change = { inapp: { title: 'Changed' } }
  const first = await s.ask('PATCH', `/schedule/${id}`, change, key)
  await s.ask('PATCH', `/schedule/${id}`, { inapp: { title: 'Later' } })
  assert.deepEqual(await s.ask('PATCH', `/schedule/${id}`, change, key), first)
  await s.runQueue(await s.claimNow(id))
  assert.deepEqual(await s.ask('PATCH', `/schedule/${id}`, change, key), first)
  const [item] = await s.db.control`select content from inbox_items`
  assert.deepEqual(item!['content'], { title: 'Later' })
  const other = await s.ask('PATCH', `/schedule/${id}`, { inapp: { title: 'x' } }, key)
  assert.equal(other.status, 422)
})

test('concurrent changes are applied as a whole, and none is lost', async () => {
  await using s = await scheduling()
  const id = await s.later(HELLO)
  const answers = await Promise.all([
    s.ask('PATCH', `/schedule/${id}`, { inapp: { title: 'A' } }),
    s.ask('PATCH', `/schedule/${id}`, { parameters: { b: 1 } }),
    s.ask('PATCH', `/schedule/${id}`, { subNotificationId: 'c' }),
    s.ask('PATCH', `/schedule/${id}`, { schedule: `${DAY_AHEAD}T00:00:00Z` })
  ])
  assert.deepEqual(
    answers.map(({ body, status }) => [status, body.messages]),
    answers.map(() => [200, []])
  )
  const { request } = (await s.ask('GET', `/schedule/${id}`)).body
  assert.deepEqual(request, {
    inapp: { title: 'A' },
    parameters: { b: 1 },
    schedule: `${DAY_AHEAD}T00:00:00.000Z`,
    subNotificationId: 'c',
    to: { id: 'u1' },
    type: 't'
  })
})
