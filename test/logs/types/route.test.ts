// The overview of types and the variables of recent sends, on a real server and database.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { TypeOverviewPage, TypeVariables } from '../../../server/client/versions.ts'
import { addLogCounts } from '../../../server/logs/counts.sql.ts'
import { MAX_SCANNED_SENDS } from '../../../server/logs/types/type-sends.sql.ts'
import { asBackEnd, basic, CLIENT, OTHER, OTHER_SECRET, startApp, type TestApp } from '../../security/app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await app.ask(`/${CLIENT}${path}`, {
    headers: asBackEnd,
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  assert.ok(answer.status < 300, answer.text)
  return answer.json
}

const send = (type: string, parameters: Record<string, unknown>) =>
  ask('POST', '/sender', { parameters, to: { id: 'reader' }, type })

const overviews = async (query = '') => (await ask('GET', `/types${query}`)) as unknown as TypeOverviewPage

test('the overview says what is incomplete, what is published, and what was sent by day', async () => {
  const title = '{{ author }} wrote'
  await ask('PUT', '/notifications/a-complete', { templates: { inapp: { title: 'Hello' } } })
  await ask('PUT', '/notifications/b-partly', {
    channels: ['INAPP_WEB', 'SMS', 'EMAIL'],
    templates: {
      'email/short': { subject: 's', text: 't' },
      inapp: { title },
      'inapp@de': { title },
      sms: { message: 'm' }
    }
  })
  await ask('PUT', '/notifications/b-partly/draft', { title: 'Later' })
  await send('a-complete', {})
  await send('a-complete', {})
  await send('b-partly', {})
  await addLogCounts(app.db.groups[0]!, new AbortController().signal)

  const { days, types } = await overviews()
  assert.equal(days.length, 14)
  const [complete, partly] = types
  assert.deepEqual(
    { ...complete, updatedAt: '' },
    {
      channels: ['INAPP_WEB'],
      enabled: true,
      failed: days.map(() => 0),
      id: 'a-complete',
      locales: { INAPP_WEB: [''] },
      needsLook: [],
      sent: days.map((_, i) => (i === 13 ? 2 : 0)),
      title: 'a-complete',
      updatedAt: '',
      version: 1
    }
  )
  assert.deepEqual([partly!.version, partly!.draft], [1, 2])
  assert.deepEqual(partly!.locales, { EMAIL: [], INAPP_WEB: ['', 'de'], SMS: [''] })
  assert.deepEqual(
    partly!.needsLook.map(({ channel, code, detail, locale }) => [code, channel, locale, detail]),
    [
      ['missing-template', 'EMAIL', undefined, 'EMAIL has no default template.'],
      ['missing-language', 'SMS', 'de', 'SMS has no template for de, unlike INAPP_WEB.'],
      [
        'missing-variables',
        undefined,
        undefined,
        'INAPP_WEB: {{ author }} has no value and will be empty. Give a value in parameters, or a default in the template: {{ name | default: "there" }}.'
      ]
    ]
  )

  const first = await overviews('?count=1')
  const second = await overviews(`?count=1&cursor=${first.next}`)
  assert.deepEqual(
    [...first.types, ...second.types].map(({ id }) => id),
    ['a-complete', 'b-partly']
  )
})

test('variables are those of recent sends of the type, with the newest sample', async () => {
  await ask('PUT', '/notifications/order', {
    templates: { inapp: { title: '{{ order.number }} {{ author }} {{ user.id }}' } }
  })
  await send('order', { author: 'Ann', order: { lines: [{ price: 1 }], number: 'A-1' } })
  await send('a-complete', { foreign: true })
  await send('order', {
    long: 'x'.repeat(500),
    order: { 'due date': null, lines: [{ price: 2 }], number: 'A-2' }
  })
  const found = (await ask('GET', '/notifications/order/variables')) as unknown as TypeVariables
  const { missing, sends, variables } = found
  assert.equal(sends.length, 2)
  assert.deepEqual(
    variables.map(({ count, name, sample }) => [name, count, sample.slice(0, 40)]),
    [
      ['order', 2, '{"lines":[{"price":2}],"number":"A-2","d'],
      ['order.lines', 2, '[{"price":2}]'],
      ['order.lines[]', 2, '{"price":2}'],
      ['order.lines[].price', 2, '2'],
      ['order.number', 2, '"A-2"'],
      ['author', 1, '"Ann"'],
      ['long', 1, `"${'x'.repeat(39)}`],
      ['order["due date"]', 1, 'null']
    ]
  )
  assert.equal(variables.find(({ name }) => name === 'long')!.sample.length, 200)
  assert.deepEqual(missing, [{ channel: 'INAPP_WEB', count: 1, name: 'author', template: '' }])
})

test('an old send of the type is found by the day that the counts name', async () => {
  await ask('PUT', '/notifications/rare', { templates: { inapp: { title: 'x' } } })
  await send('rare', { old: 1 })
  await addLogCounts(app.db.groups[0]!, new AbortController().signal)
  const variables = async () =>
    ((await ask('GET', '/notifications/rare/variables')) as unknown as TypeVariables).variables
  const insertMany = (at: string) =>
    app.db.groups[0]!.sql.unsafe(`
      insert into sends (bucket, id, env_id, user_id, notification_id, body)
      select 1, overlay(uuid_at(${at})::text placing lpad(to_hex(i), 12, '0') from 25)::uuid, '${CLIENT}', 'u', 'many', '{}'
      from generate_series(1, ${MAX_SCANNED_SENDS}) i`)
  const tomorrow = `date_trunc('day', now(), 'UTC') + interval '1 day'`
  await insertMany(tomorrow)
  assert.deepEqual(await variables(), [{ count: 1, name: 'old', sample: '1' }])
  await insertMany(`${tomorrow} - interval '1 millisecond'`)
  assert.deepEqual(await variables(), [], 'more sends of one day are not read')
})

test('another environment sees no type and no variable of this one', async () => {
  const headers = basic(`${OTHER}:${OTHER_SECRET}`)
  const types = await app.ask(`/${OTHER}/types`, { headers })
  assert.deepEqual(types.json['types'], [])
  assert.equal((await app.ask(`/${OTHER}/notifications/order/variables`, { headers })).status, 404)
  assert.equal((await app.ask(`/${CLIENT}/types`, { headers })).status, 401)
})
