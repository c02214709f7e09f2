// Suggestions for a search of the log: of every kind, bounded, of one environment, and without addresses for those who may see none.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import {
  asBackEnd,
  basic,
  CLIENT,
  OTHER,
  OTHER_SECRET,
  startApp,
  WITH_OIDC,
  type TestApp
} from '../security/app.ts'

let app: TestApp
before(async () => {
  app = await startApp(WITH_OIDC)
  const put = async (path: string, body: object, method = 'POST', headers = asBackEnd) => {
    const { status, text } = await app.ask(path, { body: JSON.stringify(body), headers, method })
    assert.ok(status < 300, text)
  }
  for (const id of ['ada', 'adam', 'bob'])
    await put(`/${CLIENT}/users/${id}`, { email: `${id}@example.com`, id, number: '+14155550100' })
  const asOther = { ...basic(`${OTHER}:${OTHER_SECRET}`), 'content-type': 'application/json' }
  await put(`/${OTHER}/users/adele`, { email: 'adele@example.com', id: 'adele' }, 'POST', asOther)
  for (const id of ['comment', 'computed', 'invoice'])
    await put(`/${CLIENT}/notifications/${id}`, { channels: ['INAPP_WEB'], title: `The ${id}` }, 'PUT')
})
after(() => app[Symbol.asyncDispose]())

interface Suggestion {
  readonly kind: string
  readonly value: string
  readonly hint?: string
}

async function suggest(query: string, headers: Readonly<Record<string, string>> = asBackEnd) {
  const { json, status, text } = await app.ask(`/${CLIENT}/logs/suggestions?${query}`, { headers })
  assert.equal(status, 200, text)
  return json['suggestions'] as readonly Suggestion[]
}

const texts = (found: readonly Suggestion[]): string[] =>
  found.map(({ hint, kind, value }) => [kind, value, ...(hint === undefined ? [] : [hint])].join(' '))

test('finds types and users by their beginning, of this environment alone', async () => {
  assert.deepEqual(texts(await suggest('text=com')), [
    'type comment The comment',
    'type computed The computed'
  ])
  assert.deepEqual(texts(await suggest('kind=user,type&text=ad')), [
    'user ada ada@example.com',
    'user adam adam@example.com'
  ])
  assert.deepEqual(texts(await suggest('text=ADA@')), ['user ada ada@example.com'])
  assert.deepEqual(texts(await suggest('text=adele')), [])
  assert.deepEqual(texts(await suggest('kind=user&text=%2B1415&count=2')), [
    'user ada +14155550100',
    'user adam +14155550100'
  ])
})

test('has the values of every filter, a few of each kind, in any case', async () => {
  assert.deepEqual(texts(await suggest('text=EMA&count=1')), ['channel EMAIL', 'field email_routing'])
  assert.deepEqual(texts(await suggest('kind=status')), [
    'status received',
    'status success',
    'status partial',
    'status failure'
  ])
  assert.deepEqual(texts(await suggest('kind=decision,rule&text=pref')), [
    'decision preference-off',
    'rule preference'
  ])
  const kinds = new Set((await suggest('count=20')).map(({ kind }) => kind))
  // Without a text, the users are not those that are looked for.
  assert.deepEqual([...kinds].toSorted(), ['channel', 'decision', 'field', 'rule', 'status', 'type'])
})

test('what is suggested is what a search takes', async () => {
  for (const [kind, filter] of [
    ['channel', 'channelFilter'],
    ['decision', 'decisionFilter'],
    ['rule', 'decisionFilter'],
    ['status', 'statusFilter'],
    ['type', 'notificationFilter']
  ]) {
    const values = (await suggest(`kind=${kind}&count=20`)).map(({ value }) => value)
    assert.ok(values.length > 2, kind)
    const body = JSON.stringify({ [filter!]: values })
    const { status, text } = await app.ask(`/${CLIENT}/logs/query`, {
      body,
      headers: asBackEnd,
      method: 'POST'
    })
    assert.equal(status, 200, text)
  }
  for (const { value } of await suggest('kind=field&count=20')) {
    const body = JSON.stringify({ customFilter: `filter ${value} = "2026-11-20T04:34:37Z"` })
    const { status, text } = await app.ask(`/${CLIENT}/logs/query`, {
      body,
      headers: asBackEnd,
      method: 'POST'
    })
    assert.equal(status, 200, `${value}: ${text}`)
  }
})

test('a viewer sees no whole address, and wrong fields are named', async () => {
  const viewer = await app.signIn('viewer')
  assert.deepEqual(texts(await suggest('text=bob', viewer)), ['user bob b…@example.com'])
  for (const query of ['kind=colour', 'count=21', 'kind=', `text=${'x'.repeat(256)}`])
    assert.equal(
      (await app.ask(`/${CLIENT}/logs/suggestions?${query}`, { headers: asBackEnd })).status,
      422,
      query
    )
  const asOther = basic(`${OTHER}:${OTHER_SECRET}`)
  assert.equal((await app.ask(`/${CLIENT}/logs/suggestions`, { headers: asOther })).status, 401)
})
