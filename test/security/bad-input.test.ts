// Bad input on the real server is refused with the name of the field, or is inert; it causes no 500 and no partial write.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { toPointer } from '../../server/http/parse-input.ts'
import { startCpuTimer } from '../support/cpu-time.ts'
import { testGenerated } from '../support/generated.ts'
import { asBackEnd, asUser, CLIENT, contents, startApp, type Answer, type TestApp } from './app.ts'
import {
  FULL_SEND,
  GOOD,
  keepItem,
  keepMember,
  keepSchedule,
  keepSend,
  TYPE,
  USER,
  type Good
} from './requests.ts'

let app: TestApp

before(async () => {
  app = await startApp()
  const made = await app.ask(`/${CLIENT}/notifications/${TYPE}`, {
    body: JSON.stringify({
      templates: { email: { html: '<p>{{ text }}</p>', subject: 'Comment' }, inapp: { title: 'Comment' } }
    }),
    headers: asBackEnd,
    method: 'PUT'
  })
  assert.equal(made.status, 201, made.text)
  const sent = await send({ to: { email: 'u1@example.com', id: USER }, type: TYPE })
  assert.equal(sent.status, 200, sent.text)
  await keepSchedule(app)
  await keepSend(app)
  await keepItem(app)
  await keepMember(app)
  await app.queues.idle('EMAIL')
})
after(() => app[Symbol.asyncDispose]())

const text = (body: unknown): string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)

const send = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  app.ask(`/${CLIENT}/sender`, { body: text(body), headers: { ...asBackEnd, ...headers }, method: 'POST' })

const pointersOf = ({ json }: Answer): string[] =>
  ((json['errors'] ?? []) as { pointer: string }[]).map(({ pointer }) => pointer)

/** A whole problem that existing clients can read, too. @param pointer - one that it names */
function assertRefused(answer: Answer, what: string, pointer?: string): void {
  const { headers, json, status } = answer
  assert.ok(status >= 400 && status < 500, `${what}: ${status} ${answer.text.slice(0, 300)}`)
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json/, what)
  for (const member of ['type', 'title', 'detail', 'instance', 'message']) {
    assert.equal(typeof json[member], 'string', `${what}: ${member}`)
  }
  assert.equal(json['status'], status, what)
  assert.ok(Array.isArray(json['messages']) && json['messages'].length > 0, what)
  if (pointer !== undefined) assert.ok(pointersOf(answer).includes(pointer), `${what}: ${answer.text}`)
}

