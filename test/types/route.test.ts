// Types and templates over HTTP, on a real server and a real database.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { pino } from 'pino'

import { typeRoutes } from '../../server/types/route.ts'
import { createRenderer } from '../../server/types/templates/render.ts'
import { openTypes } from '../../server/types/types.sql.ts'
import { asBackEnd, asUser, basic, CLIENT, OTHER, OTHER_SECRET, serve, type Served } from '../http/serve.ts'

const renderer = createRenderer({ renderTimeoutMs: 200 })
let served: Served

before(async () => {
  served = await serve(db => typeRoutes({ renderer, types: openTypes(db, pino({ level: 'silent' })) }))
})
after(async () => {
  await served[Symbol.asyncDispose]()
  await renderer.close()
})

interface Reply {
  readonly status: number
  readonly body: Record<string, unknown> & { errors?: { pointer: string; detail: string }[]; detail?: string }
}

async function call(method: string, path: string, body?: unknown, headers = asBackEnd): Promise<Reply> {
  const response = await served.fetch(`/${CLIENT}/notifications${path}`, {
    headers,
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  const text = await response.text()
  return { body: text === '' ? {} : (JSON.parse(text) as Reply['body']), status: response.status }
}

const comment = {
  channels: ['INAPP_WEB', 'EMAIL'],
  options: { EMAIL: { daily: { hour: '9' }, defaultDeliveryOption: 'daily', off: {} } },
  retention: 30,
  templates: {
    'EMAIL/de': { html: '<p>Hallo</p>', subject: 'Neuer Kommentar' },
    email: { html: '<p>{{ text }}</p>', subject: '{{ author }} commented' },
    inapp: { image: '/img/a.svg', title: '{{ author }} commented', url: '/maps/{{ map.id }}' }
  },
  title: 'New comment'
}

test('creates, reads, lists, replaces and deletes a type', async () => {
  const created = await call('PUT', '/comment', comment)
  assert.equal(created.status, 201)
  const { body } = await call('GET', '/comment')
  assert.deepEqual(
    { ...body, updatedAt: undefined },
    {
      channels: ['INAPP_WEB', 'EMAIL'],
      enabled: true,
      id: 'comment',
      options: {
        EMAIL: { daily: { enabled: true, hour: '9' }, defaultDeliveryOption: 'daily', off: { enabled: true } }
      },
      retention: 30,
      templates: {
        EMAIL: comment.templates.email,
        'EMAIL/de': comment.templates['EMAIL/de'],
        INAPP_WEB: {
          imageURL: '/img/a.svg',
          redirectURL: '/maps/{{ map.id }}',
          title: '{{ author }} commented'
        }
      },
      title: 'New comment',
      updatedAt: undefined,
      version: 1
    }
  )
  // The answer to a GET can be written back and changes nothing.
  const again = await call('PUT', '/comment', body)
  assert.equal(again.status, 200)
  assert.deepEqual({ ...again.body, updatedAt: 0 }, { ...body, updatedAt: 0 })

  const list = await call('GET', '')
  assert.deepEqual(
    (list.body['notifications'] as { id: string }[]).map(({ id }) => id),
    ['comment']
  )

  const smaller = await call('PUT', '/comment', { templates: { inapp: { title: 'x' } } })
  assert.deepEqual(smaller.body['templates'], { INAPP_WEB: { title: 'x' } })
  assert.equal(smaller.body['title'], 'comment')
  assert.equal(smaller.body['retention'], undefined)

  // Other templates do not change.
  const renamed = await call('PUT', '/comment', { title: 'A comment' })
  assert.deepEqual(renamed.body['templates'], { INAPP_WEB: { title: 'x' } })

  const made = await call('PUT', '/made by a send', { adHoc: true })
  assert.equal(made.body['adHoc'], true)

  assert.equal((await call('DELETE', '/made by a send')).status, 204)
  assert.equal((await call('DELETE', '/comment')).status, 204)
  assert.equal((await call('GET', '/comment')).status, 404)
  assert.equal((await call('DELETE', '/comment')).status, 404)
})

test('writes, reads and deletes a single template', async () => {
  await call('PUT', '/invoice', {})
  const content = { html: '<p>Paid</p>', subject: 'Invoice {{ number }}' }
  assert.equal((await call('PUT', '/invoice/templates/EMAIL', content)).status, 201)
  assert.equal((await call('PUT', '/invoice/templates/email', content)).status, 200)
  assert.equal((await call('PUT', '/invoice/templates/EMAIL/white%2Flabel', content)).status, 201)
  assert.deepEqual((await call('GET', '/invoice/templates/EMAIL')).body, content)
  assert.deepEqual(Object.keys((await call('GET', '/invoice')).body['templates'] as object).sort(), [
    'EMAIL',
    'EMAIL/white/label'
  ])
  assert.equal((await call('DELETE', '/invoice/templates/EMAIL')).status, 204)
  const gone = await call('GET', '/invoice/templates/EMAIL')
  assert.equal(gone.status, 404)
  assert.match(gone.body.detail!, /no default template for EMAIL/)
  // The other template does not change.
  assert.equal((await call('GET', '/invoice/templates/EMAIL/white%2Flabel')).status, 200)
  assert.equal((await call('PUT', '/nothing/templates/EMAIL', content)).status, 404)
  assert.equal((await call('PUT', '/invoice/templates/FAX', content)).status, 404)
})

test('names the place of each fault', async () => {
  const faults = async (body: unknown, path = '/bad') => {
    const { status, body: answer } = await call('PUT', path, body)
    assert.equal(status, 422, JSON.stringify(answer))
    return answer.errors!.map(({ pointer, detail }) => `${pointer} ${detail}`)
  }
  assert.deepEqual(await faults({ templates: { inapp: { title: 'Hello\n{{ name | shout }}' } } }), [
    '#/templates/inapp/title Line 2, column 1: there is no filter "shout".'
  ])
  assert.deepEqual(
    await faults({ templates: { email: { html: '<p>\n  {% include "x" %}', subject: 'a' } } }),
    ['#/templates/email/html Line 2, column 3: there is no tag "include".']
  )
  assert.deepEqual(await faults({ templates: { inapp: { title: 'a', titel: 'b' } } }), [
    '#/templates/inapp/titel Unknown field. Check its spelling, or remove it.'
  ])
  assert.deepEqual(await faults({ templates: { 'EMAIL/': { subject: 'a' } } }), [
    '#/templates/EMAIL~1 Expected a channel (EMAIL, INAPP_WEB, SMS, CALL, PUSH, WEB_PUSH, SLACK), optionally followed by / and an id, by @ and a language, or by both.'
  ])
  assert.deepEqual(
    await faults({ templates: { EMAIL: { html: 'a', subject: 'b' }, email: { html: 'a', subject: 'b' } } }),
    ['#/templates/email This template is given twice.']
  )
  assert.deepEqual(await faults({ id: 'other' }), ['#/id Expected the id of the path, or no id.'])
  assert.deepEqual(await faults({ unknown: 1 }), [
    '#/unknown Unknown field. Check its spelling, or remove it.'
  ])
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    'java\tscript:alert(1)',
    '//evil.example',
    'x',
    'javascript:{{ code }}',
    ' JavaScript:{{ code }}',
    'java\tscript:{{ code }}',
    'data:{{ code }}',
    '//{{ host }}',
    '\\\\{{ host }}'
  ]) {
    assert.deepEqual(await faults({ templates: { inapp: { title: 'a', url } } }), [
      '#/templates/inapp/url Expected an http, https or mailto address without a user name, or a path that starts with /.'
    ])
  }
  assert.deepEqual(await faults({ html: 'a', subject: 'a\r\nBcc: b@c.de' }, '/invoice/templates/EMAIL'), [
    '#/subject Expected no line breaks or control characters.'
  ])
  assert.deepEqual(await faults({ html: '{% if a %}', subject: 'a' }, '/invoice/templates/EMAIL'), [
    '#/html Line 1, column 1: tag {% if a %} not closed.'
  ])
  const link = (at: string) => `#/templates/email/html ${at}, it would run as a script.`
  for (const [html, expected] of [
    ['<p>\n <a href="javascript:x()">', link('Line 2, column 10: href must not be "javascript:x()"')],
    ['<a/href=javascript:{{ x }}>', link('Line 1, column 9: href must not be "javascript:{{"')],
    [
      '<a {% if a > 1 %}href="javascript:x()"{% endif %}>',
      link('Line 1, column 23: href must not be "javascript:x()"')
    ],
    [
      '<!--[if mso]>\n<a href="vbscript:x"><![endif]-->',
      link('Line 2, column 9: href must not be "vbscript:x"')
    ],
    ["<img alt=''src='data:text/html,x'>", link('Line 1, column 16: src must not be "data:text/html,x"')],
    [
      '<a href="{{ a }}">\n<a\nHREF = "&#106;avascript:1">',
      link('Line 3, column 8: HREF must not be "&#106;avascript:1"')
    ]
  ]) {
    assert.deepEqual(await faults({ templates: { email: { html, subject: 'a' } } }), [expected])
  }
  assert.deepEqual(await faults({ templates: { email: { html: 'x'.repeat(400_001), subject: 'a' } } }), [
    '#/templates/email/html Expected at most 400000 characters.'
  ])
  assert.deepEqual(await faults({ templates: { sms: { message: '{{ x }}'.repeat(5_001) } } }), [
    '#/templates/sms/message Expected at most 20000 characters.'
  ])
  assert.deepEqual(await faults({ templates: { email: { html: '{{ x }}'.repeat(5_001), subject: 'a' } } }), [
    '#/templates/email/html More than 5000 outputs and tags.'
  ])
  assert.equal((await call('GET', '/bad')).status, 404)
})

