// Dead letters over HTTP: listed, redriven once however often that is requested, deleted, and counted correctly by the log.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { CLIENT, OTHER } from '../../http/serve.ts'
import { idsOf, inapp, mail, openDesk, pointersOf, type Desk, type Json } from '../../logs/log-server.ts'
import { plainPostgresOnly } from '../../support/plain-postgres.ts'
import { random } from '../../support/random.ts'

interface Letter {
  readonly id: string
  readonly trackingId: string
  readonly code: string
  readonly type: string
  readonly channel: string
  readonly attempts: number
}

const AT = `/${CLIENT}/dead-letters`

async function list(desk: Desk, query = '', at = AT): Promise<{ deadLetters: Letter[]; next?: string }> {
  const { body, status } = await desk.ask('GET', `${at}${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as unknown as { deadLetters: Letter[]; next?: string }
}

/** Mails to these people die for these reasons. */
async function bury(desk: Desk, reasons: Readonly<Record<string, string>>): Promise<string[]> {
  const ids: string[] = []
  for (const user of Object.keys(reasons)) ids.push(await desk.send(mail(user)))
  desk.provider = row => ({ code: reasons[row.userId] ?? 'x', detail: 'Refused.', kind: 'dead' })
  await desk.drain()
  desk.provider = () => ({ kind: 'sent', ref: 'r' })
  return ids
}

test('lists dead letters in pages and by filter, and shows one with its reason', async () => {
  await using desk = await openDesk()
  const before = Date.now()
  const ids = await bury(desk, { ada: '550', bob: '552', eve: '550', kim: '421' })
  const all = await list(desk)
  assert.deepEqual(all.deadLetters.map(({ trackingId }) => trackingId).toSorted(), ids.toSorted())
  const count = async (query: string, at = AT) => (await list(desk, query, at)).deadLetters.length
  assert.equal(await count('?code=550'), 2)
  assert.equal(await count('?channel=email&type=invoice&userId=bob'), 1)
  assert.equal(await count('?channel=SMS'), 0)
  assert.equal(await count('?type=comment'), 0)
  assert.equal(await count(`?startTime=${before}&endTime=${Date.now() + 1000}`), 4)
  assert.equal(await count(`?endTime=${Math.floor(before / 1000) - 60}`), 0)
  assert.equal(await count('', `/${OTHER}/dead-letters`), 0)
  const listedIds: string[] = []
  let next: string | undefined
  do {
    const page = await list(desk, `?count=3${next === undefined ? '' : `&cursor=${next}`}`)
    listedIds.push(...page.deadLetters.map(({ id }) => id))
    next = page.next
  } while (next !== undefined)
  assert.deepEqual(
    listedIds,
    all.deadLetters.map(({ id }) => id)
  )
  const [first] = all.deadLetters
  const shown = await desk.ask('GET', `${AT}/${first!.id}`)
  assert.deepEqual(shown.body, { ...first })
  assert.equal((await desk.ask('GET', `/${OTHER}/dead-letters/${first!.id}`)).status, 404)
  assert.equal((await desk.ask('GET', `${AT}/nonsense`)).status, 404)
})

test('sends dead letters once, under their tracking ids, if they are redriven 40 times at once', async () => {
  await using desk = await openDesk()
  const ids = await bury(desk, { ada: '550', bob: '550' })
  const letters = (await list(desk)).deadLetters
  const sent = new Map<string, number>()
  desk.provider = row => {
    sent.set(row.id, (sent.get(row.id) ?? 0) + 1)
    return { kind: 'sent', ref: 'r' }
  }
  const orders: Json[] = [{ ids: letters.map(({ id }) => id) }, { filter: { code: '550' } }]
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => desk.ask('POST', `${AT}/redrive`, orders[i % 2]))
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal(
    answers.reduce((sum, { body }) => sum + (body['count'] as number), 0),
    2
  )
  assert.ok(desk.context.woken.has('EMAIL'))
  await desk.drain()
  assert.deepEqual([...sent.values()], [1, 1])
  assert.deepEqual((await list(desk)).deadLetters, [])
  const { logs } = await desk.query({ statusFilter: ['success'] })
  assert.deepEqual(logs.map(({ trackingId }) => trackingId).toSorted(), ids.toSorted())
  const [delivery] = logs[0]!.channels[0]!.deliveries
  assert.deepEqual(
    delivery!.attempts.map(one => [one.attempt, one.outcome]),
    [
      [1, 'dead'],
      [2, 'sent']
    ]
  )
})

test('executes a request with an idempotency key once, and answers twice', async () => {
  await using desk = await openDesk()
  await bury(desk, { ada: '550' })
  const key = { 'idempotency-key': 'k' }
  const body = { filter: { channel: 'EMAIL' } }
  const first = await desk.ask('POST', `${AT}/redrive`, body, key)
  assert.equal(first.body['count'], 1)
  desk.provider = () => ({ code: '550', detail: 'Again.', kind: 'dead' })
  await desk.drain()
  const again = await desk.ask('POST', `${AT}/redrive`, body, key)
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal((await list(desk)).deadLetters.length, 1)
  const other = await desk.ask('POST', `${AT}/drop`, body, key)
  assert.equal(other.status, 422)
})

test('redrives or deletes one dead letter by its id, in its own environment only', async () => {
  await using desk = await openDesk()
  await bury(desk, { ada: '550', bob: '550' })
  const [one, two] = (await list(desk)).deadLetters
  assert.equal((await desk.ask('DELETE', `/${OTHER}/dead-letters/${one!.id}`)).status, 404)
  const theirs = await desk.ask('POST', `/${OTHER}/dead-letters/drop`, { ids: [one!.id, two!.id] })
  assert.equal(theirs.body['count'], 0)
  const again = () => desk.ask('POST', `${AT}/redrive`, { ids: [one!.id, 'no id'] })
  assert.deepEqual((await again()).body, { count: 1, ids: [one!.id], more: false })
  assert.deepEqual((await again()).body, { count: 0, ids: [], more: false })
  assert.equal((await desk.ask('DELETE', `${AT}/${two!.id}`)).status, 200)
  assert.equal((await desk.ask('DELETE', `${AT}/${two!.id}`)).status, 404)
  assert.deepEqual((await list(desk)).deadLetters, [])
  const { logs } = await desk.query({ statusFilter: ['failure'] })
  assert.deepEqual(idsOf({ logs }), [two!.trackingId])
  assert.match(logs[0]!.channels[0]!.explanation, /its dead letter was deleted/)
})

test('limits one request, and answers that more dead letters remain', async () => {
  await using desk = await openDesk({ deadLetters: 2 })
  await bury(desk, { ada: '550', bob: '550', eve: '550' })
  const order = () => desk.ask('POST', `${AT}/drop`, { filter: { code: '550' } })
  const first = await order()
  assert.deepEqual([first.body['count'], first.body['more']], [2, true])
  const second = await order()
  assert.deepEqual([second.body['count'], second.body['more']], [1, false])
})

const bucketChanges = plainPostgresOnly('changes the bucket of rows, which the server never does')

test(
  'redrives one delivery of a digest that failed twice, with all items',
  { skip: bucketChanges },
  async () => {
    await using desk = await openDesk()
    const ids = await bury(desk, { ada: '550', bob: '550', eve: '550' })
    const { deadLetters } = await list(desk)
    const twice = deadLetters.filter(letter => letter.trackingId !== ids[0]).map(letter => letter.id)
    await desk.db.control`
    update dead_letters set key = 'digest:1', bucket = 1 where bucket >= 0 and id = any(${twice}::uuid[])`
    const { body, status } = await desk.ask('POST', `${AT}/redrive`, { filter: { code: '550' } })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body['count'], 2)
    assert.equal((await list(desk)).deadLetters.length, 1)
  }
)

test('names what is wrong in a request, and changes nothing', async () => {
  await using desk = await openDesk()
  await bury(desk, { ada: '550' })
  for (const [body, pointer] of [
    [{}, '#'],
    [{ filter: {} }, '#/filter'],
    [{ filter: { code: '550' }, ids: ['x'] }, '#'],
    [{ ids: [] }, '#/ids'],
    [{ ids: 'ALL' }, '#/ids'],
    [{ filter: { channel: 'FAX' } }, '#/filter/channel'],
    [{ filter: { chanel: 'SMS', code: '550' } }, '#/filter/chanel'],
    [{ filter: { startTime: 'noon' } }, '#/filter/startTime']
  ] as const) {
    for (const deed of ['redrive', 'drop']) {
      const reply = await desk.ask('POST', `${AT}/${deed}`, body)
      assert.equal(reply.status, 422, JSON.stringify(body))
      assert.deepEqual(pointersOf(reply), [pointer], JSON.stringify(reply.body))
    }
  }
  assert.equal((await list(desk)).deadLetters.length, 1)
})

test('keeps accepted = delivered + dead + pending for every behaviour of providers and operators', async () => {
  await using desk = await openDesk()
  const next = random()
  const accepted = new Set<string>()
  const outcomes = ['sent', 'dead', 'retry', 'gone'] as const
  for (let round = 0; round < 6; round++) {
    for (let i = 0; i < 8; i++) {
      const user = `u${next(5)}`
      const both = mail(user, { inapp: { title: 'Hi' } })
      accepted.add(await desk.send([inapp(user), mail(user), both][next(3)]!))
    }
    desk.provider = () => {
      const kind = outcomes[next(outcomes.length)]!
      return kind === 'sent' ? { kind, ref: 'r' } : { code: kind, detail: 'So it is.', kind }
    }
    await desk.drain()
    const letters = (await list(desk, '?count=1000')).deadLetters
    const some = letters.filter(() => next(2) === 0).map(({ id }) => id)
    if (some.length > 0) await desk.ask('POST', `${AT}/redrive`, { ids: some })
    if (letters[0] && next(3) === 0) await desk.ask('DELETE', `${AT}/${letters[0].id}`)

    const of = async (status: string) => idsOf(await desk.query({ limit: 1000, statusFilter: [status] }))
    const parts = {
      failure: await of('failure'),
      partial: await of('partial'),
      received: await of('received'),
      success: await of('success')
    }
    const what = `seed ${next.seed}, round ${round}`
    const all = Object.values(parts).flat()
    assert.deepEqual(all.toSorted(), [...accepted].toSorted(), what)
    // The record and the filter speak of the same status.
    const { logs } = await desk.query({ limit: 1000 })
    for (const { status, trackingId } of logs)
      assert.ok(parts[status].includes(trackingId), `${what}: ${trackingId}`)
    for (const { deadLetters } of [await list(desk, '?count=1000')]) {
      for (const { trackingId } of deadLetters)
        assert.ok([...parts.failure, ...parts.partial].includes(trackingId), what)
    }
  }
})
