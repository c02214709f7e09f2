// The audit log: what operators do in an environment is stored before it happens, or it does not happen.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { digestUserId, sha256 } from '../../server/core/hash.ts'
import type { Db } from '../../server/db/db.ts'
import {
  ADMIN_TOKEN,
  asAdmin,
  asBackEnd,
  asUser,
  basic,
  CLIENT,
  OTHER,
  startApp,
  type Answer,
  type Asked,
  type TestApp
} from '../security/app.ts'

const ACTOR = `admin:${sha256(ADMIN_TOKEN).toString('hex').slice(0, 8)}`

interface Entry {
  readonly id: string
  readonly date: string
  readonly action?: string
  readonly actor?: string
  readonly subject?: string
  readonly status?: number
}

const json = (body: unknown): Pick<Asked, 'body' | 'method'> => ({
  body: JSON.stringify(body),
  method: 'POST'
})
const send = (id: string) => json({ inapp: { title: 'Hello' }, to: { id }, type: 'comment' })

const audit = async (app: TestApp, query = ''): Promise<{ entries: Entry[]; next?: string }> => {
  const answer = await app.ask(`/audit${query}`, { headers: asAdmin })
  assert.equal(answer.status, 200, answer.text)
  return answer.json as { entries: Entry[]; next?: string }
}

const newest = async (app: TestApp): Promise<Omit<Entry, 'action' | 'date' | 'id' | 'subject'>> => {
  const [{ action: _action, date: _date, id: _id, subject: _subject, ...entry }] = (
    await audit(app, '?count=1')
  ).entries as [Entry]
  return entry
}

const sendCount = async (db: Db): Promise<number> => {
  const [row] = await db.control<
    { count: number }[]
  >`select count(*)::int as count from sends where bucket >= 0`
  return row!.count
}

