// Bodies that are as wide as they may be and wrong everywhere: each wrong member costs, so no list may have any number of them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { asUser, CLIENT, startApp, type TestApp } from './app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

/** Places of lists without an end. */
function endless(schema: unknown, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { maxItems, type } = schema as { readonly maxItems?: number; readonly type?: string }
  const within = Object.entries(schema).flatMap(([key, inner]) => endless(inner, `${place}/${key}`))
  return type === 'array' && maxItems === undefined ? [place, ...within] : within
}

test('every list in a body has an end', async () => {
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

test('a quarter of a million wrong ids are refused at once, by what is wrong', async () => {
  const body = `{"trackingIds":[${Array(250_000).fill(1).join()}]}`
  for (const path of ['inbox', 'notifications/INAPP_WEB']) {
    const address = `/${CLIENT}/users/u1/${path}`
    const started = performance.now()
    const { json, status } = await app.ask(address, { body, headers: asUser('u1'), method: 'PATCH' })
    const took = performance.now() - started
    assert.equal(status, 422, path)
    assert.equal((json['errors'] as { pointer: string }[])[0]!.pointer, '#/trackingIds')
    assert.ok(took < 1000, `${path}: ${Math.round(took)} ms`)
  }
})
