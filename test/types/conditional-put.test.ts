// PUT and DELETE of types, templates, layouts and partials with If-Match and If-None-Match.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { CLIENT } from '../http/serve.ts'
import { asBackEnd, startApp, type TestApp } from '../security/app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

const ask = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  app.ask(`/${CLIENT}${path}`, {
    headers: { ...asBackEnd, ...headers },
    method: body === undefined ? 'GET' : 'PUT',
    ...(body !== undefined && { body: JSON.stringify(body) })
  })

/** Two contents of each resource, in the order in which they can be created. */
const RESOURCES: readonly (readonly [path: string, first: object, second: object])[] = [
  ['/notifications/a', { title: 'First' }, { templates: { sms: { message: 'x' } }, title: 'Second' }],
  ['/notifications/a/templates/EMAIL', { html: '1', subject: '1' }, { html: '2', subject: '2' }],
  ['/layouts/l', { text: '1{{ content_for_layout }}' }, { text: '2{{ content_for_layout }}' }],
  ['/partials/p', { text: '1' }, { text: '2' }]
]

for (const [path, first, second] of RESOURCES) {
  test(`${path}: a change that is based on an old state is refused with the current ETag`, async () => {
    const missing = await ask(path, first, { 'if-match': '"x"' })
    assert.equal(missing.status, 412)
    assert.equal(missing.headers['etag'], undefined)
    const created = await ask(path, first, { 'if-none-match': '*' })
    assert.equal(created.status, 201)
    const etag = (await ask(path)).headers['etag']!
    assert.equal(created.headers['etag'], etag)

    const again = await ask(path, second, { 'if-none-match': '*' })
    assert.equal(again.status, 412)
    assert.equal(again.headers['etag'], etag)
    assert.equal(again.json['type'], '/problems#precondition-failed')

    const changed = await ask(path, second, { 'if-match': etag })
    assert.equal(changed.status, 200)
    const now = (await ask(path)).headers['etag']!
    assert.notEqual(now, etag)
    assert.equal(changed.headers['etag'], now)
    const late = await ask(path, first, { 'if-match': etag })
    assert.equal(late.status, 412)
    assert.equal(late.headers['etag'], now)
    assert.equal((await ask(path)).headers['etag'], now)
    assert.equal((await ask(path, first, { 'if-match': `"other", W/${now}` })).status, 200)
  })

  test(`${path}: of editors at the same time one succeeds`, async () => {
    const etag = (await ask(path)).headers['etag']!
    const editors = Array.from({ length: 6 }, () => ask(path, second, { 'if-match': etag }))
    const statuses = (await Promise.all(editors)).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [200, 412, 412, 412, 412, 412])
    const target = `${path}${path.includes('templates') ? '/other' : '-other'}`
    const authors = Array.from({ length: 6 }, () => ask(target, first, { 'if-none-match': '*' }))
    const answers = (await Promise.all(authors)).map(({ status }) => status)
    assert.equal(answers.filter(status => status === 201).length, 1)
    assert.ok(
      answers.every(status => [201, 409, 412].includes(status)),
      String(answers)
    )
  })
}

for (const [path, first, second] of RESOURCES) {
  test(`${path}: a delete that is based on an old state is refused`, async () => {
    const target = `${path}${path.includes('templates') ? '/deleted' : '-deleted'}`
    const remove = (etag: string) =>
      app.ask(`/${CLIENT}${target}`, { headers: { ...asBackEnd, 'if-match': etag }, method: 'DELETE' })
    assert.equal((await remove('"x"')).status, 404)
    const old = (await ask(target, first)).headers['etag']!
    const etag = (await ask(target, second)).headers['etag']!
    const refused = await remove(old)
    assert.deepEqual([refused.status, refused.headers['etag']], [412, etag])
    assert.equal((await remove(etag)).status, 204)
    assert.equal((await ask(target)).status, 404)
  })
}

test('a changed template changes the ETag of its type', async () => {
  const etag = (await ask('/notifications/a')).headers['etag']!
  await ask('/notifications/a/templates/SMS', { message: 'changed' })
  assert.equal((await ask('/notifications/a', { title: 'Late' }, { 'if-match': etag })).status, 412)
})
