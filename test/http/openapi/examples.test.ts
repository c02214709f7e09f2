// The reference is true: every example of every route is sent to the real server, and the answers fit the schemas.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { z } from 'zod'

import type { RecordedAnswers } from '../../../server/http/openapi/document.ts'
import { namesIn, PARAMETERS } from '../../../server/http/openapi/parameters.ts'
import type { Doc, Example } from '../../../server/http/route-doc.ts'
import type { Route, AccessLevel } from '../../../server/http/route.ts'
import { asAdmin, asBackEnd, asUser, CLIENT, startApp, type TestApp } from '../../security/app.ts'
import { GIVEN } from './prerequisites.ts'
import {
  HOW_TO_RECORD,
  isRecording,
  readRecorded,
  shapeOf,
  toStable,
  writeRecorded
} from './recorded-answers.ts'

/** Pages, files and what only the demo page calls: nobody writes a client for them. */
const NO_JSON = [
  'GET /admin',
  'GET /admin/*page',
  'GET /operators/oidc/callback',
  'GET /operators/oidc/start',
  'GET /preferences/:holder',
  'POST /preferences/:holder',
  'GET /unsubscribe/:token',
  'POST /unsubscribe/:token',
  'POST /callbacks/bounce',
  'GET /',
  'GET /demo/states',
  'GET /demo/strict',
  'GET /demo/theming',
  'GET /docs',
  'GET /docs/samples.js',
  'GET /docs/script.js',
  'GET /docs/style.css',
  'GET /docs/try.js',
  'GET /metrics',
  'GET /problems',
  'GET /sandbox',
  'GET /sandbox/live.js',
  'GET /sandbox/messages/:id/html',
  'GET /sandbox/style.css',
  'POST /demo/send',
  'POST /demo/try'
]

type Documented = Route & { readonly doc: Doc }

let app: TestApp
let documented: readonly Documented[]

before(async () => {
  app = await startApp()
  documented = app.routes.filter(
    (route): route is Documented => route.doc !== undefined && route.aliasOf === undefined
  )
  const inapp = { title: 'Comment' }
  const EMAIL = { html: 'x', subject: 'Comment' }
  await put(`/${CLIENT}/notifications/comment`, { templates: { EMAIL, inapp, 'inapp/short': inapp } })
  const body = JSON.stringify({ to: { email: 'u1@example.com', id: 'u1' }, type: 'comment' })
  const sent = await app.ask(`/${CLIENT}/sender`, { body, headers: asBackEnd, method: 'POST' })
  assert.equal(sent.status, 200, sent.text)
  await app.queues.idle('EMAIL')
})
after(() => app[Symbol.asyncDispose]())

const put = (path: string, body: unknown) =>
  app.ask(path, { body: JSON.stringify(body), headers: asBackEnd, method: 'PUT' })

const nameOf = ({ method, path }: Route): string => `${method} ${path}`

const credentials = async (who: AccessLevel, userId: string): Promise<Readonly<Record<string, string>>> =>
  who === 'member'
    ? app.signIn()
    : { admin: asAdmin, anyone: {}, 'back-end': asBackEnd, user: asUser(userId) }[who]