/** Runs it, and no table has changed by a byte. */
async function untouched(what: string, work: () => Promise<void>): Promise<void> {
  const earlier = await contents(app)
  await work()
  assert.deepEqual(await contents(app), earlier, `${what} left something behind`)
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const utf16 = (body: string): Buffer => Buffer.from(`\ufeff${body}`, 'utf16le')
const manyKeys = (count: number): string =>
  `{${Array.from({ length: count }, (_, i) => `"${i.toString(36)}":0`).join(',')}}`

/** Bodies that are wrong everywhere, made from a good one. `pointer`: what the answer names. */
const ANYWHERE: readonly [
  name: string,
  body: (good: string) => string | Buffer,
  status: number | readonly number[],
  pointer?: string
][] = [
  ['cut in the middle', good => good.slice(0, -2), 400],
  ['with a comma at the end', good => `${good.slice(0, -1)},}`, 400],
  ['with single quotes', good => good.replaceAll('"', "'"), 400],
  ['twice', good => good + good, 400],
  ['a word', () => 'nonsense', 400],
  ['NaN', () => 'NaN', 400],
  ['spaces', () => '   ', 400],
  ['a form', () => 'to=u1&type=comment', 400],
  ['only a byte order mark', () => Buffer.from([0xef, 0xbb, 0xbf]), 400],
  ['two byte order marks', good => Buffer.from(`\ufeff\ufeff${good}`), 400],
  ['UTF-16', utf16, 400],
  ['UTF-16 without a mark', good => Buffer.from(good, 'utf16le'), 400],
  ['UTF-16, big end first', good => utf16(good).swap16(), 400],
  ['Latin-1', good => Buffer.from(good.replace('{', '{"é":1,'), 'latin1'), 400],
  ['a bare NUL', good => `${good}\0`, 400],
  ['a line break in a text', good => good.replace('{', '{"a":"\n",'), 400],
  ['a key twice', good => good.replace('{', '{"doubled":1,"doubled":2,'), 422, '#/doubled'],
  ['100,000 deep', () => nested(100_000), 400],
  ['100,000 deep within', good => good.replace('{', `{"deep":${nested(100_000)},`), 400],
  ['100,000 open', () => '{"a":'.repeat(100_000), [400, 413]],
  ['1e400', good => good.replace('{', '{"number":1e400,'), 422, '#/number'],
  ['U+0000', good => good.replace('{', String.raw`{"x":"\u0000",`), 422, '#/x'],
  ['U+0000 in a key', good => good.replace('{', String.raw`{"\u0000":1,`), 422],
  ['half a surrogate pair', good => good.replace('{', String.raw`{"x":"\ud83d",`), 422, '#/x'],
  ['__proto__', good => good.replace('{', '{"__proto__":{"admin":true},'), 422, '#/__proto__'],
  ['constructor', good => good.replace('{', '{"a":{"constructor":{}},'), 422, '#/a/constructor'],
  ['100,000 keys', () => manyKeys(100_000), [400, 413]],
  ['20,000 keys', () => manyKeys(20_000), 400],
  ['2 MB', good => good.replace('{', `{"x":"${'x'.repeat(2_000_000)}",`), 413],
  ['an array', good => `[${good}]`, 422],
  ['a text', good => JSON.stringify(good), 422],
  ['a number', () => '42', 422],
  ['true', () => 'true', 422]
]

test('has a valid body for every route with a body', async () => {
  const taking = app.routes
    // What is raw reads no JSON, and some that change a state take none.
    .filter(({ doc, method, raw }) => ['POST', 'PUT', 'PATCH'].includes(method) && !raw && (!doc || doc.body))
    .map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(taking.toSorted(), Object.keys(GOOD).toSorted())
  for (const [name, good] of Object.entries(GOOD)) {
    const answer = await ask(name, good, JSON.stringify(good.body))
    assert.ok([200, 201, 202].includes(answer.status), `${name}: ${answer.status} ${answer.text}`)
  }
  await app.queues.idle('EMAIL')
  await app.queues.idle('WEBHOOK')
})

const ask = (name: string, { headers, path }: Good, body: string | Buffer, more: object = {}) =>
  app.ask(path, { body, headers: { ...headers, ...more }, method: name.slice(0, name.indexOf(' ')) })

/** @returns pointers of all texts in a body */
const textPointers = (value: unknown, path: readonly PropertyKey[] = []): string[] =>
  typeof value === 'string'
    ? [toPointer(path)]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, member]) => textPointers(member, [...path, key]))
      : []

/** @returns the JSON of the body, in which the text at the pointer ends with half of a surrogate pair */
function withLoneSurrogate(body: unknown, pointer: string): string {
  const copy: unknown = structuredClone(body)
  const keys = pointer.split('/').slice(1)
  const last = keys.pop()
  const parent = keys.reduce((value, key) => (value as Record<string, unknown>)[key], copy)
  ;(parent as Record<string, unknown>)[last!] += '\ud800'
  return JSON.stringify(copy)
}

describe('on every route that takes a body', () => {
  for (const [name, good] of Object.entries(GOOD)) {
    test(name, () =>
      untouched(name, async () => {
        for (const [kind, make, status, pointer] of ANYWHERE) {
          const key = { 'idempotency-key': `${name} ${kind}` }
          const answer = await ask(name, good, make(JSON.stringify(good.body)), key)
          assertRefused(answer, `${name}: ${kind}`, pointer)
          const expected: readonly unknown[] = typeof status === 'number' ? [status] : status
          assert.ok(expected.includes(answer.status), `${name}: ${kind}: ${answer.status}`)
        }
        for (const pointer of textPointers(good.body)) {
          const answer = await ask(name, good, withLoneSurrogate(good.body, pointer))
          assertRefused(answer, `${name}: half a surrogate pair in ${pointer}`, pointer)
          assert.equal(answer.status, 422)
        }
        if (!good.mayBeEmpty) {
          assertRefused(await ask(name, good, ''), `${name}: empty`, '#')
          assertRefused(await ask(name, good, 'null'), `${name}: null`, '#')
        }
        const packed = await ask(name, good, Buffer.from('x'), { 'content-encoding': 'gzip' })
        assertRefused(packed, `${name}: compressed`)
        assertRefused(
          await ask(name, good, JSON.stringify(good.body), { 'idempotency-key': 'ö' }),
          `${name}: key`
        )
      }).finally(() => assert.equal(Object.hasOwn(Object.prototype, 'admin'), false))
    )
  }
})

