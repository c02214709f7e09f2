// Mark-up of in-app templates: what it is, and that a value never becomes mark-up, whatever the template does with it.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'

import type { TextRun } from '#protocol'

import { createRenderer } from '../../../server/types/templates/render.ts'
import { startCpuTimer } from '../../support/cpu-time.ts'

const renderer = createRenderer({ renderTimeoutMs: 200 })
after(() => renderer.close())

type Data = Readonly<Record<string, unknown>>

async function render(title: string, data: Data = {}, replace = {}, isTemplate = true) {
  const rendered = await renderer.render({
    channel: 'INAPP_WEB',
    content: { title },
    data,
    envId: 'e',
    isTemplate,
    replace
  })
  if (!rendered.ok) throw new Error(rendered.detail)
  return { runs: rendered.runs?.['title'], title: rendered.fields['title']! }
}

/** Runs as `[text, styles]`. */
const brief = (runs: readonly TextRun[] = []): (readonly string[])[] =>
  runs.map(({ text, href, ...styles }) => [
    text,
    ...Object.keys(styles).sort(),
    ...(href === undefined ? [] : [href])
  ])

const EVIL = '<i>**`[x](https://evil.example)`**</i>'

test('reads the mark-up of a template, and its values as text', async () => {
  for (const [template, ...expected] of [
    ['<b>{{ v }}</b> commented', [EVIL, 'bold'], [' commented']],
    ['**{{ v }}** on `{{ v }}`', [EVIL, 'bold'], [' on '], [EVIL, 'code']],
    [
      '<STRONG class="{{ v }}">a</STRONG><em>b</em><i>c</i><u>d</u><s>e</s><code>f</code>',
      ['a', 'bold'],
      ['bc', 'italic'],
      ['d', 'underline'],
      ['e', 'strike'],
      ['f', 'code']
    ],
    ['a<br>b<br/><br />c', ['a'], ['\n', 'break'], ['b'], ['\n', 'break'], ['\n', 'break'], ['c']],
    [
      '**a <i>b</i> `c`** d',
      ['a ', 'bold'],
      ['b', 'bold', 'italic'],
      [' ', 'bold'],
      ['c', 'bold', 'code'],
      [' d']
    ],
    [
      '[Open **{{ v }}**](https://a.example/{{ n }})',
      ['Open ', 'https://a.example/7'],
      [EVIL, 'bold', 'https://a.example/7']
    ],
    ['<a class="x" href="{{ url }}?a=1&amp;b=2">{{ v }}</a>.', [EVIL, '/x?a=1&b=2'], ['.']],
    ["<a href='mailto:a@b.example'>a</a> <a href=/b>b</a>", ['a', 'mailto:a@b.example'], [' '], ['b', '/b']],
    [
      '{% for p in people %}<b>{{ p }}</b>{% unless forloop.last %}, {% endunless %}{% endfor %} came',
      ['Ann', 'bold'],
      [', '],
      ['<b>Bob', 'bold'],
      [' came']
    ],
    ['<a href="{% if n %}/a{% else %}/b{% endif %}">t</a>', ['t', '/a']],
    ['{% capture c %}<b>{{ v }}</b>{% endcapture %}{{ c }}', [EVIL, 'bold']],
    ['<b>1 &lt; 2 &amp; 3</b> &nope; &#123;{ v }}', ['1 < 2 & 3', 'bold'], [' &nope; {{ v }}']],
    ['<b>a<b>b</b>c</b>d</b>e', ['abc', 'bold'], ['de']],
    ['a <i>b', ['a '], ['b', 'italic']],
    ['{% if nothing %}<b>{% endif %}a</b> <u>b</u>', ['a '], ['b', 'underline']],
    ['{% raw %}<b>{{ v }}</b>{% endraw %} <u>x</u>', ['<b>{{ v }}</b> '], ['x', 'underline']],
    ['{{ "}} <b>" }}<u>x</u>', ['}} <b>'], ['x', 'underline']]
  ] as const) {
    const { runs, title } = await render(template, {
      n: 7,
      people: ['Ann', '<b>Bob'],
      url: '/x',
      v: EVIL
    })
    assert.deepEqual(brief(runs), expected, template)
    assert.equal(title, expected.map(([text]) => text).join(''), template)
  }
})

test('has no runs without mark-up, and leaves other signs as they are', async () => {
  for (const template of [
    'Plain & simple {{ n }}',
    '5 ** 3 ** 2, a*b, `one, [x](y), [x], <name>, a < b > c',
    '<script>hit()</script><img src=x onerror=hit()><p>{{ n }}</p>',
    '[x](javascript:hit()) [x](//evil.example) [x](https://a b)',
    '{<b>{ n }}</b>'
  ]) {
    const { runs, title } = await render(template, { n: 7 })
    assert.equal(runs, undefined, template)
    assert.equal(title, template.replace('{{ n }}', '7'), template)
  }
})

test('inline content is plain text', async () => {
  const template = '<b>{{ v }}</b> **x**'
  assert.deepEqual(await render(template, { v: 'a' }, {}, false), {
    runs: undefined,
    title: '<b>a</b> **x**'
  })
})

