// Versions of types over HTTP: drafts, publishing and rolling back, differences, the file form, and types that files manage.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { parseTypeFile } from '../../../server/types/parse-types-file.ts'
import { createRenderer } from '../../../server/types/templates/render.ts'
import { MAX_TYPE_VERSIONS } from '../../../server/types/versions/version.ts'
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

const renderer = createRenderer({ renderTimeoutMs: 200 })
let app: TestApp
before(async () => {
  app = await startApp()
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await renderer.close()
})

interface Head {
  readonly number: number
  readonly createdBy: string
  readonly note?: string
  readonly isPublished: boolean
}

const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = asBackEnd) =>
  app.ask(`/${CLIENT}/notifications/${path}`, {
    headers,
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })

async function expect(status: number, answer: ReturnType<typeof ask>) {
  const { headers, json, status: found, text } = await answer
  assert.equal(found, status, text)
  return { etag: headers['etag']!, json }
}

const titled = (title: string) => ({ templates: { INAPP_WEB: { title } }, title: 'Comment' })

async function titleOfNextSend(type: string): Promise<unknown> {
  const body = JSON.stringify({ to: { id: 'reader' }, type })
  const sent = await app.ask(`/${CLIENT}/sender`, { body, headers: asBackEnd, method: 'POST' })
  assert.equal(sent.status, 200, sent.text)
  const { json } = await app.ask(`/${CLIENT}/users/reader/inbox`, { headers: asBackEnd })
  return (json['items'] as { title: string }[])[0]!.title
}

test('a PUT saves a version and publishes it; the same content adds none', async () => {
  await expect(201, ask('PUT', 'put', titled('one')))
  await expect(200, ask('PUT', 'put', titled('two')))
  assert.equal((await expect(200, ask('PUT', 'put', titled('two')))).json['version'], 2)
  await expect(201, ask('PUT', 'put/templates/SMS', { message: 'short' }))
  await expect(204, ask('DELETE', 'put/templates/SMS'))
  const { json } = await expect(200, ask('GET', 'put/versions'))
  const heads = (json['versions'] as Head[]).map(({ createdBy, isPublished, number }) => [
    number,
    createdBy,
    isPublished
  ])
  assert.deepEqual(heads, [
    [4, 'secret', true],
    [3, 'secret', false],
    [2, 'secret', false],
    [1, 'secret', false]
  ])
  const publications = (json['publications'] as { version: number; by: string }[]).map(({ by, version }) => [
    version,
    by
  ])
  assert.deepEqual(
    publications,
    [4, 3, 2, 1].map(version => [version, 'secret'])
  )
  const third = await expect(200, ask('GET', 'put/versions/3'))
  assert.deepEqual((third.json['type'] as { templates: object }).templates, {
    INAPP_WEB: { title: 'two' },
    SMS: { message: 'short' }
  })
})

test('sends use the published version, which can be rolled back', async () => {
  await ask('PUT', 'draft', titled('first'))
  const draft = await expect(
    201,
    ask('PUT', 'draft/draft', { ...titled('second'), note: 'Friendlier' }, asAdmin)
  )
  assert.equal(await titleOfNextSend('draft'), 'first')
  const { createdBy, note, number } = draft.json as unknown as Head
  assert.match(createdBy, /^admin:[0-9a-f]{8}$/)
  assert.deepEqual([note, number], ['Friendlier', 2])

  const published = await expect(200, ask('POST', 'draft/publish', { version: 2 }))
  assert.equal(published.json['version'], 2)
  assert.equal(await titleOfNextSend('draft'), 'second')
  assert.equal(published.etag, (await expect(200, ask('GET', 'draft'))).etag)

  await expect(200, ask('POST', 'draft/publish', { version: 1 }))
  assert.equal(await titleOfNextSend('draft'), 'first')
  const { json } = await expect(200, ask('GET', 'draft/versions'))
  assert.deepEqual(
    (json['versions'] as Head[]).map(({ isPublished }) => isPublished),
    [false, true]
  )
  await expect(404, ask('POST', 'draft/publish', { version: 3 }))
})