const good = { inapp: { title: 'Hello' }, to: { id: USER }, type: TYPE }
const inapp = (fields: object) => ({ ...good, inapp: { title: 'Hello', ...fields } })
const email = (fields: object) => ({ ...good, email: { html: 'x', subject: 'x', ...fields } })
const options = (fields: object) => ({ ...good, options: fields })
const to = (fields: object) => ({ ...good, to: { id: USER, ...fields } })
const inAYear = new Date(Date.now() + 400 * 86_400_000).toISOString()

/** What only a send can have wrong. */
const SENDS: readonly (readonly [name: string, body: unknown, pointer: string])[] = [
  ['nobody', { type: TYPE }, '#/to'],
  ['no type', { to: { id: USER } }, '#/type'],
  ['a number as type', { ...good, type: 5 }, '#/type'],
  ['an unknown type without content', { to: { id: USER }, type: 'nobody_knows' }, '#/type'],
  ['a number as user', { ...good, to: 5 }, '#/to'],
  ['a number as user id', to({ id: 5 }), '#/to/id'],
  ['an empty user id', to({ id: '' }), '#/to/id'],
  ['a user id of 256 characters', to({ id: 'x'.repeat(256) }), '#/to/id'],
  ['a user id of 256 emoji', to({ id: '😀'.repeat(256) }), '#/to/id'],
  ['an empty list of users', { ...good, to: [] }, '#/to'],
  ['an address of another kind', to({ email: ['a@example.com'] }), '#/to/email'],
  ['a number of another kind', to({ number: 12 }), '#/to/number'],
  ...['+05:30', 'UTC+2', 'BST', 'Mars/Base', '../../etc/passwd', 'Europe/Berlin\n'].map(
    timezone => [`zone ${JSON.stringify(timezone)}`, to({ timezone }), '#/to/timezone'] as const
  ),
  ...[
    'tomorrow',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-11-20',
    '2026-11-20T04:34',
    1_800_000_000
  ].map(schedule => [`schedule ${schedule}`, { ...good, schedule }, '#/schedule'] as const),
  ['a schedule too far ahead', { ...good, schedule: inAYear }, '#/schedule'],
  ['an unknown channel', { ...good, forceChannels: ['PIGEON'] }, '#/forceChannels/0'],
  ['a channel as text', { ...good, forceChannels: 'EMAIL' }, '#/forceChannels'],
  ['merge tags as text', { ...good, parameters: 'x' }, '#/parameters'],
  ['merge tags as a list', { ...good, mergeTags: [1] }, '#/mergeTags'],
  ['a replacement for nothing', { ...good, replace: { '': 'x' } }, '#/replace/'],
  ['a number as replacement', { ...good, replace: { a: 1 } }, '#/replace/a'],
  ['apn priority 7', options({ apn: { priority: 7 } }), '#/options/apn/priority'],
  ['apn priority as text', options({ apn: { priority: '10' } }), '#/options/apn/priority'],
  ['collapse id of 65 bytes', options({ apn: { collapseId: 'é'.repeat(33) } }), '#/options/apn/collapseId'],
  ['a ttl above four weeks', options({ fcm: { android: { ttl: 2_419_201 } } }), '#/options/fcm/android/ttl'],
  ['a negative ttl', options({ fcm: { android: { ttl: -1 } } }), '#/options/fcm/android/ttl'],
  [
    'a line break in fromName',
    options({ email: { fromName: 'A\r\nBcc: x@y.zz' } }),
    '#/options/email/fromName'
  ],
  [
    'a line break in fromAddress',
    options({ email: { fromAddress: 'a@b.cc\r\nBcc: x@y.zz' } }),
    '#/options/email/fromAddress'
  ],
  [
    'a line break in a file name',
    options({ email: { attachments: [{ content: 'aGk=', filename: 'a\r\nb' }] } }),
    '#/options/email/attachments/0/filename'
  ],
  [
    'a content type that is a header',
    options({
      email: { attachments: [{ content: 'aGk=', contentType: 'text/plain\r\nX: y', filename: 'a' }] }
    }),
    '#/options/email/attachments/0/contentType'
  ],
  [
    'an attachment from the disk',
    options({ email: { attachments: [{ filename: 'a', url: 'file:///etc/passwd' }] } }),
    '#/options/email/attachments/0/url'
  ],
  [
    'an attachment that is no base64',
    options({ email: { attachments: [{ content: 'ö', filename: 'a' }] } }),
    '#/options/email/attachments/0/content'
  ],
  ['CRLF in a subject', email({ subject: 'a\r\nBcc: x@y.zz' }), '#/email/subject'],
  ['CRLF in a sender', email({ senderName: 'a\r\nBcc: x@y.zz' }), '#/email/senderName'],
  ['CRLF in a sender address', email({ senderEmail: 'a@b.cc\r\n' }), '#/email/senderEmail'],
  ['a title that is a number', inapp({ title: 5 }), '#/inapp/title'],
  ['no title', { ...good, inapp: { url: '/x' } }, '#/inapp/title'],
  ...[
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    '//evil.example',
    String.raw`/\evil.example`,
    String.raw`\\evil.example`,
    'https:evil.example',
    'https://',
    'relative'
  ].flatMap(url => [
    [`link ${JSON.stringify(url)}`, inapp({ url }), '#/inapp/url'] as const,
    [
      `link ${JSON.stringify(url)} by its other name`,
      inapp({ redirectURL: url }),
      '#/inapp/redirectURL'
    ] as const,
    [`picture ${JSON.stringify(url)}`, inapp({ image: url }), '#/inapp/image'] as const
  ]),
  ['a picture that is a mail', inapp({ image: 'mailto:a@example.com' }), '#/inapp/image'],
  ['Liquid that never ends', inapp({ title: '{{ a' }), '#/inapp/title'],
  ['an unknown tag', inapp({ title: '{% include "secret" %}' }), '#/inapp/title'],
  ['an unknown filter', inapp({ body: '{{ a | exec }}' }), '#/inapp/body'],
  ['a loop without end', email({ html: '{% for a in b %}' }), '#/email/html'],
  ['4,000 outputs, one without end', inapp({ body: `${'{{a}}'.repeat(3_900)}{{a` }), '#/inapp/body']
]

