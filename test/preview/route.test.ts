// Previews on a real server and database: they match a real send, and write nothing.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import {
  asAdmin,
  asBackEnd,
  asUser,
  basic,
  CLIENT,
  contents,
  OTHER,
  OTHER_SECRET,
  startApp,
  type TestApp
} from '../security/app.ts'

interface Preview {
  channel: string
  template: string
  fields: Record<string, string>
  bytes: Record<string, number>
  segments?: { count: number; encoding: string }
  missing: string[]
  warnings: string[]
  problem?: { field?: string; detail: string }
}

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

const call = async (method: string, path: string, body?: unknown, headers = asBackEnd) =>
  app.ask(`/${CLIENT}${path}`, { headers, method, ...(body !== undefined && { body: JSON.stringify(body) }) })

async function previews(path: string, body?: unknown): Promise<Record<string, Preview>> {
  const { json, status, text } = await call('POST', `/notifications/${path}/preview`, body)
  assert.equal(status, 200, text)
  return Object.fromEntries((json['previews'] as Preview[]).map(one => [one.channel, one]))
}

const TEMPLATES = {
  'EMAIL/short': { subject: 'Short', text: 'Short' },
  call: { message: 'Hello {{ name }}' },
  email: {
    html: '<p>{{ text }}</p><a href="{{ url }}">Open</a>',
    previewText: 'Hi',
    subject: '{{ name }} wrote'
  },
  inapp: { redirectURL: '/c/{{ id }}', title: '{{ name }} wrote' },
  mobile_push: { message: '{{ text }}', title: '{{ name }}' },
  sms: { message: '{{ name }}: {{ text }}' },
  web_push: { message: '{{ text }}', title: '{{ name }}', url: '/c' }
}
const DATA = { id: 7, name: 'Ann', text: 'A < B', url: 'https://example.com/c' }

test('renders and measures every channel, and writes nothing', async () => {
  await call('PUT', '/notifications/note', { templates: TEMPLATES })
  const before = await contents(app)
  const shown = await previews('note', { parameters: DATA })
  assert.deepEqual(await contents(app), before)
  assert.deepEqual(Object.keys(shown).sort(), ['CALL', 'EMAIL', 'INAPP_WEB', 'PUSH', 'SMS', 'WEB_PUSH'])
  for (const one of Object.values(shown)) {
    assert.deepEqual(
      [one.template, one.missing, one.warnings, one.problem],
      ['', [], [], undefined],
      one.channel
    )
  }
  const { CALL, EMAIL, INAPP_WEB, PUSH, SMS, WEB_PUSH } = shown as Record<string, Preview>
  assert.deepEqual(INAPP_WEB!.fields, { redirectURL: '/c/7', title: 'Ann wrote' })
  assert.equal(CALL!.fields['message'], 'Hello Ann')
  assert.equal(EMAIL!.fields['subject'], 'Ann wrote')
  assert.match(EMAIL!.fields['html']!, /^<!doctype html>[^]*display:none[^]*<p>A &lt; B<\/p>/)
  assert.equal(EMAIL!.fields['text'], 'A < B\n\nOpen (https://example.com/c)')
  assert.equal(EMAIL!.bytes['html'], Buffer.byteLength(EMAIL!.fields['html']!))
  assert.ok(EMAIL!.bytes['mail']! > EMAIL!.bytes['html']! + EMAIL!.bytes['text']!)
  assert.deepEqual(SMS!.segments, { count: 1, encoding: 'GSM-7' })
  assert.deepEqual(Object.keys(PUSH!.bytes), ['apn', 'fcm'])
  assert.ok(PUSH!.bytes['apn']! > 30 && PUSH!.bytes['fcm']! > PUSH!.bytes['apn']!)
  assert.ok(WEB_PUSH!.bytes['payload']! > 60)
})

