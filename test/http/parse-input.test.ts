// Turns schema issues into problems that name each field, and reads null as absent.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { z } from 'zod'

import { cidrList } from '../../server/core/cidr.ts'
import { addressKey, clientAddress } from '../../server/http/client-address.ts'
import { parseInput, parseQuery, toPointer } from '../../server/http/parse-input.ts'
import { Problem } from '../../server/http/problem.ts'

const errorsOf = (read: () => unknown): Record<string, string> => {
  try {
    read()
  } catch (error) {
    assert.ok(error instanceof Problem)
    assert.equal(error.status, 422)
    return Object.fromEntries(error.errors.map(({ pointer, detail }) => [pointer, detail]))
  }
  throw new Error('accepted')
}

test('names each wrong field with its pointer and what is expected', () => {
  const schema = z.strictObject({
    apn: z.object({ priority: z.literal([10, 5, 1]) }),
    'a/b~c d': z.array(z.object({ n: z.int() })),
    name: z.string(),
    size: z.number().max(3)
  })
  const errors = errorsOf(() =>
    parseInput(schema, { 'a/b~c d': [{ n: 1 }, { n: 1.5 }], apn: { priority: 7 }, extra: 1, size: 4 })
  )
  assert.deepEqual(Object.keys(errors).toSorted(), [
    '#/apn/priority',
    '#/a~1b~0c%20d/1/n',
    '#/extra',
    '#/name',
    '#/size'
  ])
  assert.equal(errors['#/name'], 'This field is required.')
  assert.equal(errors['#/extra'], 'Unknown field. Check its spelling, or remove it.')
  assert.match(errors['#/apn/priority']!, /10.*5.*1/)
})

test('reports the alternative of a union that was most likely meant', () => {
  const schema = z.object({
    file: z.union([
      z.object({ content: z.string(), filename: z.string() }),
      z.object({ filename: z.string(), url: z.string().startsWith('https:', 'Expected an https address.') })
    ]),
    when: z.union([z.string(), z.number()])
  })
  const errors = errorsOf(() => parseInput(schema, { file: { filename: 'x', url: 'http:' }, when: true }))
  assert.match(
    errors['#/when']!,
    /^Expected string, received boolean, or: Expected number, received boolean\.$/i
  )
  assert.ok(
    Object.keys(errors).some(pointer => pointer.startsWith('#/file/')),
    JSON.stringify(errors)
  )
})

test('rephrases messages of zod', () => {
  const schema = z.object({
    delivery: z.enum(['off', 'instant']),
    id: z.string().min(1),
    list: z.array(z.int()).min(1),
    map: z.record(z.string(), z.string())
  })
  assert.deepEqual(
    errorsOf(() => parseInput(schema, { delivery: 'OFF', id: '', list: [], map: 5 })),
    {
      '#/delivery': 'Expected one of off, instant.',
      '#/id': 'Expected at least 1 character.',
      '#/list': 'Expected at least 1 item.',
      '#/map': 'Expected object, received number.'
    }
  )
})

test('uses the own message of a union', () => {
  const schema = z.object({
    size: z.union(
      [z.int(), z.string().regex(/^\d+$/).transform(Number).pipe(z.int())],
      'Expected a whole number.'
    ),
    when: z.union([z.object({ at: z.string() }), z.string()], 'Expected a time.')
  })
  const errors = errorsOf(() => parseInput(schema, { size: '5s', when: { at: 1 } }))
  assert.equal(errors['#/size'], 'Expected a whole number.')
  assert.match(errors['#/when/at']!, /^Expected string/)
})

test('rephrases size limits, and does not offer an empty text', () => {
  const schema = z.object({
    list: z.array(z.string()).min(2),
    number: z.union([z.literal(''), z.string().regex(/^\+/, 'Expected a number')]),
    share: z.number().lt(1),
    title: z.string().max(3)
  })
  assert.deepEqual(
    errorsOf(() => parseInput(schema, { list: ['a'], number: '12', share: 1, title: 'abcd' })),
    {
      '#/list': 'Expected at least 2 items.',
      '#/number': 'Expected a number.',
      '#/share': 'Expected less than 1.',
      '#/title': 'Expected at most 3 characters.'
    }
  )
})

test('does not offer null to a client that sent another value', () => {
  const channel = z.union([z.null(), z.enum(['EMAIL', 'SMS'], 'Expected EMAIL or SMS.')])
  for (const said of ['FAX', 5]) {
    assert.deepEqual(
      errorsOf(() => parseInput(z.object({ channel }), { channel: said })),
      { '#/channel': 'Expected EMAIL or SMS.' }
    )
  }
})

test('refuses a missing body, and a body of the wrong type', () => {
  assert.deepEqual(Object.keys(errorsOf(() => parseInput(z.object({}), undefined))), ['#'])
  for (const body of [null, 1, 'text', [1]])
    assert.deepEqual(Object.keys(errorsOf(() => parseInput(z.object({}), body))), ['#'])
})

