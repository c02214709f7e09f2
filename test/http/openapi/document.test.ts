// The OpenAPI document is valid, and its patterns are read by every language that clients are generated in.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'

import { z } from 'zod'

import { emailAddress } from '../../../server/core/contact.ts'
import { openApi } from '../../../server/http/openapi/document.ts'
import { queryParameters } from '../../../server/http/openapi/schemas.ts'
import { line } from '../../../server/types/templates/field-kind.ts'
import { slackChannel } from '../../../server/users/slack-connection.ts'
import { startApp, type TestApp } from '../../security/app.ts'
import { readRecorded } from './recorded-answers.ts'

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly in: string; readonly name: string }[]
}

let app: TestApp
let document: Readonly<Record<string, unknown>>
before(async () => {
  app = await startApp()
  document = openApi(app.routes, { answers: readRecorded(), server: '', version: '1.2.3' })
})
after(() => app[Symbol.asyncDispose]())

/** Values of all members of this name that are strings, at whatever depth. */
const stringsNamed = (name: string): string[] => {
  const found = new Set<string>()
  JSON.stringify(document, (key, value: unknown) => {
    if (key === name && typeof value === 'string') found.add(value)
    return value
  })
  return [...found]
}

const operations = (): [string, Operation][] =>
  Object.entries(document['paths'] as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.values(methods).map((operation): [string, Operation] => [path, operation])
  )

/** What RE2, Python or a JavaScript pattern with the flag `u` does not know. */
const NOT_PORTABLE =
  /\(\?(?!:)|\\[^dswDSWxnrt.*+?()[\]{}|^$/\\]|\\x(?![\da-f]{2})|\{(?:\d*,)?\d{4,}\}|[+*?}]\+/

test('patterns use only what RE2, Python and JavaScript share', () => {
  const patterns = stringsNamed('pattern')
  assert.ok(patterns.length > 10, `${patterns.length}`)
  for (const pattern of patterns) {
    assert.doesNotMatch(pattern, NOT_PORTABLE)
    assert.doesNotThrow(() => new RegExp(pattern, 'u'))
  }
  for (const wrong of ['^(?=a)', '(?<!a)', '(?<name>a)', '\\p{L}', '\\u2028', '(a)\\1', 'a{1,2000}', 'a++']) {
    assert.match(wrong, NOT_PORTABLE)
  }
})

test('a simpler pattern of the document accepts what the server accepts', () => {
  const patternOf = (schema: z.ZodType): RegExp => {
    const [{ schema: json }] = queryParameters(z.object({ field: schema })) as [
      { schema: { pattern: string } }
    ]
    return new RegExp(json.pattern, 'u')
  }
  const accepted: readonly [z.ZodType, readonly string[], readonly string[]][] = [
    [
      emailAddress,
      ['a@b.cd', `${'x'.repeat(64)}@例え.テスト`, "o'neil+1@a-b.example.org", 'ä.ö@ü.de'],
      ['a', 'a b@c.de', 'a@b']
    ],
    [slackChannel, ['#general', 'C024BE91L', '@amara', 'büro', '🚀'], ['#a b', '<#C1>', '']],
    [line(), ['', 'Grüße 🚀', 'a'.repeat(2000)], ['a\nb', 'a\u2028b', 'a\u0085b', '\u0000']]
  ]
  for (const [schema, good, bad] of accepted) {
    const pattern = patternOf(schema)
    for (const text of good) {
      assert.ok(schema.safeParse(text).success, text)
      assert.match(text, pattern)
    }
    for (const text of bad) {
      assert.ok(!schema.safeParse(text).success, text)
      assert.doesNotMatch(text, pattern)
    }
  }
})

test('references lead to what is there, operations have names of their own, and paths declare their parameters', () => {
  const references = stringsNamed('$ref')
  assert.ok(references.length > 50, `${references.length}`)
  for (const reference of references) {
    let target: unknown = document
    for (const name of reference.replace('#/', '').split('/')) {
      target = (target as Record<string, unknown> | undefined)?.[name]
    }
    assert.ok(target, reference)
  }
  const names = operations().map(([, { operationId }]) => operationId)
  assert.equal(new Set(names).size, names.length)
  for (const [path, { operationId, parameters }] of operations()) {
    const inPath = parameters.filter(one => one.in === 'path').map(({ name }) => name)
    const declared = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    assert.deepEqual(inPath.toSorted(), declared.toSorted(), operationId)
    const all = parameters.map(one => `${one.in} ${one.name}`)
    assert.equal(new Set(all).size, all.length, operationId)
  }
})

/** Calls `visit` for every object in the document, with its path. */
function walk(
  value: unknown,
  visit: (found: Readonly<Record<string, unknown>>, path: string) => void,
  path = '#'
): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value as Readonly<Record<string, unknown>>, path)
  for (const [key, member] of Object.entries(value)) {
    // What an example holds is no schema.
    if (key !== 'examples') walk(member, visit, `${path}/${key}`)
  }
}

test('no object is bare: generators take it for one that must be empty', () => {
  const bare: string[] = []
  walk(document, (found, path) => {
    const isBare = found['type'] === 'object' && !found['properties'] && !found['additionalProperties']
    if (isBare) bare.push(path)
  })
  assert.deepEqual(bare, [])
})

test('former names are deprecated', () => {
  const deprecated: string[] = []
  const isFormer = (text: unknown) =>
    /^Former|for existing clients|for clients that use PUT/.test(String(text))
  walk(document, ({ deprecated: is = false, description, summary }, path) => {
    if (is) deprecated.push(path)
    assert.equal(is, isFormer(description) || isFormer(summary), path)
  })
  assert.ok(deprecated.length > 10, `${deprecated.length}`)
})

test('a send requires its type and its user, with current or with former names', () => {
  const { schemas } = document['components'] as { schemas: Record<string, Record<string, unknown>> }
  assert.deepEqual(schemas['SendBody'], {
    anyOf: [{ $ref: '#/components/schemas/Send' }, { $ref: '#/components/schemas/FormerSend' }]
  })
  const required = ['Send', 'FormerSend'].map(
    name => (schemas[name]!['allOf'] as { required?: readonly string[] }[])[1]!.required
  )
  assert.deepEqual(required, [
    ['type', 'to'],
    ['notificationId', 'user']
  ])
})

const hasPython = spawnSync('python3', ['-c', '']).status === 0

test('Python reads every pattern', { skip: hasPython ? false : 'needs python3' }, () => {
  const program = 'import json, re, sys\nfor pattern in json.load(sys.stdin): re.compile(pattern)'
  const input = JSON.stringify(stringsNamed('pattern'))
  const { status, stderr } = spawnSync('python3', ['-c', program], { encoding: 'utf8', input })
  assert.equal(status, 0, stderr)
})

const VALIDATE = `
import json, sys
from openapi_spec_validator import OpenAPIV31SpecValidator
for error in OpenAPIV31SpecValidator(json.load(sys.stdin)).iter_errors():
    print(list(error.absolute_path), error.message[:300])
`
const hasValidator =
  spawnSync('python3', ['-c', 'from openapi_spec_validator import OpenAPIV31SpecValidator']).status === 0

test(
  'openapi-spec-validator finds no error',
  { skip: hasValidator ? false : 'needs openapi-spec-validator for Python' },
  () => {
    const { status, stderr, stdout } = spawnSync('python3', ['-c', VALIDATE], {
      encoding: 'utf8',
      input: JSON.stringify(document)
    })
    assert.equal(stdout, '')
    assert.equal(status, 0, stderr)
  }
)