describe('the body of a send', () => {
  test('names wrong fields, and writes nothing', () =>
    untouched('a send', async () => {
      for (const [name, body, pointer] of SENDS) {
        const answer = await send(body, { 'idempotency-key': name.replace(/[^ -~]/g, '?').slice(0, 200) })
        assert.equal(answer.status, 422, `${name}: ${answer.status} ${answer.text.slice(0, 200)}`)
        assertRefused(answer, name, pointer)
      }
    }))

  test('warns about merge tags above 150 kB, and refuses them above 256 KiB', async () => {
    const of = (bytes: number) => ({ ...good, parameters: { text: 'x'.repeat(bytes) } })
    const large = await send(of(150_000))
    assert.equal(large.status, 200, large.text)
    assert.match(String(large.json['messages']), /#\/parameters/)
    await untouched('merge tags', async () => {
      const larger = await send(of(300_000))
      assert.equal(larger.status, 413)
      assertRefused(larger, '300 kB', '#/parameters')
      const largest = await send(of(1_000_000))
      assert.equal(largest.status, 413)
      assertRefused(largest, '1 MB')
    })
  })

  test('accepts a byte order mark and any content type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'image/png', '']) {
      const answer = await send(`\ufeff${JSON.stringify(good)}`, { 'content-type': type })
      assert.equal(answer.status, 200, `${type}: ${answer.text}`)
    }
  })

  test('ignores names of database columns', async () => {
    const fields = {
      bucket: 1,
      env_id: 'client_2',
      role: 'admin',
      seq: 1,
      token: 5,
      attempts_left: 99,
      version: 1
    }
    const { json, status } = await send({ ...good, ...fields, to: { bucket: 3, id: 'mass', unopened: 7 } })
    assert.equal(status, 200)
    for (const name of Object.keys(fields)) assert.match(String(json['messages']), new RegExp(`#/${name}:`))
    const { counts } = await inboxOf('mass')
    assert.deepEqual(counts, { snoozed: 0, unarchived: 1, unopened: 1, unseen: 1 })
  })
})

interface Page {
  readonly counts: unknown
  readonly items: readonly Readonly<Record<string, unknown>>[]
}

