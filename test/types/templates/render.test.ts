// The features of templates, and the kinds of fields.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'

import type { Channel } from '#protocol'

import { contentSchemas, templateSchemas } from '../../../server/types/templates/content.ts'
import { createRenderer, type RenderInput } from '../../../server/types/templates/render.ts'
import { startCpuTimer } from '../../support/cpu-time.ts'

const renderer = createRenderer({ renderTimeoutMs: 200 })
after(() => renderer.close())

const render = (channel: Channel, content: RenderInput['content'], data = {}, replace = {}) =>
  renderer.render({ channel, content, data, envId: 'e', replace })

async function fieldsOf(...input: Parameters<typeof render>): Promise<Readonly<Record<string, string>>> {
  const rendered = await render(...input)
  assert.ok(rendered.ok, JSON.stringify(rendered))
  return rendered.fields
}

const DATA = {
  _items: [{ name: 'A' }, { name: 'B' }],
  alerts: [{ title: 'Flood' }, { title: 'Storm' }],
  firstName: ' ann ',
  n: 3,
  nothing: null,
  parameters: { firstName: ' ann ' },
  price: 12.5,
  user: { email: 'ann@example.com', id: 'u1' },
  when: '2026-11-20T23:30:00Z',
  where: '2026-11-20T23:30:00+05:30'
}

test('renders every documented construct', async () => {
  for (const [template, expected] of [
    ['{{ firstName | strip | capitalize }}', 'Ann'],
    ['{{ firstName | capitalize | strip }}', 'ann'],
    ['{{ parameters.firstName | strip }}', 'ann'],
    ['{{ user.id }} {{ user.email }} {{ user.number }}', 'u1 ann@example.com '],
    ['{{ alerts[0].title }}', 'Flood'],
    ['{{ alerts.first.title }} {{ alerts.last.title }} {{ alerts.size }}', 'Flood Storm 2'],
    ['{% if alerts.size>1 %}many{% elsif alerts.size == 1 %}one{% else %}none{% endif %}', 'many'],
    ['{% unless nothing %}nothing{% endunless %}', 'nothing'],
    ['{% case n %}{% when 1, 2 %}few{% when 3 %}three{% else %}?{% endcase %}', 'three'],
    [
      '{% for a in alerts %}{{ forloop.index }}. {{ a.title }}{% unless forloop.last %}, {% endunless %}{% endfor %}',
      '1. Flood, 2. Storm'
    ],
    ['{% for a in alerts limit: 1 %}{{ a.title }}{% else %}none{% endfor %}', 'Flood'],
    ['{% for a in nothing %}{{ a }}{% else %}none{% endfor %}', 'none'],
    ['{% for i in (1..n) %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}{% endfor %}', '13'],
    ['{% for i in _items %}{{ i.name }}{% endfor %}', 'AB'],
    ['{% assign x = n | plus: 4 %}{{ x }}{% capture y %}<{{ x }}>{% endcapture %}{{ y }}', '7<7>'],
    ['{% raw %}{{ not }}{% endraw %}{% comment %}gone{% endcomment %}{% # gone too %}', '{{ not }}'],
    ['{% cycle "a", "b" %}{% cycle "a", "b" %}{% increment i %}{% increment i %}{% decrement d %}', 'ab01-1'],
    ['{% liquid\nassign x = 1\necho x %}', '1'],
    ['{{ "abcdefgh" | truncate: 5 }} {{ "a b c d" | truncatewords: 2 }}', 'ab... a b...'],
    ['{{ "a-b-c" | replace: "-", "+" | upcase | downcase | size }}', '5'],
    ['{{ when | date: "%Y-%m-%d %H:%M" }}', '2026-11-20 23:30'],
    ['{{ where | date: "%H:%M" }}', '23:30'],
    ['{{ when | date: "%H:%M", "America/New_York" }}', '18:30'],
    ['{{ 1763681400 | date: "%Y" }} {{ "now" | date: "%Y" | size }}', '2025 4'],
    [
      '{{ price | times: 2 | round }} {{ 8 | divided_by: 2 }} {{ 7 | modulo: 4 }} {{ n | at_most: 2 }}',
      '25 4 3 2'
    ],
    [
      '{{ alerts | map: "title" | sort | join: "; " }} {{ alerts | where: "title", "Storm" | size }}',
      'Flood; Storm 1'
    ],
    ['{{ missing }}{{ missing.deeper }}{{ missing | default: "friend" }}', 'friend'],
    ['{{ "a b&c" | url_encode }} {{ "<b>" | escape }} {{ "<b>x</b>" | strip_html }}', 'a+b%26c &lt;b&gt; x'],
    ['a {{- " b " -}} c', 'a b c']
  ] as const) {
    assert.equal((await fieldsOf('SMS', { message: template }, DATA))['message'], expected, template)
  }
})

