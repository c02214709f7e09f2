// The body reader refuses everything that is not strict JSON, and agrees with JSON.parse otherwise.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'

import { parseJson } from '../../server/http/body.ts'
import { Problem } from '../../server/http/problem.ts'
import { route } from '../../server/http/route.ts'
import { testGenerated } from '../support/generated.ts'
import { asBackEnd, CLIENT, serve, type Served } from './serve.ts'

const parse = (body: string | Buffer) => parseJson(Buffer.from(body))

const refused = (body: string | Buffer, slug: string, pointer?: string) => {
  let caught: unknown
  try {
    parse(body)
  } catch (error) {
    caught = error
  }
  assert.ok(caught instanceof Problem, `accepted: ${String(body).slice(0, 60)} ${String(caught)}`)
  assert.equal(caught.slug, slug)
  if (pointer !== undefined) assert.equal(caught.errors[0]?.pointer, pointer)
  return caught
}

const utf16 = (text: string, big = false) => {
  const bytes = Buffer.from(text, 'utf16le')
  return big ? bytes.swap16() : bytes
}

describe('refused', () => {
  test('text that is not JSON', () => {
    for (const text of [
      '{',
      '}',
      '{"a":1',
      '{"a":1}}',
      "{'a':1}",
      '{a:1}',
      '[1,]',
      'nul',
      '01',
      '+1',
      '"\n"',
      '"\\x"',
      '{"a":1}x',
      '\0',
      ' ',
      'undefined',
      'NaN',
      '{"a" 1}',
      '"\\u12"'
    ]) {
      refused(text, 'invalid-json')
    }
  })

  test('other encodings', () => {
    refused(utf16('{"a":1}'), 'invalid-json')
    refused(utf16('{"a":1}', true), 'invalid-json')
    refused(utf16('\ufeff{"a":1}'), 'invalid-json')
    refused(utf16('\ufeff{"a":1}', true), 'invalid-json')
    refused(Buffer.from('{"a":"é"}', 'latin1'), 'invalid-json')
    refused(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'invalid-json')
    refused(Buffer.from([0x22, 0xc0, 0x80, 0x22]), 'invalid-json')
  })

  test('repeated keys, with their names', () => {
    refused('{"a":1,"a":1}', 'invalid-request', '#/a')
    refused('{"a":{"x":[0,{"k":1,"\\u006b":2}]}}', 'invalid-request', '#/a/x/1/k')
    refused('{"a":"{\\"a\\":1,\\"a\\":2}","b":[{},{}],"c/d~e":{"":1,"":2}}', 'invalid-request', '#/c~1d~0e/')
    parse('[{"a":1},{"a":1},{"b":{"a":1}}]')
  })

  test('numbers that overflow', () => {
    refused('{"a":[1,1e400]}', 'invalid-request', '#/a/1')
    refused('{"a":-1e400}', 'invalid-request', '#/a')
    refused('9'.repeat(400), 'invalid-request', '#')
    assert.equal(parse('1e-400'), 0)
  })

  test('NUL and lone surrogates, in texts and keys', () => {
    refused('{"a":"\\u0000"}', 'invalid-request', '#/a')
    refused('{"b":{"x\\u0000":1}}', 'invalid-request')
    refused('{"a":["\\ud83d"]}', 'invalid-request', '#/a/0')
    refused('{"a":"\\ude00\\ud83d"}', 'invalid-request', '#/a')
    refused('{"\\uDFFF":1}', 'invalid-request')
    assert.equal(parse('"\\ud83d\\ude00"'), '😀')
    assert.equal(parse('"\\\\u0000"'), '\\u0000')
  })

  test('keys that JavaScript objects inherit', () => {
    refused('{"__proto__":{"admin":true}}', 'invalid-request', '#/__proto__')
    refused('{"a":[{"constructor":{"prototype":{}}}]}', 'invalid-request', '#/a/0/constructor')
    refused('{"\\u005f_proto__":1}', 'invalid-request', '#/__proto__')
    refused('{"prototype":1}', 'invalid-request', '#/prototype')
    assert.equal(({} as { admin?: boolean }).admin, undefined)
  })

  test('too deep nesting and too many keys', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    parse(nested(32))
    refused(nested(33), 'invalid-json')
    refused(nested(100_000), 'invalid-json')
    refused('['.repeat(100_000), 'invalid-json')
    refused('{"a":'.repeat(100_000), 'invalid-json')
    const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":":[{"`).join(',')}}`
    assert.equal(Object.keys(parse(keys(10_000)) as object).length, 10_000)
    refused(keys(100_000), 'invalid-json')
  })
})

describe('accepted', () => {
  test('a byte order mark, and an empty body as none', () => {
    assert.deepEqual(parse('\ufeff{"a":1}'), { a: 1 })
    assert.equal(parse(''), undefined)
  })

  testGenerated('whatever JSON.parse makes of clean texts, the same', next => {
    for (let round = 0; round < 2000; round++) {
      const value = anything(next, 0)
      const text = JSON.stringify(value, null, next(3) === 0 ? 2 : undefined)
      assert.deepEqual(parse(text), JSON.parse(text), text)
    }
  })

  testGenerated('a changed byte is read as JSON.parse reads it, or refused', next => {
    let agreed = 0
    for (let round = 0; round < 5000; round++) {
      const bytes = Buffer.from(JSON.stringify(anything(next, 0)))
      for (let i = next(3); i >= 0; i--)
        bytes[next(bytes.length)] = next(4) === 0 ? next(256) : SIGNS[next(SIGNS.length)]!
      let expected: unknown
      let valid = true
      try {
        expected = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
      } catch {
        valid = false
      }
      let got: unknown
      try {
        got = parse(bytes)
      } catch (error) {
        assert.ok(error instanceof Problem, `${String(error)}`)
        continue
      }
      assert.ok(valid, `${bytes.toString()}`)
      assert.deepEqual(got, expected)
      agreed++
    }
    assert.ok(agreed > 500, `only ${agreed} changed texts were still JSON`)
  })
})

const SIGNS = Buffer.from('{}[]",:\\ue0123456789 tfn')
const KEYS = ['a', 'b', 'ключ', 'k"q', 'back\\slash', '{', ':', 'u0000', '', '😀']

function anything(next: (below: number) => number, depth: number): unknown {
  switch (next(depth > 4 ? 5 : 7)) {
    case 0:
      return null
    case 1:
      return next(2) === 0
    case 2:
      return (next(2_000_000) - 1_000_000) / 8
    case 3:
      return KEYS[next(KEYS.length)]
    case 4:
      return `text ${next(1000)} \n\t"\\{}[]:, é 😀`
    case 5:
      return Array.from({ length: next(4) }, () => anything(next, depth + 1))
    default:
      return Object.fromEntries(
        Array.from({ length: next(5) }, () => [KEYS[next(KEYS.length)], anything(next, depth + 1)])
      )
  }
}

describe('over HTTP', () => {
  let server: Served
  before(async () => {
    server = await serve(() => [
      route('POST', '/:clientId/echo', 'back-end', async ({ body }) => ({
        body: { body: body ?? 'none' },
        status: 200
      }))
    ])
  })
  after(() => server[Symbol.asyncDispose]())

  const post = (body: RequestInit['body'], headers: Record<string, string> = {}) =>
    server.fetch(`/${CLIENT}/echo`, {
      body: body ?? null,
      headers: { ...asBackEnd, ...headers },
      method: 'POST'
    })

  test('reads any content type as JSON', async () => {
    for (const type of [
      'application/json',
      'text/plain;charset=UTF-8',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      ''
    ]) {
      const response = await post('{"a":1}', type === '' ? {} : { 'content-type': type })
      assert.deepEqual(await response.json(), { body: { a: 1 } }, type)
    }
    assert.deepEqual(await (await post('')).json(), { body: 'none' })
  })

  test('refuses a too large body with and without Content-Length', async () => {
    const large = Buffer.alloc(1024 * 1024, 0x20)
    assert.equal((await post(large)).status, 413)
    const chunked = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 16; i++) controller.enqueue(large.subarray(0, 64 * 1024))
        controller.close()
      }
    })
    const response = await server.fetch(`/${CLIENT}/echo`, {
      body: chunked,
      duplex: 'half',
      headers: asBackEnd,
      method: 'POST'
    } as RequestInit)
    assert.equal(response.status, 413)
    assert.equal(((await response.json()) as { type: string }).type, '/problems#body-too-large')
    assert.equal((await post('{}')).status, 200, 'the connection still serves')
  })

  test('refuses a body with a huge Content-Length immediately', async () => {
    const answer = await raw(
      `POST /${CLIENT}/echo HTTP/1.1\r\nHost: x\r\nAuthorization: ${asBackEnd['authorization']}\r\nContent-Length: 99999999999\r\n\r\n{`
    )
    assert.match(answer, /^HTTP\/1\.1 413 /)
  })

  test('refuses an endless body', { timeout: 60_000 }, async () => {
    const endless = request(`${server.url}/${CLIENT}/echo`, { headers: asBackEnd, method: 'POST' })
    endless.on('error', () => {})
    const answered = once(endless, 'response')
    for (let i = 0; i < 17; i++) endless.write(Buffer.alloc(1024 * 1024, 0x20))
    const [response] = (await answered) as [IncomingMessage]
    assert.deepEqual([response.statusCode, response.headers.connection], [413, 'close'])
    endless.destroy()
  })

  test('refuses compressed bodies', async () => {
    const response = await post('{}', { 'content-encoding': 'gzip' })
    assert.equal(response.status, 415)
    assert.equal((await post('{}', { 'content-encoding': 'identity' })).status, 200)
  })

  test('survives a client that disconnects in the middle', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write(
      `POST /${CLIENT}/echo HTTP/1.1\r\nHost: x\r\nAuthorization: ${asBackEnd['authorization']}\r\nContent-Length: 100\r\n\r\n{`
    )
    await new Promise(resolve => socket.once('ready', resolve))
    socket.destroy()
    assert.equal((await post('{}')).status, 200)
  })

  test('answers 422 to a malformed Idempotency-Key', async () => {
    assert.equal((await post('{}', { 'idempotency-key': '' })).status, 422)
    assert.equal((await post('{}', { 'idempotency-key': 'x'.repeat(256) })).status, 422)
    assert.equal((await post('{}', { 'idempotency-key': 'é' })).status, 422)
    assert.equal((await post('{}', { 'idempotency-key': 'x'.repeat(255) })).status, 200)
  })

  testGenerated('500 garbage bodies: an answer below 500, always', async next => {
    const counts = new Map<number, number>()
    for (let round = 0; round < 500; round++) {
      const bytes = Buffer.from(JSON.stringify(anything(next, 0)))
      for (let i = next(8); i > 0; i--) bytes[next(bytes.length)] = next(256)
      const { status } = await post(next(10) === 0 ? Buffer.concat([bytes, bytes]) : bytes)
      assert.ok(status < 500, `${status} for ${bytes.toString('hex')}`)
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
    assert.ok((counts.get(400) ?? 0) > 100, JSON.stringify([...counts]))
  })

  const raw = (request: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      let text = ''
      socket.on('data', chunk => (text += String(chunk)))
      socket.on('end', () => resolve(text))
      socket.on('error', reject)
      socket.write(request)
    })
})