test('a second editor gets 412 and can compare what the first one saved', async () => {
  await ask('PUT', 'editors', titled('base'))
  const { etag } = await expect(200, ask('GET', 'editors/draft'))
  // That another person publishes changes nothing for the next save.
  await expect(200, ask('POST', 'editors/publish', { version: 1 }))
  const save = (title: string) =>
    ask('PUT', 'editors/draft', titled(title), { ...asBackEnd, 'if-match': etag })
  const [first, second] = await Promise.all([save('mine'), save('yours')])
  assert.deepEqual([first.status, second.status].toSorted(), [201, 412])
  const refused = first.status === 412 ? first : second
  assert.equal(refused.headers['etag'], (await expect(200, ask('GET', 'editors/draft'))).etag)
  const { json } = await expect(200, ask('GET', 'editors/diff'))
  assert.deepEqual([json['from'], json['to'], json['added'], json['removed']], [1, 2, 1, 1])
  assert.match(String(json['diff']), /\n-    title: base\n\+    title: (?:mine|yours)\n/)

  const type = await expect(200, ask('GET', 'editors'))
  const late = { ...asBackEnd, 'if-match': '"old"' }
  await expect(412, ask('POST', 'editors/publish', { version: 2 }, late))
  await expect(200, ask('POST', 'editors/publish', { version: 2 }, { ...asBackEnd, 'if-match': type.etag }))
})

test('a draft may have a fault, with its place, and is not published', async () => {
  await ask('PUT', 'faulty', titled('good'))
  const fault = {
    column: 3,
    detail: 'Line 2, column 3: there is no filter "shout".',
    line: 2,
    pointer: '#/templates/EMAIL@de/html'
  }
  const template = { html: '<p>\n  {{ name | shout }}', subject: 's' }
  const saved = await expect(201, ask('PUT', 'faulty/draft', { templates: { 'EMAIL@de': template } }))
  assert.deepEqual(saved.json['faults'], [fault])
  const refused = await expect(422, ask('POST', 'faulty/publish', { version: 2 }))
  assert.deepEqual(refused.json['errors'], [fault])
  const { pointer: _, ...place } = fault
  const put = await expect(422, ask('PUT', 'faulty/templates/EMAIL', template))
  assert.deepEqual(put.json['errors'], [{ ...place, pointer: '#/html' }])
  assert.equal(await titleOfNextSend('faulty'), 'good')
})

test('the file form of a type is the same type when it is read', async () => {
  const given = {
    channels: ['EMAIL', 'INAPP_WEB'],
    enabled: false,
    escalate: [{ after: '10m', channel: 'EMAIL', unless: 'read' }],
    locked: ['EMAIL'],
    options: { EMAIL: { daily: { enabled: true, hour: '08' }, defaultDeliveryOption: 'daily' } },
    retention: 30,
    tags: ['yes', '1'],
    templates: {
      'EMAIL/short@de': { html: '<p>\n  {{ a }}: "#" &\n\n</p>\n', subject: "no: 'yes'" },
      EMAIL: { html: '  indented\n\ttabbed \n', subject: '~', text: 'a\r\nb\n\n' },
      INAPP_WEB: {
        actions: [{ id: 'open', label: 'Open', url: '/a' }],
        title: `${'long '.repeat(60)}{{ x }}`
      }
    },
    title: '- true'
  }
  await expect(201, ask('PUT', 'files%2Fhave%20one', given))
  const { json } = await expect(200, ask('GET', 'files%2Fhave%20one/export'))
  assert.equal(json['file'], 'files-have-one.yaml')
  const { faults, types } = parseTypeFile('other.yaml', String(json['text']), renderer)
  assert.deepEqual(faults, [])
  await app.db.control`delete from notifications where id = 'files/have one'`
  assert.equal(types[0]!.id, 'files/have one')
  const before = (await expect(404, ask('GET', 'files%2Fhave%20one'))).json
  assert.ok(before)
  const body = { ...given, ...JSON.parse(JSON.stringify({ channels: types[0]!.channels })) } as object
  const again = await expect(201, ask('PUT', 'files%2Fhave%20one', body))
  const { templates, ...settings } = types[0]!
  assert.deepEqual(
    { ...settings.settings, channels: settings.channels, title: settings.title },
    Object.fromEntries(
      Object.entries(again.json).filter(
        ([name]) => !['id', 'templates', 'updatedAt', 'version'].includes(name)
      )
    )
  )
  const stored = again.json['templates'] as Record<string, object>
  assert.deepEqual(
    templates!.map(one => one.content),
    ['EMAIL', 'EMAIL/short@de', 'INAPP_WEB'].map(key => stored[key])
  )
})

