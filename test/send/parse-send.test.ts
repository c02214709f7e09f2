// The rules of a send's body: how each field is parsed, and what is refused with its pointer.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Problem } from '../../server/http/problem.ts'
import { parseSend, type ParsedSend } from '../../server/send/parse-send.ts'
import { typeBody } from '../../server/types/schema.ts'
import { createRenderer } from '../../server/types/templates/render.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

const read = (body: unknown): ParsedSend => parseSend(body, NOW, () => [])
const send = (more: object = {}) => read({ to: { id: 'u1' }, type: 'comment', ...more })

const problemOf = (body: unknown): Problem => {
  try {
    read(body)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  return assert.fail(`taken: ${JSON.stringify(body).slice(0, 200)}`)
}

test('accepts the smallest send', () => {
  assert.deepEqual(send(), { send: { to: { id: 'u1' }, type: 'comment' }, warnings: [] })
})

test('accepts former names of fields', () => {
  const old = read({
    mergeTags: { a: 1 },
    notificationId: 'comment',
    secondaryId: 'post-1',
    user: { email: 'a@b.example', id: 'u1' }
  })
  const now = read({
    parameters: { a: 1 },
    subNotificationId: 'post-1',
    to: { email: 'a@b.example', id: 'u1' },
    type: 'comment'
  })
  assert.deepEqual(old, now)
})

test('current names override former names', () => {
  const { send } = read({
    mergeTags: { old: true },
    notificationId: 'old',
    parameters: { old: false },
    secondaryId: 'old',
    subNotificationId: 'new',
    to: { id: 'new' },
    type: 'new',
    user: { email: 'old@b.example', id: 'old' }
  })
  assert.deepEqual(send, {
    parameters: { old: false },
    subNotificationId: 'new',
    to: { id: 'new' },
    type: 'new'
  })
})

test('null means absent, except in parameters', () => {
  const { send: kept } = send({
    email: null,
    options: { apn: { badge: null }, email: null },
    parameters: { none: null },
    replace: null,
    schedule: null,
    templateId: null
  })
  assert.deepEqual(kept, {
    options: { apn: {} },
    parameters: { none: null },
    to: { id: 'u1' },
    type: 'comment'
  })
  assert.deepEqual(read({ notificationId: 'n', to: null, type: null, user: { id: 'u' } }).send, {
    to: { id: 'u' },
    type: 'n'
  })
})

test('accepts [] as an empty map', () => {
  assert.deepEqual(send({ options: [], parameters: [], replace: [] }).send, send().send)
})

test('an empty text in an option or a user means absent', () => {
  const android = { collapseKey: '', restrictedPackageName: '' }
  const apn = { collapseId: '', sound: '', threadId: '' }
  const email = { fromAddress: '', fromName: '' }
  const { options } = send({ options: { apn, email, fcm: { android } } }).send
  assert.equal(JSON.stringify(options), '{"email":{},"apn":{},"fcm":{"android":{}}}')
})

test('a user without an id is identified by address or number', () => {
  assert.deepEqual(read({ to: { email: 'a@b.example' }, type: 't' }).send.to, {
    email: 'a@b.example',
    id: 'a@b.example'
  })
  // An address in capitals is the same user.
  assert.deepEqual(read({ to: { email: 'Ada@B.Example', number: '2025550123' }, type: 't' }).send.to, {
    email: 'Ada@B.Example',
    id: 'ada@b.example',
    number: '+12025550123'
  })
  assert.deepEqual(read({ to: { number: '(202) 555-0123' }, type: 't' }).send.to, {
    id: '+12025550123',
    number: '+12025550123'
  })
  assert.deepEqual(read({ to: { email: '', id: 'u', number: '', timezone: '' }, type: 't' }).send.to, {
    id: 'u'
  })
})

test('a malformed address or number is a warning that says what is expected', () => {
  const to = { email: 'a@b.example\r\nBcc: c@d.example', id: 'u', number: '555 1234' }
  const { send: kept, warnings } = send({ to })
  assert.deepEqual(kept.to, { email: '', id: 'u', number: '' })
  assert.deepEqual(
    warnings.map(text => text.slice(0, text.indexOf(':'))),
    ['#/to/email', '#/to/number']
  )
  assert.equal(send({ to: { email: 'x', number: '+44 20 7183 8750' } }).send.to.id, '+442071838750')
})

test('contact details are normalized', () => {
  assert.deepEqual(send({ to: { id: 'u', number: '604-555-0123', timezone: 'america/new_york' } }).send.to, {
    id: 'u',
    number: '+16045550123',
    timezone: 'America/New_York'
  })
})

test('warns about unknown fields at every level', () => {
  const { send: kept, warnings } = send({
    evil: 1,
    inapp: { colour: 'red', title: 'Hi' },
    options: { email: { attachments: [{ filename: 'a', size: 1, url: 'https://a.example/a' }] }, pigeon: {} },
    parameters: { anything: { goes: 1 } },
    to: { env_id: 'other', id: 'u1', role: 'admin' }
  })
  assert.deepEqual(warnings.map(warning => warning.split(':')[0]).toSorted(), [
    '#/evil',
    '#/inapp/colour',
    '#/options/email/attachments/0/size',
    '#/options/pigeon',
    '#/to/env_id',
    '#/to/role'
  ])
  assert.deepEqual(kept.to, { id: 'u1' })
  assert.deepEqual(kept.inapp, { title: 'Hi' })
})

test('limits the number of warnings about unknown fields', () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`x${i}`, i]))
  assert.ok(send(many).warnings.length <= 20)
})