test('accepts a link whose rendered address may be valid', async () => {
  await call('PUT', '/links', {})
  for (const url of ['{{ url }}', 'https://{{ host }}/x', 'MAILTO:{{ to }}', '/a:b/{{ id }}', '?q={{ q }}']) {
    assert.ok((await call('PUT', '/links/templates/inapp', { title: 'a', url })).status < 300, url)
  }
  const html = '<a href="{{ url }}">a</a><img src="data:image/png;base64,AA=="> href="javascript"'
  assert.ok((await call('PUT', '/links/templates/email', { html, subject: 'a' })).status < 300)
})

test('lets only the back end of the environment use its types', async () => {
  await call('PUT', '/mine', {})
  const { status } = await served.fetch(`/${OTHER}/notifications/mine`, {
    headers: basic(`${OTHER}:${OTHER_SECRET}`)
  })
  assert.equal(status, 404)
  assert.equal((await call('GET', '/mine', undefined, asUser('u1'))).status, 401)
  assert.equal((await call('PUT', '/mine', {}, {} as typeof asBackEnd)).status, 401)
})

test('keeps types with the same id in two environments apart', async () => {
  const theirs = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await served.fetch(`/${OTHER}/notifications${path}`, {
      headers: basic(`${OTHER}:${OTHER_SECRET}`),
      method,
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    assert.ok(answer.ok, String(answer.status))
    return answer.json()
  }
  const mail = (subject: string) => ({ html: '<p>x</p>', subject })
  await theirs('PUT', '/twin', { templates: { 'EMAIL/there': mail('1'), email: mail('2') } })
  await theirs('PUT', '/there', {})
  const before = [await theirs('GET', '/twin'), await theirs('GET', '')]

  const templates = { 'EMAIL/here': mail('3'), email: mail('4'), inapp: { title: '5' } }
  const { body } = await call('PUT', '/twin', { templates })
  assert.deepEqual(Object.keys(body['templates'] as object).sort(), ['EMAIL', 'EMAIL/here', 'INAPP_WEB'])
  const { body: list } = await call('GET', '')
  assert.ok((list['notifications'] as { id: string }[]).every(({ id }) => id !== 'there'))
  await call('PUT', '/twin/templates/EMAIL/there', mail('6'))
  await call('PUT', '/twin/templates/SMS', { message: '7' })
  await call('DELETE', '/twin/templates/EMAIL')
  await call('PUT', '/twin', { templates: {} })
  assert.deepEqual((await call('GET', '/twin')).body['templates'], {})
  await call('DELETE', '/twin')
  assert.deepEqual([await theirs('GET', '/twin'), await theirs('GET', '')], before)
})

test('stores one complete template of two concurrent writers', async () => {
  await call('PUT', '/race', {})
  const writes = Array.from({ length: 20 }, (_, i) =>
    call('PUT', '/race/templates/inapp', { body: `body ${i}`, title: `title ${i}` })
  )
  const statuses = (await Promise.all(writes)).map(({ status }) => status).sort()
  assert.equal(statuses.filter(status => status === 201).length, 1)
  assert.equal(statuses.filter(status => status === 200).length, 19)
  const { title, body } = (await call('GET', '/race/templates/inapp')).body
  assert.equal(String(title).slice(6), String(body).slice(5))
})
