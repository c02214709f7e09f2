// Templates and parameters that try to run code, to stop the process or to use up its memory. Each ends soon with an error or
// harmless text, and later templates are rendered.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'

import { createRenderPool } from '../../../server/types/templates/render-pool.ts'
import { createRenderer, type Rendered } from '../../../server/types/templates/render.ts'
import { startCpuTimer } from '../../support/cpu-time.ts'

const MILLIS = 200
const renderer = createRenderer({ renderTimeoutMs: MILLIS })
after(() => renderer.close())

type Data = Readonly<Record<string, unknown>>

const inText = (title: string, data: Data = {}): Promise<Rendered> =>
  renderer.render({ channel: 'INAPP_WEB', content: { title }, data, envId: 'e', replace: {} })

const titleOf = async (template: string, data: Data = {}): Promise<string> => {
  const rendered = await inText(template, data)
  assert.ok(rendered.ok, JSON.stringify(rendered))
  return rendered.fields['title']!
}

const detailOf = async (template: string, data: Data = {}): Promise<string> => {
  const rendered = await inText(template, data)
  assert.ok(!rendered.ok, `rendered: ${JSON.stringify(rendered).slice(0, 200)}`)
  return rendered.detail
}

test('gives templates no access to JavaScript', async () => {
  const data = JSON.parse('{"u":{"name":"Ann"},"a":[{"x":1}],"t":"text","n":1}') as Data
  for (const path of [
    'constructor',
    'constructor.constructor',
    '__proto__',
    'u.constructor.name',
    'u.__proto__.toString',
    'u["constructor"]["prototype"]',
    't.constructor',
    't.length.constructor',
    'a.constructor',
    'a[0].__proto__',
    'n.constructor',
    'globalThis',
    'process.env',
    'this',
    'self.process',
    'require',
    'u.toString',
    'a.map',
    "a | map: 'constructor' | first",
    "a | where: '__proto__' | first",
    "a | find: 'constructor', 'x'"
  ]) {
    assert.equal(await titleOf(`{{ ${path} }}`, data), '', path)
  }
  // A value that looks like a template stays text.
  assert.equal(
    await titleOf('{{ x }}', { x: '{{ 7 | times: 7 }}{% for i in (1..9) %}' }),
    '{{ 7 | times: 7 }}{% for i in (1..9) %}'
  )
})

test('does not change its data or the process', async () => {
  const data = { hits: 1, list: [3, 1, 2], user: { id: 'u' } }
  const before = structuredClone(data)
  const template =
    '{% increment hits %}{% assign user = "x" %}{% assign __proto__ = "p" %}{% capture constructor %}c{% endcapture %}' +
    '{% increment __proto__ %}{{ list | reverse | join }}'
  for (const text of [template, `${template}{% for i in list %}{% assign x = i %}{% endfor %}`]) {
    await titleOf(text, data)
  }
  assert.deepEqual(data, before)
  assert.equal(({} as Data)['p'], undefined)
  assert.deepEqual(Object.keys(Object.prototype), [])
})