test('accepts inline content of every channel', () => {
  const { send: kept } = send({
    call: { message: 'Hello' },
    email: { html: '<p>Hi</p>', previewText: 'p', senderEmail: 'a@b.example', senderName: 'A', subject: 'S' },
    inapp: { body: 'More', image: 'https://a.example/i.png', title: 'Hi', url: '/path?x=1#y' },
    mobile_push: { message: 'm', title: 't' },
    slack: { text: 'Hi' },
    sms: { message: 'Hi' },
    web_push: { message: 'm', title: 't', url: 'https://a.example' }
  })
  assert.deepEqual(kept.inapp, {
    body: 'More',
    imageURL: 'https://a.example/i.png',
    redirectURL: '/path?x=1#y',
    title: 'Hi'
  })
  assert.equal(kept.email?.['subject'], 'S')
  for (const name of ['call', 'mobile_push', 'slack', 'sms', 'web_push'] as const) assert.ok(kept[name])
})

test('accepts options of every channel', () => {
  const { send: kept, warnings } = send({
    options: {
      apn: {
        badge: 0,
        collapseId: 'é'.repeat(32),
        contentAvailable: 1,
        expiry: '1763640000',
        priority: 5,
        sound: 'default',
        threadId: 't'
      },
      email: {
        attachments: [
          { fileName: 'a.pdf', url: 'https://a.example/a.pdf' },
          { content: 'aGVs\nbG8=', contentType: 'text/plain; charset=utf-8', filename: 'b.txt' }
        ],
        bccAddresses: ['b@b.example'],
        ccAddresses: ['c@b.example', '"Doe, Dora" <d@b.example>'],
        fromAddress: 'f@b.example',
        fromName: 'Fröm, "The" Name',
        replyToAddresses: ['r@b.example']
      },
      fcm: { android: { collapseKey: 'k', priority: 'high', restrictedPackageName: 'p', ttl: '2419200' } },
      push: { customData: { a: '1' } }
    }
  })
  assert.deepEqual(warnings, [])
  assert.deepEqual(kept.options?.apn, {
    badge: 0,
    collapseId: 'é'.repeat(32),
    contentAvailable: true,
    expiry: 1_763_640_000,
    priority: 5,
    sound: 'default',
    threadId: 't'
  })
  assert.deepEqual(kept.options?.email?.attachments, [
    { filename: 'a.pdf', url: 'https://a.example/a.pdf' },
    { content: 'aGVsbG8=', contentType: 'text/plain; charset=utf-8', filename: 'b.txt' }
  ])
  assert.equal(kept.options?.fcm?.android?.ttl, 2_419_200)
})