test('a preview equals the result of the send', async () => {
  await call('PUT', '/notifications/note', { templates: TEMPLATES })
  const to = { email: 'ann@example.com', id: 'ann' }
  const replace = { Open: 'Opened' }
  const { EMAIL } = await previews('note', { channels: ['EMAIL'], parameters: DATA, replace, to })
  const sent = await call('POST', '/sender', {
    forceChannels: ['EMAIL'],
    parameters: DATA,
    replace,
    to,
    type: 'note'
  })
  assert.equal(sent.status, 200, sent.text)
  const deadline = Date.now() + 10_000
  let mail: Record<string, unknown> | undefined
  while (!mail && Date.now() < deadline) {
    const { json } = await call('GET', '/sandbox/messages')
    mail = (json['messages'] as Record<string, unknown>[])[0]
  }
  assert.equal(mail?.['subject'], EMAIL!.fields['subject'])
  assert.equal(mail?.['html'], EMAIL!.fields['html'])
  assert.equal(mail?.['text'], EMAIL!.fields['text'])
})

test('takes the time zone from the body, the user, the environment or the installation', async () => {
  const templates = { sms: { message: '{{ at | date: "%H:%M" }} {{ user.timezone }}' } }
  const shown = async (to?: object) => {
    const { SMS } = await previews('when', { parameters: { at: '2026-01-02T10:00:00Z' }, templates, to })
    return SMS!.fields['message']
  }
  assert.equal(await shown(), '10:00 UTC')
  const changed = await app.ask(`/environments/${CLIENT}`, {
    body: '{"defaultTimezone": "Asia/Tokyo"}',
    headers: asAdmin,
    method: 'PATCH'
  })
  assert.equal(changed.status, 200)
  await call('POST', '/users/traveller', { timezone: 'Europe/Berlin' })
  assert.equal(await shown(), '19:00 Asia/Tokyo')
  assert.equal(await shown({ id: 'nobody' }), '19:00 Asia/Tokyo')
  assert.equal(await shown({ id: 'traveller' }), '11:00 Europe/Berlin')
  assert.equal(await shown({ id: 'traveller', timezone: 'Asia/Kolkata' }), '15:30 Asia/Kolkata')
})

test('names variables without a value, also of an unsaved template', async () => {
  const body = {
    parameters: { name: 'Ann' },
    templates: { sms: { message: '{{ name }} {{ order.id }} {{ user.id }}' } }
  }
  const { SMS } = await previews('never-saved', body)
  assert.deepEqual(SMS!.missing, ['order.id'])
  assert.equal(SMS!.fields['message'], 'Ann  user')
  assert.equal((await call('GET', '/notifications/never-saved')).status, 404)
})

test('uses the template with the id, or the default one', async () => {
  await call('PUT', '/notifications/note', { templates: TEMPLATES })
  const body = { channels: ['EMAIL', 'SMS', 'SLACK'], parameters: DATA, templateId: 'short' }
  const { json } = await call('POST', '/notifications/note/preview', body)
  assert.deepEqual(
    (json['previews'] as Preview[]).map(({ channel, template }) => [channel, template]),
    [
      ['EMAIL', 'short'],
      ['SMS', '']
    ]
  )
  assert.deepEqual(json['messages'], [
    'SMS: the template "short" does not exist, so the default template is used.',
    'SLACK: the default template does not exist.'
  ])
})