test('counts all wrong fields, and lists the first ones', () => {
  const body = Array.from({ length: 1000 }, () => 'x')
  assert.throws(
    () => parseInput(z.array(z.number()), body),
    (error: unknown) =>
      error instanceof Problem && error.errors.length === 20 && error.message.startsWith('1000 ')
  )
})

test('reads null as absent, but not in data of the caller', () => {
  const schema = z.object({
    list: z.array(z.any()).optional(),
    mergeTags: z.any(),
    name: z.string().optional(),
    to: z.object({ email: z.string().optional() })
  })
  const body = { list: [null, { a: null, b: 1 }], mergeTags: { a: null }, name: null, to: { email: null } }
  assert.deepEqual(parseInput(schema, body, { nulls: 'absent', verbatim: ['mergeTags'] }), {
    list: [null, { b: 1 }],
    mergeTags: { a: null },
    to: {}
  })
  assert.deepEqual(Object.keys(errorsOf(() => parseInput(schema, body))).toSorted(), ['#/name', '#/to/email'])
})

test('reads an empty list as an empty object', () => {
  const schema = z.object({ name: z.string().optional() })
  assert.deepEqual(parseInput(schema, []), {})
  assert.deepEqual(
    errorsOf(() => parseInput(z.object({ name: z.string() }), [])),
    {
      '#/name': 'This field is required.'
    }
  )
  assert.deepEqual(Object.keys(errorsOf(() => parseInput(schema, [[]]))), ['#'])
  assert.deepEqual(parseInput(z.array(z.string()), []), [])
})

test('parses queries', () => {
  const schema = z.object({ count: z.coerce.number().int().min(1).max(1000) })
  assert.deepEqual(parseQuery(schema, new URLSearchParams('count=5&other=1')), { count: 5 })
  assert.deepEqual(Object.keys(errorsOf(() => parseQuery(schema, new URLSearchParams('count=-1')))), [
    '#/count'
  ])
  const wrong = errorsOf(() => parseQuery(schema, new URLSearchParams('count=x')))
  assert.deepEqual(wrong, { '#/count': 'Expected number.' })
})

test('builds JSON pointers', () => {
  assert.equal(toPointer([]), '#')
  assert.equal(
    toPointer(['a', 0, 'b/c', 'm~n', 'k#l', 'é', '\ud800']),
    '#/a/0/b~1c/m~0n/k%23l/%C3%A9/%EF%BF%BD'
  )
})

test('refuses a value whose length is an object', () => {
  const schema = z.object({ list: z.array(z.string()).max(3).optional(), name: z.string().max(3).optional() })
  const odd = { length: { toString: 'x' } }
  assert.deepEqual(Object.keys(errorsOf(() => parseInput(schema, { name: odd }))), ['#/name'])
  assert.deepEqual(Object.keys(errorsOf(() => parseInput(schema, { list: ['a', odd] }))), ['#/list/1'])
  assert.deepEqual(Object.keys(errorsOf(() => parseInput(schema, { list: odd }))), ['#/list'])
  const ours = z.object({ name: z.string().transform(() => assert.fail('ours')) })
  assert.throws(() => parseInput(ours, { name: 'x' }), /ours/)
})

test('reads the client address behind trusted proxies only', () => {
  const from = (remoteAddress: string, forwarded?: string, trusted: string[] = []) =>
    clientAddress(
      {
        headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
        socket: { remoteAddress }
      } as never,
      cidrList(trusted)
    )
  assert.equal(from('203.0.113.1', '198.51.100.1'), '203.0.113.1')
  assert.equal(from('::ffff:203.0.113.1'), '203.0.113.1')
  assert.equal(from('10.0.0.1', '198.51.100.1', ['10.0.0.0/8']), '198.51.100.1')
  assert.equal(from('10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2', ['10.0.0.0/8']), '198.51.100.1')
  assert.equal(from('::ffff:10.0.0.1', '2001:db8::1', ['10.0.0.1']), '2001:db8::1')
  assert.equal(from('203.0.113.1', '198.51.100.1', ['10.0.0.0/8']), '203.0.113.1')
  for (const odd of ['garbage', 'fe80::1%eth0', '[::1]', '10.0.0.2:80'])
    assert.equal(from('10.0.0.1', `198.51.100.1, ${odd}`, ['10.0.0.0/8', '::1']), odd)
  assert.throws(() => cidrList(['10.0.0.0/99']))
  assert.throws(() => cidrList(['proxy.example']))
})

test('counts an IPv6 network as one address', () => {
  assert.equal(addressKey('203.0.113.1'), '203.0.113.1')
  assert.equal(addressKey('2001:db8:1:2:3:4:5:6'), addressKey('2001:db8:1:2::9'))
  assert.notEqual(addressKey('2001:db8:1:2::1'), addressKey('2001:db8:1:3::1'))
  assert.equal(addressKey('2001:db8::1'), '2001:db8:0:0')
  assert.equal(addressKey('::1'), '0:0:0:0')
})
