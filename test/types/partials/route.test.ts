// Layouts and partials over HTTP, and in rendered emails.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { pino } from 'pino'

import { MAX_PARTIALS } from '../../../server/types/partials/partials.sql.ts'
import { openTypes } from '../../../server/types/types.sql.ts'
import { asBackEnd, basic, CLIENT, OTHER, OTHER_SECRET, startApp, type TestApp } from '../../security/app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

const call = (method: string, path: string, body?: unknown, client = CLIENT) =>
  app.ask(`/${client}${path}`, {
    headers: client === CLIENT ? asBackEnd : basic(`${OTHER}:${OTHER_SECRET}`),
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })

const errorsOf = async (method: string, path: string, body: unknown) => {
  const { json, status, text } = await call(method, path, body)
  assert.equal(status, 422, text)
  return (json['errors'] as { pointer: string; detail: string }[]).map(one => `${one.pointer} ${one.detail}`)
}

async function subjectOf(type: string, parameters: object): Promise<Record<string, string>> {
  const { json, status, text } = await call('POST', '/sender', {
    parameters,
    to: { email: 'ann@example.com', id: 'ann' },
    type
  })
  assert.equal(status, 200, text)
  const deadline = Date.now() + 20_000
  while (Date.now() < deadline) {
    const found = await call('GET', `/sandbox/messages?trackingId=${String(json['trackingId'])}`)
    const [mail] = found.json['messages'] as Record<string, string>[]
    if (mail) return mail
  }
  return assert.fail('no mail came')
}

test('renders an email with the current layout and partials of its environment', async () => {
  const brand = '<main><h1>Heron</h1>{{ content_for_layout }}</main>'
  assert.equal((await call('PUT', '/layouts/brand', { text: brand })).status, 201)
  assert.equal(
    (await call('PUT', '/partials/button', { text: '<a href="{{ url }}">{{ label }}</a>' })).status,
    201
  )
  const html = "{% layout 'brand' %}<p>{{ text }}</p>{% render 'button', url: link, label: 'Open' %}"
  const put = await call('PUT', '/notifications/note', { templates: { EMAIL: { html, subject: 'Hi' } } })
  assert.equal(put.status, 201, put.text)
  const read = await call('GET', '/notifications/note')
  assert.equal((read.json['templates'] as Record<string, { html: string }>)['EMAIL']!.html, html)

  const data = { link: 'https://example.com/?a=1&b="', text: '<script>' }
  const mail = await subjectOf('note', data)
  assert.ok(
    mail['html']!.includes(
      '<main><h1>Heron</h1><p>&lt;script&gt;</p><a href="https://example.com/?a=1&amp;b=&#34;">Open</a></main>'
    ),
    mail['html']
  )
  assert.equal((await call('PUT', '/partials/button', { text: '<b>{{ label }}</b>' })).status, 200)
  assert.ok((await subjectOf('note', data))['html']!.includes('<b>Open</b></main>'))
  const { json } = await call('POST', '/notifications/note/preview', { parameters: { text: 'x' } })
  const [shown] = json['previews'] as { missing: string[]; fields: { html: string } }[]
  assert.deepEqual(shown!.missing, ['link'])
  assert.ok(shown!.fields.html.includes('<b>Open</b>'))
})

test('rejects a faulty text with line and column', async () => {
  assert.deepEqual(await errorsOf('PUT', '/partials/x', { text: 'a\n {% if b %}' }), [
    '#/text Line 2, column 2: tag {% if b %} not closed.'
  ])
  assert.deepEqual(await errorsOf('PUT', '/partials/x', { text: '<a href="javascript:y()">' }), [
    '#/text Line 1, column 9: href must not be "javascript:y()", it would run as a script.'
  ])
  assert.deepEqual(await errorsOf('PUT', '/partials/x', { text: "ab\n{% render 'nothing' %}" }), [
    '#/text Line 2, column 1: there is no partial "nothing".'
  ])
  assert.deepEqual(await errorsOf('PUT', '/layouts/x', { text: 'no place' }), [
    '#/text Expected {{ content_for_layout }} at the place of the content.'
  ])
  assert.deepEqual(await errorsOf('PUT', '/partials/x', { text: "{% render 'x' %}" }), [
    '#/text Line 1, column 1: the partial "x" uses itself.'
  ])
  await call('PUT', '/partials/a', { text: 'A' })
  await call('PUT', '/partials/b', { text: "{% render 'a' %}" })
  assert.deepEqual(await errorsOf('PUT', '/partials/a', { text: "{% render 'b' %}" }), [
    '#/text Line 1, column 1: the partial "b" uses itself.'
  ])
  const templates = { EMAIL: { html: "<p>\n{% render 'nothing' %}{{ a | b }}", subject: 's' } }
  assert.deepEqual(await errorsOf('PUT', '/notifications/bad', { templates }), [
    '#/templates/EMAIL/html Line 2, column 1: there is no partial "nothing".',
    '#/templates/EMAIL/html Line 2, column 23: there is no filter "b".'
  ])
  assert.equal((await call('PUT', '/partials/a%20b', { text: 'x' })).status, 400)
})