describe('the audit log', () => {
  let app: TestApp
  const ask = (path: string, asked: Asked = {}): Promise<Answer> =>
    app.ask(path, { ...asked, headers: { ...asAdmin, ...asked.headers } })
  before(async () => {
    app = await startApp()
  })
  after(() => app[Symbol.asyncDispose]())

  test('has who did what about whom, when, from where, and how it ended', async () => {
    const start = Date.now()
    assert.equal((await ask(`/${CLIENT}/sender`, send('u1'))).status, 200)
    const { entries } = await audit(app, `?clientId=${CLIENT}&count=1`)
    const { date, id, ...entry } = entries[0]!
    assert.deepEqual(entry, {
      action: 'send',
      actor: ACTOR,
      address: '127.0.0.1',
      clientId: CLIENT,
      method: 'POST',
      route: '/:clientId/sender',
      status: 200,
      userDigest: digestUserId(CLIENT, 'u1')
    })
    assert.match(id, /^[\da-f-]{36}$/)
    assert.ok(Date.parse(date) >= start && Date.parse(date) <= Date.now())
    assert.ok(!(await audit(app)).entries.some(one => JSON.stringify(one).includes('u1"')))
  })

  test('has reads, refused calls and calls about nothing', async () => {
    const user = `/${CLIENT}/users/u1`
    const at = { actor: ACTOR, address: '127.0.0.1', clientId: CLIENT }
    const userDigest = digestUserId(CLIENT, 'u1')
    assert.equal((await ask(`${user}/inbox`)).status, 200)
    assert.deepEqual(await newest(app), {
      ...at,
      method: 'GET',
      route: '/:clientId/users/:userId/inbox',
      status: 200,
      userDigest
    })
    assert.equal((await ask(`/${CLIENT}/sender`, { ...send('u1'), body: '{' })).status, 400)
    assert.deepEqual(await newest(app), { ...at, method: 'POST', route: '/:clientId/sender', status: 400 })
    assert.equal((await ask(`/${CLIENT}/dead-letters?userId=u1`)).status, 200)
    assert.deepEqual(await newest(app), {
      ...at,
      method: 'GET',
      route: '/:clientId/dead-letters',
      status: 200,
      userDigest
    })
    for (const [path, clientId] of [
      ['nobody', 'nobody'],
      ['a%00b', 'ab'],
      ['x'.repeat(300), 'x'.repeat(255)]
    ] as const) {
      assert.equal((await ask(`/${path}/dead-letters`)).status, 404)
      assert.deepEqual(await newest(app), {
        ...at,
        clientId,
        method: 'GET',
        route: '/:clientId/dead-letters',
        status: 404
      })
    }
  })

  test('has changes of environments, also of one whose id the server made', async () => {
    const { json: made } = await ask('/environments', json({ title: 'Made' }))
    const clientId = String(made['clientId'])
    await ask(`/environments/${clientId}/secret`, json({}))
    await ask(`/environments/${clientId}`, { body: '{"title":"x"}', method: 'PATCH' })
    await ask(`/environments/${clientId}`)
    await ask(`/environments/${clientId}`, { method: 'DELETE' })
    const { entries } = await audit(app, `?clientId=${clientId}`)
    assert.deepEqual(
      entries.map(({ action: _action, date: _date, id: _id, ...entry }) =>
        Object.values({ ...entry, actor: '' }).join(' ')
      ),
      [
        ' DELETE /environments/:clientId 127.0.0.1 204',
        ' PATCH /environments/:clientId 127.0.0.1 200',
        ' POST /environments/:clientId/secret 127.0.0.1 200',
        ' POST /environments 127.0.0.1 201'
      ].map(line => {
        const [status, ...words] = line.split(' ').toReversed()
        return [...words.toReversed(), clientId, status].join(' ')
      })
    )
    assert.doesNotMatch(JSON.stringify(entries), new RegExp(String(made['clientSecret'])))
  })

  test('has who looked at messages in the sandbox', async () => {
    for (const headers of [asAdmin, basic(`anybody:${ADMIN_TOKEN}`)]) {
      assert.equal((await app.ask(`/sandbox?env=${OTHER}&user=u7`, { headers })).status, 200)
      assert.deepEqual(await newest(app), {
        actor: ACTOR,
        address: '127.0.0.1',
        clientId: OTHER,
        method: 'GET',
        route: '/sandbox',
        status: 200,
        userDigest: digestUserId(OTHER, 'u7')
      })
    }
  })

  test('is read by operator, action, user and what a call is about, and exported as lines', async () => {
    await ask(`/${CLIENT}/users/u5`)
    await ask(`/${CLIENT}/logs/01937f6e-0000-7000-8000-000000000000`)
    await ask(`/${CLIENT}/sender`, send('u5'))
    const actions = async (query: string) => (await audit(app, query)).entries.map(({ action }) => action)
    assert.deepEqual(await actions(`?clientId=${CLIENT}&userId=u5`), ['send', 'getUser'])
    assert.deepEqual(await actions(`?clientId=${CLIENT}&userId=u5&action=send`), ['send'])
    assert.deepEqual(await actions(`?clientId=${CLIENT}&userId=u5&actor=admin:00000000`), [])
    assert.deepEqual(await actions(`?clientId=${CLIENT}&userId=u5&actor=${ACTOR}`), ['send', 'getUser'])
    assert.deepEqual(await actions('?subject=01937f6e-0000-7000-8000-000000000000'), ['getLog'])
    assert.equal((await ask('/audit?userId=u5')).status, 422)
    const { headers, text } = await ask(`/audit/export?clientId=${CLIENT}`)
    assert.match(headers['content-type']!, /^application\/x-ndjson/)
    const lines = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Entry)
    assert.deepEqual(lines, (await audit(app, `?clientId=${CLIENT}&count=200`)).entries)
  })

  test('has no looks at what shows no user', async () => {
    const earlier = await audit(app, '?count=200')
    for (const path of ['notifications', 'logs/stats', 'dead-letters/groups']) {
      assert.equal((await ask(`/${CLIENT}/${path}`)).status, 200)
    }
    assert.deepEqual(await audit(app, '?count=200'), earlier)
  })

  test('has nothing of back ends and users', async () => {
    const earlier = await audit(app, '?count=200')
    await app.ask(`/${CLIENT}/sender`, { ...send('u1'), headers: asBackEnd })
    await app.ask(`/${CLIENT}/users/u1/inbox`, { headers: asUser('u1') })
    await app.ask(`/${CLIENT}/users/u1/inbox`, { headers: { authorization: 'Bearer wrong' } })
    assert.deepEqual(await audit(app, '?count=200'), earlier)
  })

  test('is read in pages, by environment and by time, the newest first', async () => {
    const all = (await audit(app, '?count=200')).entries
    assert.deepEqual(
      all.map(({ id }) => id),
      all.map(({ id }) => id).toSorted((a, b) => (a < b ? 1 : -1))
    )
    const paged: Entry[] = []
    let cursor = ''
    do {
      const { entries, next = '' } = await audit(app, `?count=2${cursor && `&cursor=${cursor}`}`)
      assert.ok(entries.length <= 2)
      paged.push(...entries)
      cursor = next
    } while (cursor !== '')
    assert.deepEqual(paged, all)
    const middle = Date.parse(all[2]!.date)
    const range = await audit(app, `?startTime=${middle}&endTime=${middle}&count=200`)
    assert.deepEqual(
      range.entries,
      all.filter(({ date }) => Date.parse(date) === middle)
    )
    assert.deepEqual((await audit(app, '?clientId=unheard')).entries, [])
    assert.equal((await app.ask('/audit', { headers: asBackEnd })).status, 401)
  })

  test('keeps idempotency keys of operators and back ends apart', async () => {
    const headers = { 'idempotency-key': 'the same' }
    const operator = await ask(`/${CLIENT}/sender`, { ...send('u2'), headers })
    const again = await ask(`/${CLIENT}/sender`, { ...send('u2'), headers })
    assert.equal(again.json['trackingId'], operator.json['trackingId'])
    const backEnd = await app.ask(`/${CLIENT}/sender`, {
      ...send('u2'),
      headers: { ...asBackEnd, ...headers }
    })
    assert.equal(backEnd.status, 200)
    assert.notEqual(backEnd.json['trackingId'], operator.json['trackingId'])
  })

  test('does not let the admin token name an environment at an address of front ends', async () => {
    assert.equal((await ask('/user/inapp')).status, 401)
  })

  for (const [table, isExecuted] of [
    ['audit_calls', false],
    ['audit_answers', true]
  ] as const) {
    test(`refuses operators, and nobody else, while ${table} cannot be written`, async () => {
      await app.db.control.unsafe(`alter table ${table} rename to away`)
      try {
        const earlier = await sendCount(app.db)
        for (const asked of [
          await ask(`/${CLIENT}/sender`, send('u3')),
          await ask(`/${CLIENT}/users/u1/inbox`),
          await ask('/environments/nobody', { method: 'DELETE' })
        ]) {
          assert.equal(asked.status, 503, asked.text)
          assert.equal(asked.headers['retry-after'], '5')
          assert.doesNotMatch(asked.text, /Hello/)
        }
        assert.equal((await sendCount(app.db)) - earlier, isExecuted ? 1 : 0)
        assert.equal((await app.ask(`/${CLIENT}/users/u1/inbox`, { headers: asUser('u1') })).status, 200)
      } finally {
        await app.db.control.unsafe(`alter table away rename to ${table}`)
      }
    })
  }
})

test('a wrong admin token counts against its address, the right one against no limit', async () => {
  await using app = await startApp({
    NOTIF_REQUESTS_PER_SECOND: '3',
    NOTIF_ENVIRONMENT_REQUESTS_PER_SECOND: '3'
  })
  const path = `/${CLIENT}/dead-letters`
  const asked = (token: string) => app.ask(path, { headers: { authorization: `Bearer ${token}` } })
  const wrong = await Promise.all(Array.from({ length: 20 }, (_, n) => asked(`wrong${n}`)))
  const refused = wrong.filter(({ status }) => status === 429)
  assert.ok(refused.length > 0)
  assert.ok(wrong.every(({ status }) => status === 401 || status === 429))
  const right = await Promise.all(Array.from({ length: 20 }, () => asked(ADMIN_TOKEN)))
  assert.ok(right.every(({ status }) => status === 200))
})