test('has no tag that reads files and no filter that evaluates texts', async () => {
  for (const tag of [
    'include "/etc/hostname"',
    'render "x"',
    'layout "x"',
    'block x',
    'tablerow i in (1..9)'
  ]) {
    assert.match(await detailOf(`{% ${tag} %}`), /^Line 1, column 1: there is no tag "/)
  }
  for (const filter of [
    'where_exp: "i", "i.x"',
    'has_exp: "i", "i"',
    'find_exp: "i", "i"',
    'group_by_exp: "i", "i"',
    'shout'
  ]) {
    assert.match(await detailOf(`{{ a | ${filter} }}`, { a: [1] }), /^Line 1, column 1: there is no filter "/)
  }
})

/** For one attack: the engine's limit, the grace of a thread, and a busy machine. */
const SOON = 5_000

const loop = (body: string, to = 100_000): string => `{% for i in (1..${to}) %}${body}{% endfor %}`

const BOMBS: readonly (readonly [string, string, Data?])[] = [
  ['empty nested loops', loop(loop(loop('')))],
  ['one loop after another', loop('').repeat(500)],
  ['a range above 2^53', '{% for i in (9007199254740992..9007199254740994) %}{{ i }}{% endfor %}'],
  ['such a range from merge tags', '{{ (a..b) | size }}', { a: '9007199254740992', b: '9007199254740994' }],
  [
    'such a range from arithmetic',
    '{% assign n = 4503599627370496 | times: 2 %}{% assign m = n | plus: 2 %}{{ (n..m) | size }}'
  ],
  ['an infinite range', '{% assign n = 1 | divided_by: 0 %}{{ (1..n) | size }}'],
  ['a huge range', '{% for i in (1..2000000000) %}{% endfor %}'],
  ['a negative range that would give credit', '{% assign x = (2000000000..1) %}{{ x | size }}'],
  ['a date of fifty million characters', "{{ 'now' | date: '%50000000d' }}"],
  [
    'replace that multiplies',
    "{% assign s = 'aaaaaaaa' %}" + loop("{% assign s = s | replace: 'a', 'aaaaaaaa' %}", 25)
  ],
  ['append that doubles', "{% assign s = 'a' %}" + loop('{% assign s = s | append: s %}', 40)],
  [
    'append that doubles, without a loop',
    "{% assign s = 'aaaaaaaaaaaaaaaa' %}" + '{% assign s = s | append: s %}'.repeat(40)
  ],
  [
    'capture that doubles',
    '{% capture s %}aaaaaaaaaaaaaaaa{% endcapture %}' +
      '{% capture s %}{{ s }}{{ s }}{% endcapture %}'.repeat(40)
  ],
  [
    'a captured rope that is compared',
    `{% capture s %}${loop('{{ x }}')}{% endcapture %}{% if s contains "z" %}z{% endif %}`,
    { x: 'a'.repeat(200_000) }
  ],
  ['output of one big value again and again', loop('{{ x }}'), { x: 'a'.repeat(200_000) }],
  ['literal text again and again', loop('x'.repeat(100_000))],
  [
    'an array of references to one text',
    '{% assign a = x | split: "," %}' +
      '{% assign a = a | concat: a %}'.repeat(16) +
      '{{ a | upcase | size }}',
    { x: 'a'.repeat(100_000) }
  ],
  [
    'arrays within arrays',
    '{% assign a = "x" | split: "," %}' + '{% assign a = a | push: a %}'.repeat(60) + '{{ a }}'
  ],
  [
    'arrays within arrays, compared',
    '{% assign a = "x" | split: "," %}' +
      '{% assign a = a | push: a %}'.repeat(60) +
      '{% assign b = a | reverse %}{% if a == b %}{% endif %}'
  ],
  [
    'an array as a key',
    '{% assign a = x | split: "," %}' +
      '{% assign a = a | unshift: x %}'.repeat(40) +
      '{{ x[a] }}{{ a > a }}',
    { x: 'a'.repeat(200_000) }
  ],
  [
    'pop in a loop',
    '{% assign a = (1..100000) %}' + loop('{% assign b = a | pop %}', 1000) + '{{ b | size }}'
  ],
  ['deep nesting', '{% if true %}'.repeat(2400) + 'x' + '{% endif %}'.repeat(2400)],
  ['deep brackets', `{{ ${'a['.repeat(100_000)} }}`],
  ['too many outputs', '{{ x }}'.repeat(50_000)],
  ['too long', 'x'.repeat(400_000) + '{{ x }}'],
  ['an unclosed raw', '{% raw %}' + '{{'.repeat(4_000)],
  ['a loop in a liquid tag', '{% liquid\nfor i in (1..100000)\nfor j in (1..100000)\nendfor\nendfor %}']
]

for (const [name, template, data = {}] of BOMBS) {
  test(`bomb: ${name}`, async () => {
    const cpuMs = startCpuTimer()
    const memory = process.memoryUsage().rss
    const rendered = await inText(template, data)
    assert.ok(cpuMs() < SOON, `${Math.round(cpuMs())} ms`)
    assert.ok(process.memoryUsage().rss - memory < 400e6, 'memory')
    if (rendered.ok) assert.ok(rendered.fields['title']!.length < 1_000, 'harmless, because small')
    assert.equal(await titleOf('{% for i in a %}{{ i }}{% endfor %}', { a: [1, 2] }), '12')
  })
}

test('limits what liquidjs does not count', async () => {
  const range = /the ends of a range must be numbers from -100000 to 100000/
  assert.match(await detailOf('{{ (9007199254740992..9007199254740994) | size }}'), range)
  assert.match(await detailOf('{{ (a..b) | size }}', { a: '9007199254740992', b: '9007199254740994' }), range)
  assert.match(await detailOf('{% assign n = 1 | divided_by: 0 %}{{ (1..n) | size }}'), range)
  assert.match(await detailOf('{{ (-100001..1) | size }}'), range)
  assert.equal(await titleOf('{{ (1..n) | size }}{{ (x..3) | join }}', { n: '3', x: [1] }), '31 2 3')
  assert.equal(await titleOf('{{ (1..missing) | size }}'), '0')

  // Small as an array, but four hundred million characters as a text.
  const many = '{% assign a = x | split: "," %}' + '{% assign a = a | concat: a %}'.repeat(12)
  assert.match(
    await detailOf(`${many}{{ a | size }}`, { x: 'a'.repeat(100_000) }),
    /it needs too much memory/
  )
  const twice = '{% assign a = x | split: "," %}{% assign a = a | concat: a %}{{ a | size }}'
  assert.match(await detailOf(twice, { x: 'a'.repeat(600_000) }), /it needs too much memory/)
  const nested = '{% assign a = "x" | split: "," %}' + '{% assign a = a | push: a %}'.repeat(28)
  assert.match(await detailOf(`${nested}{{ a | size }}`), /it needs too much memory/)

  const rope = `{% capture s %}${loop('{{ x }}', 200)}{% endcapture %}{{ s | size }}`
  assert.match(await detailOf(rope, { x: 'a'.repeat(100_000) }), /the output exceeds 1000000 bytes/)
})

test('applies the limits of liquidjs in both engines', async () => {
  const doubled = "{% assign s = 'aaaaaaaaaaaaaaaa' %}" + '{% assign s = s | append: s %}'.repeat(20)
  for (const text of [doubled, doubled + loop('', 1)]) {
    assert.match(await detailOf(`${text}{{ s | size }}`), /it needs too much memory/)
  }
})

test('terminates a thread that takes too long, and starts another', async () => {
  // Long enough for the second template, and far too short for the first.
  const pool = createRenderPool({ maxBytes: 1e8, maxMs: 300 }, 1)
  const data = { x: 'ab '.repeat(300_000) }
  // The filters of one output, between which the engine does not check its time limit.
  const text = `{{ x | split: "" ${'| sort | reverse '.repeat(40)} | size }}`
  const cpuMs = startCpuTimer()
  assert.deepEqual(await pool.run({ data, html: false, text }, { envId: 'e' }), {
    detail: 'It takes too long.',
    ok: false
  })
  assert.ok(cpuMs() < SOON)
  assert.deepEqual(
    await pool.run({ data, html: false, text: '{% for i in (1..2) %}{{ i }}{% endfor %}' }, { envId: 'e' }),
    {
      ok: true,
      text: '12'
    }
  )
  await pool.close()
})

test('renders heavy templates within the memory limit', async () => {
  const words = 'ab '.repeat(80_000)
  for (const template of [
    '{{ x | split: "" | sort | join: "" | size }}',
    '{{ x | split: "" | group_by: "size" | size }}',
    '{{ x | split: " " | uniq | size }}',
    '{{ x | strip_html | escape | url_encode | size }}',
    '{% assign a = x | split: "" %}{% for c in a %}{% endfor %}'
  ]) {
    const rendered = await inText(template, { x: words })
    if (!rendered.ok) assert.match(rendered.detail, /too long|too much memory|more than/)
  }
})

test('does not block this thread while a worker thread is busy', async () => {
  const burning = inText(loop(loop('{{ i }}')))
  let turns = 0
  const count = setInterval(() => (turns += 1), 5)
  await burning
  clearInterval(count)
  // A blocked event loop would turn once, at the end.
  assert.ok(turns > 5, `${turns} turns`)
})

test('searches unclosed braces once', async () => {
  const started = performance.now()
  const rendered = inText(`{% raw %}${'{{'.repeat(4950)}${'x'.repeat(380_000)}{% endraw %}`)
  // Time in this thread, which everything else waits for.
  const blocked = performance.now() - started
  assert.ok(blocked < 400, `${Math.round(blocked)} ms`)
  assert.ok((await rendered).ok)
})

test('runs filters that read their text repeatedly in a worker thread, or not at all', async () => {
  for (const [template, data] of [
    ['{{ x | date: y }}', { x: '2026-11-20', y: '%A'.repeat(20_000) }],
    ['{{ x | date_to_xmlschema | date: y }}', { x: '2026-11-20', y: '%A'.repeat(20_000) }],
    ['{{ x | remove_last: y }}', { x: 'a'.repeat(120_000), y: `${'a'.repeat(60_000)}b` }],
    ['{{ x | replace_last: y, "" }}', { x: 'a'.repeat(120_000), y: `${'a'.repeat(60_000)}b` }]
  ] as const) {
    const started = performance.now()
    const rendered = inText(template, data)
    const blocked = performance.now() - started
    assert.ok(blocked < 400, `${template}: ${Math.round(blocked)} ms`)
    await rendered
  }
  assert.match(
    await detailOf('{{ x | date: y }}', { x: '2026-11-20', y: 'a'.repeat(2000) }),
    /1000 characters/
  )
})

test('renders a valid template during an attack', async () => {
  const bombs = Array.from({ length: 6 }, () => inText(loop(loop(''))))
  assert.equal(await titleOf('Hello {{ name }}', { name: 'Ann' }), 'Hello Ann')
  assert.equal(await titleOf('{% for i in a %}{{ i }}{% endfor %}', { a: [1, 2] }), '12')
  for (const bomb of await Promise.all(bombs)) assert.equal(bomb.ok, false)
})

test('has filters with linear regular expressions only', async () => {
  const spaces = ' '.repeat(250_000)
  for (const [template, x] of [
    ['{{ x | strip_html | size }}', '<script'.repeat(30_000)],
    ['{{ x | strip_html | size }}', '<'.repeat(250_000)],
    ['{{ x | strip | size }}', `a${spaces}b`],
    ['{{ x | truncatewords: 3 | size }}', `a${spaces}b`],
    ['{{ x | strip_newlines | size }}', '\r'.repeat(250_000)],
    ['{{ x | newline_to_br | size }}', '\r'.repeat(250_000)],
    ['{{ x | url_decode | size }}', '+'.repeat(250_000)],
    ['{{ x | date: "%Y" | size }}', `1${'0'.repeat(250_000)}x`]
  ] as const) {
    const cpuMs = startCpuTimer()
    await inText(template, { x })
    assert.ok(cpuMs() < 500, `${template} ${x.slice(0, 9)}`)
  }
})

test('fails at once after the renderer is closed', async () => {
  const other = createRenderer({ renderTimeoutMs: 100 }, 1000)
  const waiting = other.render({
    channel: 'INAPP_WEB',
    content: { title: loop(loop('')) },
    data: {},
    envId: 'e',
    replace: {}
  })
  await other.close()
  assert.deepEqual(await waiting, { detail: 'The server is stopping.', field: 'title', ok: false })
  const late = await other.render({
    channel: 'INAPP_WEB',
    content: { title: loop('') },
    data: {},
    envId: 'e',
    replace: {}
  })
  assert.equal(late.ok, false)
})