test('a schedule becomes an instant in UTC; a time in the past means now', () => {
  assert.equal(send({ schedule: '2026-11-21T12:00:00+05:30' }).send.schedule, '2026-11-21T06:30:00.000Z')
  assert.equal(send({ schedule: '2026-11-21T12:00:00.1234567Z' }).send.schedule, '2026-11-21T12:00:00.123Z')
  for (const text of [
    '2026-11-21T11:00Z',
    '2026-11-21T12:00:00+0100',
    '2026-11-21T12:00:00+01',
    '2026-11-21T12:00+01:00[Europe/Berlin]',
    '2026-11-21 11:00:00Z',
    '2026-11-21 12:00:00+01:00',
    '2026-11-21 12:00:00.000000+01:00',
    '2026-11-21 11:00:00 UTC',
    '2026-11-21 12:00:00 +0100',
    '2026-11-21 12:00:00 +0100 CET',
    '2026-11-21 11:00:00.000000000 +0000 UTC',
    '2026-11-21t11:00:00,000z',
    ' 2026-11-21 11:00:00Z\n'
  ]) {
    assert.equal(send({ schedule: text }).send.schedule, '2026-11-21T11:00:00.000Z', text)
  }
  assert.equal(send({ schedule: '2026-11-20T11:59:59Z' }).send.schedule, undefined)
  assert.equal(send({ schedule: '2027-11-21T12:00:00Z' }).send.schedule, '2027-11-21T12:00:00.000Z')
})