async function send(route: Documented, example: Example) {
  const given = (await GIVEN[route.doc.operationId]?.(app, example)) ?? {}
  const params: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(PARAMETERS).map(([name, { example: value }]) => [name, value])),
    clientId: CLIENT,
    ...example.params,
    ...given.params
  }
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!))
  const query = new URLSearchParams({ ...example.query, ...given.query })
  const body = given.body ?? example.body
  return app.ask(`${path}${query.size > 0 ? `?${query}` : ''}`, {
    headers: await credentials(route.access, params['userId']!),
    method: route.method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
}

test('every route that speaks JSON says so, with an example', () => {
  const silent = app.routes.filter(({ doc }) => !doc).map(nameOf)
  assert.deepEqual(
    silent.toSorted(),
    NO_JSON.toSorted(),
    'a new route needs a doc; see server/http/route-doc.ts'
  )
  const ids = documented.map(({ doc }) => doc.operationId)
  assert.equal(new Set(ids).size, ids.length, 'two routes have one operationId')
  for (const { doc, method, path } of documented) {
    const what = `${method} ${path}`
    assert.match(doc.operationId, /^[a-z][A-Za-z]+$/, what)
    assert.match(doc.summary, /^[A-Z].*[^.]$/, what)
    assert.ok(
      doc.examples.some(({ status }) => status < 400),
      `${what} has no example that works`
    )
    assert.equal(new Set(doc.examples.map(({ name }) => name)).size, doc.examples.length, what)
    const named = namesIn(path)
    const params = doc.examples.flatMap(example => Object.keys(example.params ?? {}))
    assert.deepEqual(
      params.filter(name => !named.includes(name)),
      [],
      what
    )
  }
})

test('every status of what works has an example: clients that are made of the reference take others for problems', () => {
  const sends = new Set(['putSchedule', 'send', 'updateSchedule'])
  for (const { doc, method, path } of documented) {
    const isSend = sends.has(doc.operationId)
    const expected = isSend ? [200, 202] : method === 'PUT' ? [200, 201] : []
    const shown = new Set(doc.examples.map(({ status }) => status))
    assert.deepEqual(
      expected.filter(status => !shown.has(status)),
      [],
      `${method} ${path}`
    )
  }
})

test('no two operations of a group have one title', () => {
  const titles = documented.map(({ doc }) => `${doc.tag}: ${doc.summary}`)
  assert.deepEqual(
    titles.filter((title, at) => titles.indexOf(title) !== at),
    []
  )
})

/** Settings of the environment after what depends on them. Deleting last, and what is within before what it is in. */
const rank = ({ method, path }: Route): number => {
  if (method === 'DELETE') return 1000 - path.length
  return method === 'GET' ? 1 : path.startsWith('/environments') ? 2 : 0
}

/** The reference itself is too long for an example of it. */
function shortened(operationId: string, json: unknown): unknown {
  if (operationId !== 'getOpenApi') return json
  const { info, openapi } = json as Readonly<Record<string, unknown>>
  return { info, openapi, paths: {} }
}

test('every example is answered as it says and as recorded, and the answer holds nothing that the schema does not know', async () => {
  const recorded = readRecorded()
  const answers: Record<string, Record<string, unknown>> = {}
  for (const route of documented.toSorted((a, b) => rank(a) - rank(b))) {
    for (const example of route.doc.examples) {
      const what = `${route.doc.operationId}: ${example.name}`
      const { headers, json, status, text } = await send(route, example)
      assert.equal(status, example.status, `${what}: ${text.slice(0, 500)}`)
      if (status >= 400) {
        assert.match(headers['content-type']!, /^application\/problem\+json/, what)
      } else if (route.doc.answer && status !== 204) {
        const { lines, operationId } = route.doc
        const schema = lines ? z.array(route.doc.answer) : route.doc.answer
        const body = lines
          ? text
              .trimEnd()
              .split('\n')
              .map(line => JSON.parse(line) as unknown)
          : json
        const read = schema.safeParse(body)
        assert.ok(read.success, `${what}: ${read.error?.message} in ${text.slice(0, 1000)}`)
        assert.deepEqual(read.data, body, `${what}: a field is not documented`)
        const answer = toStable(shortened(operationId, body), example)
        answers[operationId] = { ...answers[operationId], [example.name]: answer }
        if (isRecording) continue
        const shown = recorded[operationId]?.[example.name]
        assert.ok(shown !== undefined, `${what} has no recorded answer. ${HOW_TO_RECORD}`)
        assert.deepEqual(shapeOf(shown), shapeOf(answer), `${what} is recorded otherwise. ${HOW_TO_RECORD}`)
        assert.deepEqual(schema.parse(shown), shown, what)
      } else assert.equal(text, '', `${what}: a body that is not documented`)
    }
  }
  if (isRecording) writeRecorded(answers)
  const names = (all: RecordedAnswers) =>
    Object.entries(all).flatMap(([operation, examples]) =>
      Object.keys(examples).map(name => `${operation}: ${name}`)
    )
  assert.deepEqual(names(readRecorded()).toSorted(), names(answers).toSorted(), HOW_TO_RECORD)
})

test('the document has every operation, and every reference in it leads somewhere', async () => {
  const { json, status } = await app.ask('/openapi.json')
  assert.equal(status, 200)
  assert.equal(json['openapi'], '3.1.0')
  const paths = json['paths'] as Record<string, Record<string, { operationId: string }>>
  const operations = Object.values(paths).flatMap(methods => Object.values(methods))
  assert.deepEqual(
    operations.map(({ operationId }) => operationId).toSorted(),
    documented.map(({ doc }) => doc.operationId).toSorted()
  )
  const references: string[] = []
  JSON.stringify(json, (key, value: unknown) => {
    if (key === '$ref') references.push(String(value))
    return value
  })
  assert.ok(references.length > documented.length)
  for (const reference of new Set(references)) {
    let place: unknown = json
    for (const part of reference.replace(/^#\//, '').split('/')) {
      place = (place as Record<string, unknown> | undefined)?.[part]
    }
    assert.ok(place, `${reference} leads nowhere`)
  }
})

test('the page has every operation, and asks no other host for anything', async () => {
  const { headers, status, text } = await app.ask('/docs')
  assert.equal(status, 200)
  for (const { doc, path } of documented) {
    assert.ok(text.includes(`<section class="operation" id="${doc.operationId}"`), doc.operationId)
    assert.ok(text.includes(`data-path="${path.replaceAll(/:(\w+)/g, '{$1}')}"`), path)
  }
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
  assert.doesNotMatch(policy, /unsafe|https?:/)
  assert.doesNotMatch(text, /<img|<iframe|\son\w+=|\sstyle=|<(?:script|link)[^>]+"(?:https?:|\/)/)
  assert.doesNotMatch(text, /undefined|\[object Object\]/)
})