/** Stores layouts up to the limit of an environment. */
const fillUp = (envId: string) => app.db.control`
  insert into template_partials (env_id, kind, id, text)
  select ${envId}, 'layouts', 'filler' || n, '{{ content_for_layout }}'
  from generate_series(1, ${MAX_PARTIALS} - (select count(*) from template_partials where env_id = ${envId})) n`

test('keeps the partials of environments apart, and limits their number', async () => {
  assert.equal((await call('GET', '/partials/a', undefined, OTHER)).status, 404)
  const html = "{% render 'a' %}"
  const other = await call('PUT', '/notifications/o', { templates: { EMAIL: { html, subject: 's' } } }, OTHER)
  assert.equal(other.status, 422)
  assert.equal((await call('DELETE', '/partials/a', undefined, OTHER)).status, 404)
  for (const name of ['a', 'd'])
    assert.equal((await call('PUT', `/partials/${name}`, { text: `their ${name}` }, OTHER)).status, 201)
  await fillUp(OTHER)
  assert.equal((await call('PUT', '/partials/i', { text: 'x' }, OTHER)).status, 409)
  for (const name of ['c', 'd'])
    assert.equal((await call('PUT', `/partials/${name}`, { text: 'x' })).status, 201)
  await fillUp(CLIENT)
  assert.equal((await call('PUT', '/partials/e', { text: 'x' })).status, 409)
  assert.equal((await call('PUT', '/partials/d', { text: 'y' })).status, 200)
  await app.db.control`delete from template_partials where id like 'filler%'`
  const { json } = await call('GET', '/partials')
  assert.deepEqual(
    (json['partials'] as { id: string }[]).map(({ id }) => id),
    ['a', 'b', 'button', 'c', 'd']
  )
  assert.equal((await call('DELETE', '/partials/d')).status, 204)
  for (const [client, text] of [
    [CLIENT, 'A'],
    [OTHER, 'their a']
  ] as const) {
    assert.equal((await call('GET', '/partials/a', undefined, client)).json['text'], text)
    const sample = { templates: { EMAIL: { html, subject: 's' } } }
    await call('PUT', '/notifications/o', sample, client)
    const { json: shown } = await call('POST', '/notifications/o/preview', {}, client)
    const [{ fields }] = shown['previews'] as [{ fields: { html: string } }]
    assert.ok(fields.html.includes(`\n${text}\n`), fields.html)
  }
  assert.equal((await call('GET', '/partials/d', undefined, OTHER)).json['text'], 'their d')
})

test('uses a change of another node when the type is read again', async () => {
  let now = Date.now()
  const node = openTypes(app.db, pino({ level: 'silent' }), () => now)
  await call('PUT', '/partials/button', { text: 'first' })
  const htmlOf = async () =>
    String((await node.get(CLIENT, 'note'))?.templates.get('EMAIL')?.get('')?.['html'])
  assert.match(await htmlOf(), /first/)
  await call('PUT', '/partials/button', { text: 'second' })
  now += 60_000
  assert.match(await htmlOf(), /second/)
})

test('names the missing partial of a template, and renders other templates', async () => {
  const send = { to: { email: 'ann@example.com', id: 'ann' }, type: 'note' }
  const problem = async () => {
    const answer = await call('POST', '/simulate', { render: true, send })
    const [mail] = answer.json['channels'] as [{ content: { problem?: string } }]
    return mail.content.problem
  }
  assert.equal(await problem(), undefined)
  assert.equal((await call('DELETE', '/partials/button')).status, 204)
  assert.match((await problem())!, /there is no tag/)
  const { json } = await call('POST', '/notifications/note/preview', {})
  const [shown] = json['previews'] as { problem: { field: string; detail: string } }[]
  assert.equal(shown!.problem.field, 'html')
  assert.match(shown!.problem.detail, /there is no tag "layout"|there is no tag "render"/)
})