test('parameters cause a warning above the recommended size and 413 above the limit', () => {
  const tags = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
  assert.deepEqual(send({ parameters: tags(150_000) }).warnings, [])
  assert.match(send({ parameters: tags(150_001) }).warnings.join(), /^#\/parameters: .*150001 bytes/)
  assert.match(
    send({ mergeTags: { text: 'é'.repeat(80_000) } }).warnings.join(),
    /^#\/mergeTags: .*160011 bytes/
  )
  assert.deepEqual(send({ parameters: tags(256 * 1024) }).warnings.length, 1)
  const refused = problemOf({ parameters: tags(256 * 1024 + 1), to: { id: 'u' }, type: 't' })
  assert.equal(refused.status, 413)
  assert.equal(refused.errors[0]?.pointer, '#/parameters')
})

test('names every wrong field at once', () => {
  const { errors, status } = problemOf({
    options: { apn: { badge: -1, priority: 7 } },
    to: { id: 1 },
    type: ''
  })
  assert.equal(status, 422)
  assert.deepEqual(errors.map(error => error.pointer).toSorted(), [
    '#/options/apn/badge',
    '#/options/apn/priority',
    '#/to/id',
    '#/type'
  ])
})

const email = (content: object) => ({ email: { html: '<p>Hi</p>', subject: 'S', ...content } })
const mail = (options: object) => ({ options: { email: options } })
const file = (attachment: object) => mail({ attachments: [attachment] })

/** The fault, the pointer in the answer, and the fields that replace those of a valid body. */
const REFUSED: readonly (readonly [string, string, object])[] = [
  ['no type', '#/type', { type: undefined }],
  ['type of another kind', '#/type', { type: 7 }],
  ['empty type', '#/type', { type: '' }],
  ['line break in the type', '#/type', { type: 'a\r\nb' }],
  ['long type', '#/type', { type: 'x'.repeat(256) }],
  ['old name of the type', '#/notificationId', { notificationId: 'a\nb', type: undefined }],
  ['no user', '#/to', { to: undefined }],
  ['no user', '#/to/id', { to: {} }],
  ['no user under the former name', '#/user/id', { to: undefined, user: { timezone: 'UTC' } }],
  ['empty user id', '#/to/id', { to: { id: '' } }],
  ['256 characters of user id', '#/to/id', { to: { id: '🎉'.repeat(256) } }],
  ['user id of another kind', '#/to/id', { to: { id: 12 } }],
  ['user of another kind', '#/to', { to: 'u1' }],
  ['two mail addresses and no id', '#/to/email', { to: { email: 'a@b.example, c@d.example' } }],
  ['number in no known form and no id', '#/user/number', { to: undefined, user: { number: '555 1234' } }],
  ['address of another kind', '#/to/email', { to: { email: 7, id: 'u' } }],
  ['zone that is an offset', '#/to/timezone', { to: { id: 'u', timezone: '+05:30' } }],
  ['zone of another library', '#/to/timezone', { to: { id: 'u', timezone: 'BST' } }],
  ['zone of another planet', '#/to/timezone', { to: { id: 'u', timezone: 'Mars/Base' } }],
  ['merge tags as list', '#/parameters', { parameters: [1] }],
  ['merge tags as text', '#/mergeTags', { mergeTags: 'x' }],
  ['empty text to replace', '#/replace/', { replace: { '': 'x' } }],
  ['number as replacement', '#/replace/a', { replace: { a: 1 } }],
  ['schedule without zone', '#/schedule', { schedule: '2026-11-21T12:00:00' }],
  ['schedule with a space, without zone', '#/schedule', { schedule: '2026-11-21 12:00:00' }],
  ['schedule with the name of a zone', '#/schedule', { schedule: '2026-11-21T12:00:00[Europe/Berlin]' }],
  ['schedule with letters for a zone', '#/schedule', { schedule: '2026-11-21 12:00:00 CET' }],
  ['schedule in words', '#/schedule', { schedule: 'Sat Nov 21 2026 12:00:00 GMT+0100' }],
  ['schedule with two dots', '#/schedule', { schedule: '2026-11-21 12:00:00.5.5Z' }],
  ['schedule in no hour', '#/schedule', { schedule: '2026-11-21 24:30:00Z' }],
  ['schedule as date', '#/schedule', { schedule: '2026-11-21' }],
  ['schedule on no day', '#/schedule', { schedule: '2027-02-30T12:00:00Z' }],
  ['schedule as number', '#/schedule', { schedule: 1_763_640_000 }],
  ['schedule too far ahead', '#/schedule', { schedule: '2027-11-22T12:00:00Z' }],
  ['unknown channel', '#/forceChannels/1', { forceChannels: ['EMAIL', 'PIGEON'] }],
  ['channels as text', '#/forceChannels', { forceChannels: 'EMAIL' }],
  ['priority 7', '#/options/apn/priority', { options: { apn: { priority: 7 } } }],
  ['priority as text', '#/options/apn/priority', { options: { apn: { priority: '10' } } }],
  [
    '65 bytes of collapseId',
    '#/options/apn/collapseId',
    { options: { apn: { collapseId: 'x'.repeat(65) } } }
  ],
  [
    '66 bytes in 33 characters',
    '#/options/apn/collapseId',
    { options: { apn: { collapseId: 'é'.repeat(33) } } }
  ],
  ['half a badge', '#/options/apn/badge', { options: { apn: { badge: 0.5 } } }],
  ['negative badge', '#/options/apn/badge', { options: { apn: { badge: -1 } } }],
  ['expiry before 1970', '#/options/apn/expiry', { options: { apn: { expiry: -1 } } }],
  [
    'contentAvailable as text',
    '#/options/apn/contentAvailable',
    { options: { apn: { contentAvailable: 'yes' } } }
  ],
  ['ttl over four weeks', '#/options/fcm/android/ttl', { options: { fcm: { android: { ttl: 2_419_201 } } } }],
  [
    'ttl over four weeks as text',
    '#/options/fcm/android/ttl',
    { options: { fcm: { android: { ttl: '2419201' } } } }
  ],
  ['negative ttl', '#/options/fcm/android/ttl', { options: { fcm: { android: { ttl: -1 } } } }],
  ['ttl with unit', '#/options/fcm/android/ttl', { options: { fcm: { android: { ttl: '3600s' } } } }],
  [
    'fcm priority 10',
    '#/options/fcm/android/priority',
    { options: { fcm: { android: { priority: 'urgent' } } } }
  ],
  [
    'four custom data',
    '#/options/push/customData',
    { options: { push: { customData: { a: '', b: '', c: '', d: '' } } } }
  ],
  ['line break in fromName', '#/options/email/fromName', mail({ fromName: 'A\r\nBcc: x@y.example' })],
  ['NUL in fromName', '#/options/email/fromName', mail({ fromName: 'A\0' })],
  ['name in fromAddress', '#/options/email/fromAddress', mail({ fromAddress: 'A <a@b.example>' })],
  ['list in cc', '#/options/email/ccAddresses/0', mail({ ccAddresses: ['a@b.example,c@d.example'] })],
  [
    'list after a name',
    '#/options/email/ccAddresses/0',
    mail({ ccAddresses: ['A <a@b.example>, c@d.example'] })
  ],
  [
    'line break in a name',
    '#/options/email/ccAddresses/0',
    mail({ ccAddresses: ['A\r\nBcc: x <a@b.example>'] })
  ],
  ['line break in bcc', '#/options/email/bccAddresses/0', mail({ bccAddresses: ['a@b.example\n'] })],
  ['reply-to as text', '#/options/email/replyToAddresses', mail({ replyToAddresses: 'a@b.example' })],
  ['attachment without name', '#/options/email/attachments/0/filename', file({ url: 'https://a.example' })],
  ['attachment without content', '#/options/email/attachments/0/url', file({ filename: 'a' })],
  [
    'attachment with both',
    '#/options/email/attachments/0/content',
    file({ content: '', filename: 'a', url: 'https://a.example' })
  ],
  [
    'attachment from the disk',
    '#/options/email/attachments/0/url',
    file({ filename: 'a', url: 'file:///etc/passwd' })
  ],
  [
    'attachment by tab in scheme',
    '#/options/email/attachments/0/url',
    file({ filename: 'a', url: 'ht\ttp://a.example' })
  ],
  [
    'line break in file name',
    '#/options/email/attachments/0/filename',
    file({ filename: 'a\nb', url: 'https://a.example' })
  ],
  [
    'line break in fileName',
    '#/options/email/attachments/0/fileName',
    file({ fileName: 'a\r', url: 'https://a.example' })
  ],
  [
    'content that is not base64',
    '#/options/email/attachments/0/content',
    file({ content: '%%%', filename: 'a' })
  ],
  [
    'line break in content type',
    '#/options/email/attachments/0/contentType',
    file({ content: '', contentType: 'a/b\r\nX: y', filename: 'a' })
  ],
  ['line break in subject', '#/email/subject', email({ subject: 'a\r\nBcc: x@y.example' })],
  ['no subject', '#/email/subject', email({ subject: undefined })],
  ['no html', '#/email/html', { email: { subject: 'S' } }],
  ['line break in sender name', '#/email/senderName', email({ senderName: 'a\nb' })],
  ['list of senders', '#/email/senderEmail', email({ senderEmail: 'a@b.example, c@d.example' })],
  ['no title', '#/inapp/title', { inapp: { url: '/x' } }],
  ['title of another kind', '#/inapp/title', { inapp: { title: 5 } }],
  ['javascript link', '#/inapp/url', { inapp: { title: 'Hi', url: 'javascript:alert(1)' } }],
  ['data link', '#/inapp/url', { inapp: { title: 'Hi', url: 'data:text/html,x' } }],
  ['tab in scheme', '#/inapp/url', { inapp: { title: 'Hi', url: 'java\tscript:alert(1)' } }],
  ['space before scheme', '#/inapp/url', { inapp: { title: 'Hi', url: ' javascript:alert(1)' } }],
  ['link to another site as path', '#/inapp/url', { inapp: { title: 'Hi', url: '//evil.example' } }],
  ['link with backslash', '#/inapp/url', { inapp: { title: 'Hi', url: '/\\evil.example' } }],
  ['picture as data', '#/inapp/image', { inapp: { image: 'data:image/png;base64,AA', title: 'Hi' } }],
  [
    'javascript link in web push',
    '#/web_push/url',
    { web_push: { message: 'm', title: 't', url: 'JavaScript:x' } }
  ],
  ['content as text', '#/inapp', { inapp: 'Hi' }]
]

for (const [what, pointer, over] of REFUSED) {
  test(`refused: ${what}`, () => {
    const { errors, status } = problemOf({ to: { id: 'u1' }, type: 'comment', ...over })
    assert.equal(status, 422)
    assert.deepEqual(
      errors.map(error => error.pointer),
      [pointer]
    )
    assert.ok(errors[0]!.detail.length > 5)
  })
}

test('refuses a missing body and bodies that are not objects', () => {
  for (const body of [undefined, null, 'x', 1, [], true]) assert.equal(problemOf(body).status, 422)
  assert.deepEqual(
    problemOf({}).errors.map(error => error.pointer),
    ['#/type', '#/to']
  )
})

test('refuses content that does not parse, with its pointer', () => {
  const check = () => [{ detail: 'tag not closed', field: 'redirectURL' }]
  const body = { inapp: { title: 'Hi', url: '{{ x' }, to: { id: 'u' }, type: 't' }
  assert.throws(
    () => parseSend(body, NOW, check),
    (error: Problem) => error.status === 422 && error.errors[0]?.pointer === '#/inapp/url'
  )
})

test('refuses a script link in an email, with its line', async () => {
  const renderer = createRenderer({ renderTimeoutMs: 200 })
  const email = { html: '<p>Hi</p>\n<a href="javascript:x()">x</a>', subject: 'Hi' }
  assert.throws(
    () => parseSend({ email, to: { id: 'u' }, type: 't' }, NOW, renderer.check),
    (error: Problem) => {
      assert.deepEqual(error.errors, [
        {
          detail: 'Line 2, column 9: href must not be "javascript:x()", it would run as a script.',
          pointer: '#/email/html'
        }
      ])
      return error.status === 422
    }
  )
  await renderer.close()
})

test('does not check content without Liquid', () => {
  const check = () => assert.fail('looked at')
  parseSend({ inapp: { title: 'Hi' }, to: { id: 'u' }, type: 't' }, NOW, check)
})

test('a send accepts exactly the ids that a type may have', () => {
  const ids = ['a', ' ', 'a/b', 'Ω', 'x'.repeat(255), '', 'x'.repeat(256)]
  for (const sign of ['\u0000', '\n', '\u007f', '\u0080', '\u0085', '\u009f', '\u2028', '\u2029', '\ud800'])
    ids.push(`a${sign}`)
  for (const id of ids) {
    const takes = (body: unknown) => {
      try {
        return read(body).send.type === id
      } catch {
        return false
      }
    }
    const isType = typeBody.safeParse({ id }).success
    assert.equal(takes({ to: { id: 'u' }, type: id }), isType, JSON.stringify(id))
    assert.equal(takes({ notificationId: id, to: { id: 'u' } }), isType, JSON.stringify(id))
  }
})

test('suggests the name of a misspelt field', () => {
  const { warnings } = send({ inap: {}, options: { apn: { colapseID: 'x' } }, parametres: {}, pigeon: {} })
  assert.deepEqual(warnings, [
    '#/inap: unknown field, ignored. Did you mean inapp?',
    '#/options/apn/colapseID: unknown field, ignored. Did you mean collapseId?',
    '#/parametres: unknown field, ignored. Did you mean parameters?',
    '#/pigeon: unknown field, ignored.'
  ])
})

test('names a misspelt field if a required one is missing', () => {
  const typ = problemOf({ inapp: { title: 'x' }, to: { id: 'u1' }, typ: 'comment' })
  assert.match(typ.errors[0]!.detail, /^This field is required\. #\/typ: .* Did you mean type\?$/)
  const too = problemOf({ too: { id: 'u1' }, type: 'comment' })
  assert.match(too.errors[0]!.detail, /^This field is required\. #\/too: .* Did you mean to\?$/)
  assert.equal(problemOf({ type: 'comment' }).errors[0]!.detail, 'This field is required.')
})

test('cuts the name of a long unknown field in the warning', () => {
  const { warnings } = send({ ['ü'.repeat(10_000)]: 1, colour: 'red' })
  assert.deepEqual(
    warnings.map(text => text.length < 300),
    [true, true]
  )
  assert.match(warnings[0]!, /^#\/(?:%C3%BC)+.*…: unknown field/)
  assert.equal(warnings[1], '#/colour: unknown field, ignored.')
})
