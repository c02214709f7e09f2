// Promotion of a type to another environment: the difference, the change, and everything of the target that does not change.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import {
  asAdmin,
  asBackEnd,
  basic,
  CLIENT,
  OTHER,
  OTHER_SECRET,
  startApp,
  type TestApp
} from '../../security/app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

const asOther = basic(`${OTHER}:${OTHER_SECRET}`)

async function put(clientId: string, path: string, body: unknown): Promise<void> {
  const headers = clientId === CLIENT ? asBackEnd : asOther
  const { status, text } = await app.ask(`/${clientId}/${path}`, {
    body: JSON.stringify(body),
    headers,
    method: 'PUT'
  })
  assert.ok(status < 300, text)
}

const look = (type: string) =>
  app.ask(`/environments/${CLIENT}/promotions?to=${OTHER}&type=${type}`, { headers: asAdmin })

const promote = (body: object, headers: Record<string, string> = {}) =>
  app.ask(`/environments/${CLIENT}/promotions`, {
    body: JSON.stringify({ to: OTHER, ...body }),
    headers: { ...asAdmin, ...headers },
    method: 'POST'
  })

const read = (path: string) => app.ask(`/${OTHER}/${path}`, { headers: asOther })

const mail = (html: string) => ({ templates: { EMAIL: { html, subject: 's' } } })

test('promotes a type with the layouts and partials that it uses, after a look at the difference', async () => {
  await put(CLIENT, 'partials/inner', { text: 'inner' })
  await put(CLIENT, 'partials/sign', { text: "{% render 'inner' %}!" })
  await put(CLIENT, 'partials/unused', { text: 'x' })
  await put(CLIENT, 'layouts/brand', { text: '<main>{{ content_for_layout }}</main>' })
  await put(CLIENT, 'notifications/letter', mail("{% layout 'brand' %}{% render 'sign' %}"))
  await put(OTHER, 'notifications/own', mail('own'))
  await put(OTHER, 'partials/inner', { text: 'inner' })
  const own = (await read('notifications/own')).text

  const first = await look('letter')
  assert.equal(first.status, 200, first.text)
  assert.deepEqual([first.json['to'], first.json['targetEtag']], [{ clientId: OTHER, version: null }, null])
  assert.deepEqual(
    (first.json['partials'] as { kind: string; id: string; state: string }[]).map(({ id, kind, state }) => [
      kind,
      id,
      state
    ]),
    [
      ['layouts', 'brand', 'new'],
      ['partials', 'inner', 'same'],
      ['partials', 'sign', 'new']
    ]
  )
  assert.equal((await read('notifications/letter')).status, 404, 'a look changes nothing')

  const promoted = await promote({ type: 'letter', version: 1 }, { 'if-none-match': '*' })
  assert.equal(promoted.status, 200, promoted.text)
  assert.equal((await read('notifications/letter')).headers['etag'], promoted.headers['etag'])
  const { json } = await read('notifications/letter/versions')
  const [head] = json['versions'] as { createdBy: string; note: string }[]
  assert.match(head!.createdBy, /^admin:/)
  assert.equal(head!.note, `Promoted from ${CLIENT}, version 1`)
  assert.equal((await read('partials/unused')).status, 404)
  assert.equal((await read('notifications/own')).text, own)
  const preview = await app.ask(`/${OTHER}/notifications/letter/preview`, {
    headers: asOther,
    method: 'POST'
  })
  assert.match(preview.text, /<main>inner!<\/main>/)
})

test('a target that has changed since the look is not overwritten', async () => {
  await put(CLIENT, 'notifications/raced', mail('one'))
  await put(OTHER, 'notifications/raced', mail('two'))
  const { json } = await look('raced')
  assert.match(String(json['diff']), /-    html: two\n\+    html: one/)
  await put(OTHER, 'notifications/raced', mail('three'))
  const late = await promote({ type: 'raced' }, { 'if-match': String(json['targetEtag']) })
  assert.equal(late.status, 412)
  assert.equal((await promote({ type: 'raced', version: 2 })).status, 409)
  const again = (await look('raced')).json['targetEtag']
  const done = await promote({ type: 'raced' }, { 'if-match': String(again) })
  assert.equal(done.status, 200, done.text)
})

test('other types of the target are not changed through a shared partial', async () => {
  await put(CLIENT, 'partials/foot.er', { text: 'new' })
  await put(CLIENT, 'notifications/shared', mail('{% render "foot.er" %}'))
  await put(OTHER, 'partials/foot.er', { text: 'old' })
  await put(OTHER, 'partials/outer', { text: "{% render 'foot.er' %}" })
  await put(OTHER, 'notifications/direct', mail('{% render "foot.er" %}'))
  await put(OTHER, 'notifications/indirect', mail("{%- render 'outer' -%}"))
  await put(OTHER, 'partials/footer', { text: 'x' })
  await put(OTHER, 'notifications/similar', mail("{% render 'footer' %}"))
  const { json } = await look('shared')
  const [partial] = json['partials'] as { state: string; usedBy: string[]; diff: string }[]
  assert.deepEqual([partial!.state, partial!.usedBy], ['changed', ['direct', 'indirect']])
  const refused = await promote({ type: 'shared' })
  assert.equal(refused.status, 409)
  assert.match(String(refused.json['detail']), /partials\/foot\.er \(direct, indirect\)/)
  assert.equal((await read('partials/foot.er')).json['text'], 'old')
  assert.equal((await read('notifications/shared')).status, 404)

  await app.db.control`delete from notifications where env_id = ${OTHER} and id in ('direct', 'indirect')`
  const promoted = await promote({ type: 'shared' })
  assert.equal(promoted.status, 200, promoted.text)
  assert.equal((await read('partials/foot.er')).json['text'], 'new')
})

test('refuses a type that files manage, an unknown environment, and callers who are no operators', async () => {
  await put(CLIENT, 'notifications/filed', mail('one'))
  await put(OTHER, 'notifications/filed', mail('two'))
  await app.db.control`update notifications set managed_by = 'files' where env_id = ${OTHER} and id = 'filed'`
  assert.equal((await look('filed')).status, 200)
  assert.equal((await promote({ type: 'filed' })).status, 409)
  assert.equal((await promote({ to: 'nowhere', type: 'filed' })).status, 404)
  assert.equal((await promote({ to: CLIENT, type: 'filed' })).status, 422)
  assert.equal((await promote({ type: 'filed' }, asBackEnd)).status, 401)
})