test('escapes values in the HTML of an email, and nowhere else', async () => {
  const fields = await fieldsOf(
    'EMAIL',
    {
      html: '<p title="{{ x }}">{{ x }} {{ x | raw }} {% for i in list %}{{ i }}{% endfor %} {{ x | escape }}</p>',
      previewText: '{{ x }}',
      senderEmail: '{{ from }}',
      senderName: 'Team {{ x }}',
      subject: '{{ x }}',
      text: '{{ x }}'
    },
    { from: 'a@example.com', list: ['<i>'], x: `<b>"'&` }
  )
  const safe = '&lt;b&gt;&#34;&#39;&amp;'
  assert.deepEqual(fields, {
    html: `<p title="${safe}">${safe} <b>"'& &lt;i&gt; ${safe.replaceAll('&', '&amp;')}</p>`,
    previewText: `<b>"'&`,
    senderEmail: 'a@example.com',
    senderName: `Team <b>"'&`,
    subject: `<b>"'&`,
    text: `<b>"'&`
  })
})

test('renders in-app fields as plain text, and leaves out empty optional ones', async () => {
  assert.deepEqual(
    await fieldsOf(
      'INAPP_WEB',
      { body: '{{ b }}', imageURL: '{{ i }}', redirectURL: '{{ u }}', title: '{{ t }}' },
      { t: '<b>\nx' }
    ),
    { title: '<b>\nx' }
  )
  assert.deepEqual(await fieldsOf('INAPP_WEB', { title: '{{ t }}' }), { title: '' })
})

test('removes characters that the database cannot store', async () => {
  const message = '{{ "a%00b" | url_decode }}{% assign parts = "😀" | split: "" %}{{ parts[0] }}'
  assert.equal((await fieldsOf('SMS', { message }))['message'], 'ab\u{FFFD}')
})

test('replaces line breaks of parameters in headers', async () => {
  const evil = 'Hello\r\nBcc: evil@example.com\0\u2028x'
  const content = { html: 'x', senderName: '{{ e }}', subject: '{{ e }}' }
  const { subject, senderName } = await fieldsOf('EMAIL', content, { e: evil })
  assert.equal(subject, 'Hello Bcc: evil@example.com x')
  assert.equal(senderName, 'Hello Bcc: evil@example.com x')
  for (const e of ['a@b.example\r\nBcc: c@d.example', 'a@b.example, c@d.example', '<a@b.example>', 'none']) {
    const rendered = await render('EMAIL', { html: 'x', senderEmail: '{{ e }}', subject: 's' }, { e })
    assert.ok(!rendered.ok && rendered.field === 'senderEmail', e)
  }
})

const SAFE = [
  'https://example.com/a?b=1&c=%20#d',
  'HTTP://EXAMPLE.COM',
  'mailto:ann@example.com?subject=x',
  '/inbox/1',
  '/',
  '?page=2',
  '#top',
  '/über/uns',
  'https://例え.jp/'
]
const UNSAFE = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java script:alert(1)',
  '\u0001javascript:alert(1)',
  '\u200bjavascript:alert(1)',
  'vbscript:x',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'blob:https://example.com/x',
  'ftp://example.com',
  'https://bank.example@evil.example/',
  'https://user:password@evil.example/',
  '//evil.example',
  '//site.invalid/x',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  'https:evil.example',
  'https:///evil.example',
  'https://',
  'http://[',
  'www.example.com',
  'inbox/1',
  '/a\nb',
  `/${'a'.repeat(5_000)}`
]

test('accepts http(s), mailto and paths of the same site as links, static or rendered', async () => {
  const content = { redirectURL: '{{ url }}', title: 't' }
  for (const url of SAFE) {
    assert.equal((await fieldsOf('INAPP_WEB', content, { url }))['redirectURL'], url)
    assert.ok(contentSchemas.INAPP_WEB.safeParse({ title: 't', url }).success, url)
  }
  for (const url of UNSAFE) {
    const rendered = await render('INAPP_WEB', content, { url })
    assert.ok(!rendered.ok && rendered.field === 'redirectURL', `${url} ${JSON.stringify(rendered)}`)
    assert.ok(!contentSchemas.INAPP_WEB.safeParse({ title: 't', url }).success, url)
    assert.ok(!templateSchemas.WEB_PUSH.safeParse({ message: 'm', title: 't', url }).success, url)
  }
  const picture = await render(
    'INAPP_WEB',
    { imageURL: '{{ url }}', title: 't' },
    { url: 'mailto:a@b.example' }
  )
  assert.ok(!picture.ok && picture.field === 'imageURL')
  // Parts that are dangerous only together.
  const joined = await render('INAPP_WEB', { redirectURL: 'java{{ x }}', title: 't' }, { x: 'script:1' })
  assert.equal(joined.ok, false)
  const spaced = { redirectURL: ' /find?name={{ name }} ', title: 't' }
  assert.equal(
    (await fieldsOf('INAPP_WEB', spaced, { name: 'Ann Lee' }))['redirectURL'],
    '/find?name=Ann%20Lee'
  )
})

