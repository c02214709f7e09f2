// The log query: every filter, pages without gaps, the retention of each environment, and time-outs.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { CLIENT, OTHER } from '../http/serve.ts'
import { idsOf, inapp, mail, openDesk, pointersOf, type Desk, type Json } from './log-server.ts'

const DAY = 86_400_000

describe('filters', () => {
  let desk: Desk
  const ids: Record<string, string> = {}
  before(async () => {
    desk = await openDesk()
    desk.provider = row =>
      row.userId === 'bob'
        ? { code: '550', detail: 'No such user.', kind: 'dead' }
        : { kind: 'sent', ref: 'r1' }
    ids['ada'] = await desk.send(mail('ada', { parameters: { item: 'red shoe', price: 12 } }))
    ids['bob'] = await desk.send(mail('bob'))
    ids['eve'] = await desk.send(inapp('eve', { parameters: { item: 'hat', price: 3, tags: ['a', 'b'] } }))
    await desk.drain()
    ids['waiting'] = await desk.send(mail('ada'))
    ids['nobody'] = await desk.send({ ...mail('x'), to: { id: 'x' } })
    ids['later'] = await desk.send(inapp('eve', { schedule: new Date(Date.now() + DAY).toISOString() }))
    ids['theirs'] = await desk.send(inapp('eve'), OTHER)
  })
  after(() => desk[Symbol.asyncDispose]())

  const named = async (body: Json, clientId = CLIENT): Promise<string[]> => {
    const found = idsOf(await desk.query(body, clientId))
    return found.map(id => Object.keys(ids).find(name => ids[name] === id) ?? id)
  }
  const ALL = ['later', 'nobody', 'waiting', 'eve', 'bob', 'ada']
  const now = Date.now()

  for (const [what, body, expected] of [
    ['nothing: all, newest first', {}, ALL],
    ['empty lists', { channelFilter: [], trackingIds: [], userFilter: [] }, ALL],
    ['empty maps as PHP writes them', { dateRangeFilter: [] }, ALL],
    ['nulls', { customFilter: null, dateRangeFilter: null, userFilter: null }, ALL],
    ['a type', { notificationFilter: ['comment'] }, ['later', 'eve']],
    ['a user', { userFilter: ['ada'] }, ['waiting', 'ada']],
    ['users', { userFilter: ['bob', 'eve'] }, ['later', 'eve', 'bob']],
    ['a channel', { channelFilter: ['INAPP_WEB'] }, ['later', 'eve']],
    ['a channel by its name in the log', { channelFilter: ['email'] }, ['nobody', 'waiting', 'bob', 'ada']],
    ['success', { statusFilter: ['SUCCESS'] }, ['eve', 'ada']],
    ['failure', { statusFilter: ['failure'] }, ['nobody', 'bob']],
    [
      'in the format of a legacy client',
      { statusFilter: ['sent', 'FAILED'] },
      ['nobody', 'eve', 'bob', 'ada']
    ],
    ['received', { statusFilter: ['Received'] }, ['later', 'waiting']],
    ['two statuses', { statusFilter: ['success', 'failure'] }, ['nobody', 'eve', 'bob', 'ada']],
    ['a decision', { decisionFilter: ['no-address'] }, ['nobody']],
    ['a rule, as the decisions that fail it', { decisionFilter: ['address', 'throttled'] }, ['nobody']],
    ['a decision of a channel', { channelFilter: ['INAPP_WEB'], decisionFilter: ['sent'] }, ['eve']],
    [
      'a decision of no send of the channel',
      { channelFilter: ['INAPP_WEB'], decisionFilter: ['no-address'] },
      []
    ],
    ['its own environment', { envIdFilter: [CLIENT, OTHER] }, ALL],
    ['another environment', { envIdFilter: [OTHER] }, []],
    ['no tracking ids', { trackingIds: ['nonsense'] }, []],
    ['milliseconds', { dateRangeFilter: { endTime: now + DAY, startTime: now - DAY } }, ALL],
    ['seconds', { dateRangeFilter: { endTime: now / 1000 + 86_400, startTime: now / 1000 - 86_400 } }, ALL],
    ['the day before', { dateRangeFilter: { endTime: now - DAY, startTime: now - 2 * DAY } }, []],
    ['requests', { requestFilter: ['request.mergeTags.item = "*shoe"'] }, ['ada']],
    [
      'requests, all of them',
      { requestFilter: ['$.parameters.price > 2', '$.request.user.id != ada'] },
      ['eve']
    ],
    [
      'a custom filter over all others',
      { customFilter: 'filter type = "invoice"', userFilter: ['eve'] },
      ['nobody', 'waiting', 'bob', 'ada']
    ]
  ] as const) {
    test(what, async () => assert.deepEqual(await named(body), expected))
  }

  test('finds tracking ids in any case, and none of other environments', async () => {
    assert.deepEqual(await named({ trackingIds: [ids['ada']!.toUpperCase(), ids['bob'], 'x'] }), [
      'bob',
      'ada'
    ])
    assert.deepEqual(await named({ trackingIds: [ids['theirs']] }), [])
    assert.deepEqual(await named({ trackingIds: [ids['theirs']] }, OTHER), ['theirs'])
  })

  test('describes each channel in the fields of legacy clients and in ours', async () => {
    const { logs } = await desk.query({ trackingIds: [ids['ada'], ids['bob'], ids['nobody']] })
    const [nobody, bob, ada] = logs
    assert.equal(ada!['clientId'], CLIENT)
    assert.equal(ada!['user_email'], 'ada@example.com')
    assert.equal(ada!['email_routing'], 'SEND')
    assert.ok(Date.parse(ada!['email_sent_at'] as string) >= Date.parse(ada!.received_at))
    assert.equal(JSON.parse(ada!.request).parameters.item, 'red shoe')
    assert.deepEqual(
      ada!.channels.map(({ channel, state, decision }) => [channel, state, decision]),
      [['EMAIL', 'sent', 'sent']]
    )
    assert.equal(bob!['email_failed_code'], '550')
    assert.ok(bob!['email_failed_at'])
    assert.equal(nobody!['email_failed_code'], 'NO_ADDRESS')
    assert.deepEqual([ada!.status, bob!.status, nobody!.status], ['success', 'failure', 'failure'])
  })

  test('gives a scheduled send the time of its delivery, not of its request', async () => {
    await using own = await openDesk()
    const at = new Date(Date.now() + 300).toISOString()
    const id = await own.send({ ...inapp('ida', { schedule: at }), email: { html: 'h', subject: 's' } })
    const record = async () => (await own.query({ trackingIds: [id] })).logs[0]!
    // The missing address is known when the send is accepted.
    const before = await record()
    assert.equal(before['email_failed_at'], before.received_at)
    let row: { seq: number } | undefined
    while (!row) {
      await own.drain()
      ;[row] = await own.db.control<{ seq: number }[]>`select seq from inbox_items where id = ${id}`
    }
    const { seq } = row
    const { inapp_sent_after, inapp_sent_at, received_at } = await record()
    assert.equal(inapp_sent_at, new Date(seq).toISOString())
    assert.equal(inapp_sent_after, seq - Date.parse(received_at))
    assert.ok(seq >= Date.parse(at))
    await own.db.control`delete from inbox_items where id = ${id}`
    const forgotten = await record()
    assert.deepEqual([forgotten['inapp_sent_at'], forgotten['email_failed_at']], [at, at])
  })

  test('continues a page at its cursor, and ends a page at its byte limit', async () => {
    const seen: string[] = []
    let next: string | undefined
    do {
      const page = await desk.query({ limit: 2, ...(next !== undefined && { cursor: next }) })
      assert.ok(page.logs.length <= 2)
      seen.push(...idsOf(page))
      next = page.next
    } while (next !== undefined)
    assert.deepEqual(
      seen,
      ALL.map(name => ids[name])
    )
    await using small = await openDesk({ pageBytes: 1000 })
    const sent: string[] = []
    for (let i = 0; i < 6; i++)
      sent.unshift(await small.send(inapp('u', { parameters: { text: 'x'.repeat(900) } })))
    const found: string[] = []
    let cursor: string | undefined
    let pages = 0
    do {
      const page = await small.query({ ...(cursor !== undefined && { cursor }) })
      found.push(...idsOf(page))
      cursor = page.next
      pages += 1
    } while (cursor !== undefined)
    assert.deepEqual([found, pages], [sent, 6])
  })

  test('names each wrong field', async () => {
    const before = Math.floor((Date.now() - 31 * DAY) / 1000)
    for (const [body, pointer] of [
      [{ dateRangeFilter: { startTime: before } }, '#/dateRangeFilter/startTime'],
      [{ dateRangeFilter: { startTime: before * 1000 } }, '#/dateRangeFilter/startTime'],
      [{ dateRangeFilter: { endTime: 1, startTime: now } }, '#/dateRangeFilter/endTime'],
      [{ dateRangeFilter: { startTime: '2026-11-20' } }, '#/dateRangeFilter/startTime'],
      [{ dateRangeFilter: 5 }, '#/dateRangeFilter'],
      [{ channelFilter: ['FAX'] }, '#/channelFilter/0'],
      [{ statusFilter: ['success', 'lost'] }, '#/statusFilter/1'],
      [{ userFilter: 'ada' }, '#/userFilter'],
      [{ requestFilter: ['request.a = 1', 'price > 5'] }, '#/requestFilter/1'],
      [{ customFilter: 'select * from sends' }, '#/customFilter'],
      [{ cursor: 'abc' }, '#/cursor'],
      [{ cursor: '1' }, '#/cursor'],
      [{ limit: 0 }, '#/limit'],
      [{ limit: 1001 }, '#/limit'],
      [{ limit: -5 }, '#/limit']
    ] as const) {
      const reply = await desk.ask('POST', `/${CLIENT}/logs/query`, body)
      assert.equal(reply.status, 422, JSON.stringify(body))
      assert.deepEqual(pointersOf(reply), [pointer], JSON.stringify(reply.body))
    }
    const { body } = await desk.ask('POST', `/${CLIENT}/logs/query`, { dateRange: 1 })
    assert.deepEqual(body['messages'], ['#/dateRange: unknown field, ignored.'])
    for (const body of [undefined, []]) {
      assert.equal((await desk.ask('POST', `/${CLIENT}/logs/query`, body)).status, 200)
    }
  })
})

test('cancels a query that takes too long, and says what to do', async () => {
  await using desk = await openDesk({ timeoutSeconds: 1 })
  await desk.send(inapp('u'))
  // This lock makes every reader wait.
  const { promise: done, resolve: release } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const holder = desk.db.control.begin(async tx => {
    await tx`lock table sends in access exclusive mode`
    hold()
    await done
  })
  await held
  const reply = await desk.ask('POST', `/${CLIENT}/logs/query`, {})
  release()
  await holder
  assert.equal(reply.status, 422)
  assert.deepEqual(pointersOf(reply), ['#/dateRangeFilter'])
  assert.match(reply.body['message'] as string, /more than 1 s/)
  assert.equal((await desk.ask('POST', `/${CLIENT}/logs/query`, {})).status, 200)
})