test('REST does not change a type that files manage', async () => {
  await ask('PUT', 'managed', titled('from a file'))
  await app.db.control`update notifications set managed_by = 'files' where id = 'managed'`
  const { json } = await expect(200, ask('GET', 'managed'))
  assert.equal(json['managedBy'], 'files')
  const refused = await Promise.all([
    ask('PUT', 'managed', titled('other')),
    ask('PUT', 'managed/templates/SMS', { message: 'x' }),
    ask('DELETE', 'managed/templates/INAPP_WEB'),
    ask('PUT', 'managed/draft', titled('other')),
    ask('POST', 'managed/publish', { version: 1 }),
    ask('DELETE', 'managed')
  ])
  for (const { json: problem, status } of refused) {
    assert.equal(status, 409)
    assert.match(String(problem['detail']), /managed by files: it stands in a file of NOTIF_TYPES_DIR/)
  }
  assert.deepEqual((await expect(200, ask('GET', 'managed'))).json, json)
})

test('another environment neither reads nor writes a version', async () => {
  await ask('PUT', 'own', titled('own'))
  const asOther = basic(`${OTHER}:${OTHER_SECRET}`)
  const calls = (clientId: string, headers: Record<string, string>) =>
    (
      [
        ['GET', 'versions'],
        ['GET', 'versions/1'],
        ['GET', 'draft'],
        ['GET', 'diff'],
        ['GET', 'export'],
        ['PUT', 'draft', titled('stolen')],
        ['POST', 'publish', { version: 1 }]
      ] as const
    ).map(([method, path, body]) =>
      app.ask(`/${clientId}/notifications/own/${path}`, {
        headers,
        method,
        ...(body && { body: JSON.stringify(body) })
      })
    )
  const statuses = async (asked: ReturnType<typeof calls>) =>
    (await Promise.all(asked)).map(({ status }) => status)
  assert.deepEqual(
    await statuses(calls(OTHER, asOther)),
    Array.from({ length: 7 }, () => 404)
  )
  assert.deepEqual(
    await statuses(calls(CLIENT, asOther)),
    Array.from({ length: 7 }, () => 401)
  )
  const { json } = await expect(200, ask('GET', 'own/versions'))
  assert.equal((json['versions'] as Head[]).length, 1)
})

test('versions come in pages, and old ones are deleted except the published one', async () => {
  await ask('PUT', 'old', titled('first'))
  for (let i = 2; i <= 4; i++) await expect(201, ask('PUT', 'old/draft', titled(`draft ${i}`)))
  await app.db.control`
    insert into type_versions (env_id, notification_id, number, content, created_by)
    select env_id, notification_id, n, content, created_by from type_versions, generate_series(5, ${MAX_TYPE_VERSIONS + 1}) n
    where notification_id = 'old' and number = 4`
  await expect(201, ask('PUT', 'old/draft', titled('last')))
  const numbers: number[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { json } = await expect(200, ask('GET', `old/versions?count=90${query}`))
    numbers.push(...(json['versions'] as Head[]).map(({ number }) => number))
    cursor = json['next'] as string | undefined
  }
  const kept = Array.from({ length: MAX_TYPE_VERSIONS }, (_, i) => MAX_TYPE_VERSIONS + 2 - i)
  assert.deepEqual(numbers, [...kept, 1])
})

test('a type that a send created has the version 0 until it is saved', async () => {
  const body = JSON.stringify({ inapp: { title: 'x' }, to: { id: 'reader' }, type: 'made' })
  await app.ask(`/${CLIENT}/sender`, { body, headers: asBackEnd, method: 'POST' })
  const { json } = await expect(200, ask('GET', 'made/draft'))
  assert.deepEqual([json['number'], json['createdBy']], [0, 'send'])
  assert.deepEqual((await expect(200, ask('GET', 'made/versions'))).json['versions'], [])
  const { json: same } = await expect(200, ask('GET', 'made/diff?from=published&to=latest'))
  assert.equal(same['diff'], '')
  const { json: file } = await expect(200, ask('GET', 'made/export'))
  assert.deepEqual(parseTypeFile('made.yaml', String(file['text']), renderer).faults, [])
  const saved = await expect(201, ask('PUT', 'made/draft', titled('now a template')))
  assert.equal(saved.json['number'], 1)
  await expect(404, ask('PUT', 'never/draft', titled('x')))
})