test('renders texts in lists and objects under names with dots', async () => {
  const content = contentSchemas.SMS.parse({
    autoReply: { message: 'Bye {{ n }}' },
    mediaUrls: ['https://a.example/{{ n }}.png'],
    message: 'Hi {{ n }}'
  })
  assert.deepEqual(await fieldsOf('SMS', content, { n: 1 }), {
    'autoReply.message': 'Bye 1',
    'mediaUrls.0': 'https://a.example/1.png',
    message: 'Hi 1'
  })
  const media = await render('SMS', { mediaUrls: ['{{ x }}'] }, { x: 'javascript:1' })
  assert.ok(!media.ok && media.field === 'mediaUrls.0')
})

test('supports the unsubscribe tag of the hosted product', async () => {
  for (const tag of ['{{notificationapi:unsubscribe_url}}', '{{ notificationapi:unsubscribe_url }}']) {
    const content = { html: `<a href="${tag}">x</a>`, subject: 's' }
    const { html } = await fieldsOf('EMAIL', content, { _unsubscribe_url: '/u?a&b' })
    assert.equal(html, '<a href="/u?a&amp;b">x</a>')
  }
})

test('replaces after rendering, once, longest key first', async () => {
  const message = async (text: string, replace: Record<string, string>, data = {}) =>
    (await fieldsOf('SMS', { message: text }, data, replace))['message']
  assert.equal(await message('a', { a: 'aa' }), 'aa')
  assert.equal(await message('ab', { a: 'b', b: 'a' }), 'ba')
  assert.equal(await message('Foo foo FooBar', { Foo: '1', FooBar: '2' }), '1 foo 2')
  assert.equal(
    await message('{{ x }} $&', { $: 'USD', Ann: "$& $1 $' $$" }, { x: 'Ann' }),
    "$& $1 $' $$ USD&"
  )
  assert.equal(await message('.* a.c abc', { '.*': 'x', 'a.c': 'y' }), 'x y abc')
  assert.equal(await message('abc', { '': 'x', ab: '' }), 'c')
  assert.equal(await message('{{ x }}', { x: 'y' }, { x: '{{ x }}' }), '{{ y }}')
  assert.equal(await message('constructor __proto__', JSON.parse('{"__proto__":"p"}') as {}), 'constructor p')

  const { html, subject } = await fieldsOf(
    'EMAIL',
    { html: '<p class="old">Old & <b>{{ x }}</b></p>', subject: 'Old {{ x }}' },
    { x: 'A & B' },
    { 'A & B': '<script>', Old: 'N&w' }
  )
  assert.equal(html, '<p class="old">N&amp;w & <b>&lt;script&gt;</b></p>')
  assert.equal(subject, 'N&w <script>')
  // A link is checked after replacements.
  const content = { redirectURL: 'https://x.example', title: 't' }
  const link = await render('INAPP_WEB', content, {}, { https: 'javascript' })
  assert.ok(!link.ok && link.field === 'redirectURL')
})

test('limits many, long and malicious replacements', async () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key${i};`, `key${i + 1};`]))
  const text = Array.from({ length: 1000 }, (_, i) => `key${i};`).join('')
  const cpuMs = startCpuTimer()
  const expected = `${text.slice('key0;'.length)}key1000;`
  assert.equal((await fieldsOf('SMS', { message: text }, {}, many))['message'], expected)
  assert.ok(cpuMs() < 500)

  const message = 'a'.repeat(20_000)
  assert.deepEqual(await render('SMS', { message }, {}, { a: 'b'.repeat(1000) }), {
    detail: 'The text with replacements exceeds 1000000 bytes.',
    field: 'message',
    ok: false
  })
  assert.deepEqual(await render('SMS', { message }, {}, { [`${'a'.repeat(19_000)}b`]: 'x' }), {
    detail: 'The replacements take too long.',
    field: 'message',
    ok: false
  })
})

test('limits the size of a rendered field', async () => {
  const of = (x: string) => render('SMS', { message: '{{ x }}' }, { x })
  assert.equal((await of('a'.repeat(1_000_000))).ok, true)
  assert.equal((await of('a'.repeat(1_000_001))).ok, false)
  const bytes = await of('ä'.repeat(600_000))
  assert.ok(!bytes.ok && bytes.detail === 'The output exceeds 1000000 bytes.')
})

test('names field, line and column of a fault', async () => {
  assert.deepEqual(
    renderer.check('EMAIL', { html: '<p>\n  {{ a | b }}', subject: '{% if a %}', text: 'fine' }),
    [
      { detail: 'Line 2, column 3: there is no filter "b".', field: 'html' },
      { detail: 'Line 1, column 1: tag {% if a %} not closed.', field: 'subject' }
    ]
  )
  assert.deepEqual(renderer.check('EMAIL', { html: '{{ a }}', subject: 'x' }), [])
  assert.deepEqual(await render('EMAIL', { html: 'x', subject: '{{ a' }), {
    detail: 'Line 1, column 1: output "{{ a" not closed.',
    field: 'subject',
    ok: false
  })
})
