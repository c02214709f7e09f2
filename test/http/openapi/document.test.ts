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
