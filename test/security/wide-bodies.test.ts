// Bodies with many wrong members cost little, because every list and map is limited.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'

import { asBackEnd, asUser, CLIENT, startApp, type TestApp } from './app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

interface Wide {
  readonly additionalProperties?: boolean | object
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly propertyNames?: { readonly enum?: readonly string[] }
  readonly type?: string
}

/** Of any names, whose values may be wrong. */
const isMap = ({ additionalProperties: values, propertyNames }: Wide): boolean =>
  typeof values === 'object' && Object.keys(values).length > 0 && propertyNames?.enum === undefined

/** Places of lists and maps without an end. */
function endless(schema: unknown, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const wide = schema as Wide
  const within = Object.entries(schema).flatMap(([key, inner]) => endless(inner, `${place}/${key}`))
  const hasEnd = wide.type === 'array' ? wide.maxItems : wide.maxProperties
  return (wide.type === 'array' || isMap(wide)) && hasEnd === undefined ? [place, ...within] : within
}

test('limits every list and map of a body', async () => {
  const { json } = await app.ask('/openapi.json')
  const paths = json['paths'] as Readonly<Record<string, Readonly<Record<string, { requestBody?: unknown }>>>>
  const { schemas } = json['components'] as { readonly schemas: Readonly<Record<string, unknown>> }
  const used = (text: string, known = new Set<string>()): Set<string> => {
    for (const [, name] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (known.has(name!)) continue
      known.add(name!)
      used(JSON.stringify(schemas[name!]), known)
    }
    return known
  }
  const bodies = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => [`${method} ${path}`, requestBody] as const)
  )
  const names = used(JSON.stringify(bodies.map(([, body]) => body)))
  const found = [
    ...bodies.flatMap(([place, body]) => endless(body, place)),
    ...[...names].flatMap(name => endless(schemas[name], name))
  ]
  // Those of preferences end where a setting says.
  assert.deepEqual(
    found.filter(place => !place.startsWith('SetUserPreferencesBody/')),
    []
  )
})

/** Milliseconds of the quickest of some tries: what else the machine does only adds to it. */
async function costOf(ask: () => Promise<unknown>): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < 4; tries += 1) {
    const started = performance.now()
    await ask()
    least = Math.min(least, performance.now() - started)
  }
  return least
}

interface Case {
  readonly ask: readonly [method: string, path: string, headers: Readonly<Record<string, string>>]
  /** As large as the wrong one. */
  readonly good: unknown
  readonly wrong: unknown
  readonly pointer: string
}

const members = (value: unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: 9900 }, (_, i) => [`k${i}`, value]))

const user = asUser('u1')
const ids = (path: string): Case => ({
  ask: ['PATCH', `users/u1/${path}`, user],
  good: { trackingIds: Array.from({ length: 12_000 }, () => randomUUID()) },
  pointer: '#/trackingIds',
  wrong: { trackingIds: Array(250_000).fill(1) }
})
const CASES: Readonly<Record<string, Case>> = {
  ids: ids('inbox'),
  'ids of existing clients': ids('notifications/INAPP_WEB'),
  'ids of a list that is not too long': {
    ...ids('inbox'),
    pointer: '#/trackingIds/0',
    wrong: { trackingIds: Array(20_000).fill(1) }
  },
  options: {
    ask: ['PUT', 'notifications/wide', asBackEnd],
    good: { updatedAt: members([]) },
    pointer: '#/options/EMAIL',
    wrong: { options: { EMAIL: members([]) } }
  },
  properties: {
    ask: ['POST', 'users/u1', user],
    good: { ignored: members([]) },
    pointer: '#/properties',
    wrong: { properties: members([]) }
  },
  replace: {
    ask: ['POST', 'sender', asBackEnd],
    good: { inapp: { title: 'x' }, parameters: members([]), to: { id: 'u1' }, type: 'wide' },
    pointer: '#/replace',
    wrong: { inapp: { title: 'x' }, replace: members([]), to: { id: 'u1' }, type: 'wide' }
  },
  templates: {
    ask: ['PUT', 'notifications/wide', asBackEnd],
    good: { updatedAt: members([]) },
    pointer: '#/templates',
    wrong: { templates: members([]) }
  }
}

for (const [name, { ask, good, pointer, wrong }] of Object.entries(CASES)) {
  test(`refuses ${name} that are all wrong at the cost of valid ones`, async () => {
    const [method, path, headers] = ask
    const send = (body: string) => app.ask(`/${CLIENT}/${path}`, { body, headers, method })
    const [fine, bad] = [JSON.stringify(good), JSON.stringify(wrong)]
    assert.ok((await send(fine)).status < 300)
    const { json, status } = await send(bad)
    assert.equal(status, 422)
    const cost = await costOf(() => send(fine))
    const times = (await costOf(() => send(bad))) / cost
    assert.ok(times < 4, `${times.toFixed(1)} times as much`)
    assert.deepEqual(
      (json['errors'] as { pointer: string }[]).map(error => error.pointer),
      [pointer]
    )
  })
}