async function inboxOf(user: string): Promise<Page> {
  const {
    json,
    status,
    text: said
  } = await app.ask(`/${CLIENT}/users/${encodeURIComponent(user)}/inbox`, {
    headers: asUser(user)
  })
  assert.equal(status, 200, said)
  return json as unknown as Page
}

describe('what is taken is inert', () => {
  test('sends markup and Liquid in a title as text, and escapes them for legacy clients', async () => {
    const title = '<img src=x onerror=alert(1)> & {{ secret }} {% raw %} &lt;'
    const body = {
      inapp: { title: '{{ title }}' },
      parameters: { secret: 'S', title },
      to: { id: 'html' },
      type: 'html'
    }
    assert.equal((await send(body)).status, 200)
    const [item] = (await inboxOf('html')).items
    assert.equal(item!['title'], title)
    const vendor = await app.ask(`/${CLIENT}/users/html/notifications/INAPP_WEB`, { headers: asUser('html') })
    const [theirs] = vendor.json['notifications'] as { title: string }[]
    assert.doesNotMatch(theirs!.title, /[<>]|\{\{|\{%/)
    assert.match(theirs!.title, /^&lt;img src=x onerror=alert\(1\)&gt;/)
  })

  test('adds no header and no other kind of link by a merge tag', async () => {
    const user = { email: 'crlf@example.com', id: 'crlf' }
    const parameters = { name: 'A\r\nBcc: victim@example.com', url: 'javascript:alert(1)' }
    const mail = {
      html: '<a href="{{ url }}">{{ name }}</a>',
      senderName: '{{ name }}',
      subject: 'For {{ name }}'
    }
    const answer = await send({
      email: mail,
      inapp: { title: 'x', url: '{{ url }}' },
      parameters,
      to: user,
      type: 'crlf'
    })
    assert.equal(answer.status, 202, answer.text)
    assert.match(String(answer.json['messages']), /INAPP_WEB was discarded: redirectURL/)
    assert.deepEqual((await inboxOf('crlf')).items, [])
    await app.queues.idle('EMAIL')
    const { json } = await app.ask(`/${CLIENT}/sandbox/messages?user=crlf`, { headers: asBackEnd })
    const [kept] = json['messages'] as {
      bcc: string[]
      headers: { name: string }[]
      html: string
      raw: string
      subject: string
    }[]
    assert.equal(kept!.subject, 'For A Bcc: victim@example.com')
    assert.deepEqual(kept!.bcc, [])
    assert.equal(kept!.headers.filter(({ name }) => /^bcc$/i.test(name)).length, 0)
    assert.doesNotMatch(kept!.html, /javascript:/)
    assert.doesNotMatch(kept!.raw.split('\r\n\r\n')[0]!, /^bcc:/im)
  })

  const BOMBS: Readonly<Record<string, string>> = {
    'doubling text': `{% assign a = "xxxxxxxx" %}${'{% assign a = a | append: a %}'.repeat(40)}{{ a }}`,
    'loops in loops':
      '{% for a in (1..99999) %}{% for b in (1..99999) %}{% for c in (1..99999) %}x{% endfor %}{% endfor %}{% endfor %}',
    'a long range': '{{ (1..999999999) | join }}',
    'a wide date': '{{ "now" | date: "%999999999d" }}',
    'replacing much by much': '{% assign a = text | replace: "x", text %}{{ a | replace: "x", text }}'
  }
  for (const [name, template] of Object.entries(BOMBS)) {
    test(`isolates a template bomb: ${name}`, async () => {
      const cpuMs = startCpuTimer()
      const bomb = send({
        inapp: { title: template.slice(0, 2000) },
        parameters: { text: 'x'.repeat(50_000) },
        to: { id: 'bomb' },
        type: 'bomb'
      })
      const [answer, other] = await Promise.all([bomb, send({ ...good, to: { id: 'neighbour' } })])
      assert.ok([202, 422].includes(answer.status), `${answer.status} ${answer.text.slice(0, 300)}`)
      assert.match(answer.text, /inapp\/title|INAPP_WEB was discarded/)
      assert.equal(other.status, 200)
      assert.ok(cpuMs() < 5000, `${cpuMs()} ms`)
    })
  }

  test('refuses 60 kB of any text quickly', () =>
    untouched('long texts', async () => {
      // Enough for a pattern that looks back and forth to take seconds, and few enough to see it fail.
      const fill = (sign: string) => sign.repeat(Math.floor(60_000 / sign.length))
      const long = [
        'T',
        'T1',
        ' ',
        'a@',
        'a.',
        '+1',
        '/',
        '=',
        '{{',
        '<head',
        '&#',
        '%',
        '😀',
        'A/',
        '\u0301'
      ].map(fill)
      const user = GOOD['PATCH /:clientId/users/:userId/inbox']!
      const identify = GOOD['POST /:clientId/users/:userId']!
      for (const value of long) {
        const what = value.slice(0, 5)
        const bodies: [string, Good, object][] = [
          ['PATCH inbox', user, { opened: value, trackingIds: 'ALL' }],
          ['PATCH inbox', user, { reply: { date: value, message: 'x' }, trackingIds: [] }],
          ['POST identify', identify, { email: value }],
          ['POST identify', identify, { timezone: value }],
          ['POST identify', identify, { number: value }],
          [
            'POST identify',
            identify,
            { webPushTokens: [{ sub: { endpoint: `https://${value}`, keys: {} } }] }
          ],
          ['POST send', GOOD['POST /:clientId/sender']!, { ...good, schedule: value }],
          ['POST send', GOOD['POST /:clientId/sender']!, inapp({ url: `https://${value}` })],
          ['POST send', GOOD['POST /:clientId/sender']!, email({ senderEmail: value })],
          [
            'POST send',
            GOOD['POST /:clientId/sender']!,
            options({
              email: { attachments: [{ contentType: value, filename: value, url: `http://${value}` }] }
            })
          ]
        ]
        for (const [name, good, body] of bodies) {
          const cpuMs = startCpuTimer()
          const answer = await ask(name, good, JSON.stringify(body))
          assertRefused(answer, `${name} ${what} ${Object.keys(body).join()}`)
          const took = cpuMs()
          assert.ok(took < 1000, `${name} ${what} ${Object.keys(body).join()}: ${took} ms`)
        }
      }
    }))
})

/** Every place in a body, with the value that stands there. */
function places(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  // What stands in merge tags is the caller's own.
  if (path[0] === 'parameters' && path.length === 1) return [path]
  const inside = Object.entries(value).flatMap(([key, member]) =>
    places(member, [...path, Array.isArray(value) ? Number(key) : key])
  )
  return path.length === 0 ? inside : [path, ...inside]
}

const at = (body: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], body)

function withValue(body: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (key === undefined) return value
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Record<string | number, unknown>
  copy[key] = withValue(copy[key], rest, value)
  return copy
}

/** Values that are wrong wherever another kind of value belongs. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  array: [{ a: 1 }, 'text', 5, true, [[]], [null, 1]],
  boolean: ['yes', 5, {}, [], -1],
  number: ['ten', {}, [], -1, 1.5, 1e300, true],
  object: ['text', 5, true, [1], ['x']],
  string: [5, true, {}, ['x'], { toString: 'x' }, { $ne: null }, 'a\0b', 'a\ud800b', 1e21, -0.5]
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

testGenerated(
  '1,000 sends with one wrong value each: refused, the place named, nothing written',
  async next => {
    const taken = await send(FULL_SEND)
    assert.ok([200, 202].includes(taken.status), taken.text)
    const all = places(FULL_SEND)
    const pick = <T>(of: readonly T[]): T => of[next(of.length)]!
    await untouched('sends with one wrong value', async () => {
      for (let i = 0; i < 1000; i++) {
        const path = pick(all)
        const value = pick(WRONG[kindOf(at(FULL_SEND, path))]!)
        // A list of users is no mistake.
        if (path.join() === 'to' && Array.isArray(value)) continue
        // `customData` and `replace` are maps of any keys, so that an own key is no mistake.
        const body = JSON.stringify(withValue(FULL_SEND, path, value))
        const answer = await send(body, next(2) === 0 ? { 'idempotency-key': `generated ${i}` } : {})
        const what = `#/${path.join('/')} = ${JSON.stringify(value)}`
        assertRefused(answer, what)
        const named = pointersOf(answer)
        const place = `#/${path.join('/')}`
        assert.ok(
          named.some(pointer => pointer.startsWith(place) || place.startsWith(pointer)),
          `${what}: ${answer.text}`
        )
      }
    })
  }
)