test('has only links that the rules for links allow', async () => {
  for (const href of [
    'javascript:hit()',
    ' java\nscript:hit()',
    'data:text/html,<script>hit()</script>',
    'https://bank.example@evil.example',
    '//evil.example',
    '/\\evil.example',
    'vbscript:x',
    ''
  ]) {
    for (const template of ['<a href="{{ href }}">go</a> <b>x</b>', '[go]({{ href }}) <b>x</b>']) {
      assert.deepEqual(brief((await render(template, { href })).runs), [['go '], ['x', 'bold']], href)
    }
  }
  const { runs } = await render('<a href="java{{ x }}script:hit()">go</a> <b>x</b>', { x: '' })
  assert.deepEqual(brief(runs), [['go '], ['x', 'bold']])
})

test('applies replacements to texts and addresses, as text', async () => {
  const { runs } = await render(
    '<b>NAME</b> <a href="https://HOST/">x</a>',
    {},
    {
      '</b>': 'never',
      HOST: 'a.example',
      NAME: '<i>Ann</i>'
    }
  )
  assert.deepEqual(brief(runs), [['<i>Ann</i>', 'bold'], [' '], ['x', 'https://a.example/']])
})

/** What each of these makes of a value is text. */
const FILTERS =
  `upcase downcase capitalize escape escape_once raw strip_html newline_to_br url_decode url_encode base64_decode
  base64_encode reverse strip squish size first last sort uniq json join:v split:v append:v prepend:v replace:v,w
  remove_first:w truncate:9,v slice:1,40 default:v`.split(/\s+/)
const VALUES = [
  EVIL,
  '<b>x</b>',
  '<script>hit()</script>',
  '**x**',
  '{{ w }}<b>',
  '%3Cb%3E%EF%B7%91x',
  'PGI+eDwvYj4=',
  '&lt;b&gt;x',
  // The noncharacters of which markers consist.
  ...Array.from({ length: 16 }, (_, i) => `\uFDD1${String.fromCharCode(0xfde0 + i).repeat(16)}x`),
  '\uFDD0\uFDD1\uFDEFx'
]

test('a value never becomes mark-up, through filters, assignments and captures', async () => {
  let count = 0
  for (const filter of FILTERS) {
    const [name, args] = filter.split(':')
    const piped = `v | ${name}${args ? `: ${args}` : ''}`
    const template = `<u>x</u>{{ ${piped} }}{% assign a = ${piped} %}{{ a }}{% capture c %}{{ a }}{{ v }}{% endcapture %}{{ c | raw }}{% echo v %}{% cycle v, w %}`
    for (const v of VALUES) {
      // Not every value can be decoded.
      const { runs } = await render(template, { v, w: '<i>' }).catch((error: Error) => {
        assert.match(error.message, /URI malformed|invalid base64/)
        return { runs: undefined }
      })
      if (!runs) continue
      count += 1
      const [marked, ...others] = brief(runs)
      assert.deepEqual([marked, others.length], [['x', 'underline'], 1], `${filter} ${v}`)
      assert.equal(others[0]!.length, 1, `${filter} ${v}`)
    }
  }
  assert.ok(count > 0.8 * FILTERS.length * VALUES.length)
})

test('the markers of a template do not appear in its text, whatever a filter cuts', async () => {
  for (const filter of [
    'truncate: 9',
    'split: "" | join: "-"',
    'slice: 3, 12',
    'reverse',
    'upcase',
    'replace: v, w'
  ]) {
    const template = `{% capture c %}<b>{{ v }}</b>{% endcapture %}{{ c | ${filter} }}<u>x</u>`
    const { title } = await render(template, { v: 'a', w: '\uFDE0' })
    assert.doesNotMatch(title, /[\uFDD0-\uFDEF]/, filter)
  }
})

test('limits marks, runs and bytes: a text with more is plain', async () => {
  const names = (count: number, name = 'x') => ({ list: Array.from({ length: count }, () => name) })
  const loop = '{% for n in list %}<b>{{ n }}</b>,{% endfor %}'
  assert.equal((await render(loop, names(50))).runs?.length, 100)
  assert.deepEqual(await render(loop, names(51)), { runs: undefined, title: 'x,'.repeat(51) })
  assert.equal((await render('<b>{{ n }}</b> x', { n: 'é'.repeat(8_000) })).runs?.length, 2)
  assert.equal((await render('<b>{{ n }}</b> x', { n: 'é'.repeat(8_192) })).runs, undefined)
  assert.equal((await render('<b>x</b>'.repeat(50))).runs?.length, 1)
  const many = '<b>x</b>'.repeat(51)
  assert.deepEqual(await render(many), { runs: undefined, title: many })
})

test('reads long hostile templates in little time', async () => {
  for (const part of [
    '**a ',
    '[a](',
    '<a ',
    '<a href="',
    '`',
    '[',
    '&a',
    '** **a',
    '<b',
    '{% raw %}',
    '{{ "'
  ]) {
    const body = part.repeat(20_000 / part.length)
    const elapsedMs = startCpuTimer()
    const content = { body, title: 'x' }
    await renderer.render({
      channel: 'INAPP_WEB',
      content,
      data: {},
      envId: 'e',
      isTemplate: true,
      replace: {}
    })
    assert.ok(elapsedMs() < 1_000, part)
  }
})