test('reports limits, and what is cut at them', async () => {
  const long = 'é'.repeat(8000)
  const templates = {
    call: { message: '{{ none }}' },
    email: { html: '<a href="{{ url }}">x</a>{{ long }}', subject: '{{ none }}' },
    inapp: { redirectURL: '{{ url }}', title: 'x' },
    mobile_push: { message: '{{ long }}', title: 'x' },
    sms: { message: '{{ thai }}' },
    web_push: { message: '{{ long }}', title: 'x' }
  }
  const parameters = { long: long.repeat(8), thai: 'ก'.repeat(80), url: 'javascript:x()' }
  const shown = await previews('limits', { parameters, templates })
  assert.deepEqual(shown['CALL']!.problem, { detail: 'The text of the call is empty.', field: 'message' })
  assert.match(
    shown['EMAIL']!.warnings.join('\n'),
    /^The subject is empty\.\nGmail cuts[^]*is removed\. Line 1, column 9/
  )
  assert.ok(shown['EMAIL']!.fields['html']!.includes('<a href="#">'))
  assert.equal(shown['INAPP_WEB']!.problem?.field, 'redirectURL')
  assert.deepEqual(shown['SMS']!.segments, { count: 2, encoding: 'UCS-2' })
  assert.match(shown['SMS']!.warnings[0]!, /^"ก" is not in GSM-7/)
  assert.match(
    shown['PUSH']!.warnings.join('\n'),
    /^APN: the text is cut to \d+[^]*\nFCM: the text is cut to \d+/
  )
  for (const [bytes, limit] of [
    [shown['PUSH']!.bytes['apn']!, 2048],
    [shown['PUSH']!.bytes['fcm']!, 4096],
    [shown['WEB_PUSH']!.bytes['payload']!, 3993]
  ] as const) {
    assert.ok(bytes > limit - 9 && bytes <= limit, `${bytes} of ${limit}`)
  }
  const many = await previews('limits', { templates: { sms: { message: 'x'.repeat(20_000) } } })
  assert.match(many['SMS']!.problem!.detail, /^The message has 131 segments; at most \d+ are allowed\.$/)
})

test('previews the data of a real send in all languages of the templates', async () => {
  const title = 'To {{ user.id }}: {{ name }}'
  await call('PUT', '/notifications/real', {
    templates: {
      inapp: { title },
      'inapp/other': { title },
      'inapp@de': { title: 'An {{ user.id }}: {{ name }}' },
      sms: { message: title }
    }
  })
  const sent = await call('POST', '/sender', {
    parameters: { name: 'Ann' },
    to: { id: 'reader', locale: 'de' },
    type: 'real'
  })
  const { trackingId } = sent.json as { trackingId: string }
  const ask = async (body: object) => {
    const { json, status, text } = await call('POST', '/notifications/real/preview', body)
    assert.equal(status, 200, text)
    return (json['previews'] as (Preview & { locale?: string })[]).map(one => [
      one.channel,
      one.locale,
      one.template,
      one.fields['title'] ?? one.fields['message']
    ])
  }
  assert.deepEqual(await ask({ locales: 'all', trackingId }), [
    ['INAPP_WEB', undefined, '', 'To reader: Ann'],
    ['INAPP_WEB', 'de', '@de', 'An reader: Ann'],
    ['SMS', undefined, '', 'To reader: Ann']
  ])
  assert.deepEqual(
    await ask({ channels: ['INAPP_WEB'], locales: ['de', 'fr'], parameters: { name: 'Bo' }, trackingId }),
    [
      ['INAPP_WEB', 'de', '@de', 'An reader: Bo'],
      ['INAPP_WEB', 'fr', '', 'To reader: Bo']
    ]
  )
  const other = await app.ask(`/${OTHER}/notifications/real/preview`, {
    body: JSON.stringify({ templates: { inapp: { title } }, trackingId }),
    headers: basic(`${OTHER}:${OTHER_SECRET}`),
    method: 'POST'
  })
  assert.equal(other.status, 422, other.text)
  assert.match(other.text, /#\/trackingId/)
})

test('refuses wrong fields with their pointers, and calls of end users', async () => {
  const wrong = await call('POST', '/notifications/x/preview', {
    templates: { sms: { message: 'a\n{{ b | c }}' } }
  })
  assert.equal(wrong.status, 422)
  assert.deepEqual(wrong.json['errors'], [
    {
      column: 1,
      detail: 'Line 2, column 1: there is no filter "c".',
      line: 2,
      pointer: '#/templates/sms/message'
    }
  ])
  const unknown = await call('POST', '/notifications/x/preview', { chanels: [] })
  assert.deepEqual(unknown.json['errors'], [
    { detail: 'Unknown field. Check its spelling, or remove it.', pointer: '#/chanels' }
  ])
  assert.equal((await call('POST', '/notifications/nothing/preview')).status, 404)
  assert.equal(
    (await call('POST', '/notifications/note/preview', {}, asUser('u') as typeof asBackEnd)).status,
    401
  )
})
