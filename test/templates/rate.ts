// How fast templates are rendered, beside bare liquidjs on the same texts: `node test/templates/rate.ts`.

import { Liquid } from 'liquidjs'

import { createRenderer } from '../../server/templates/render.ts'

const renderer = createRenderer({ renderBytes: 1_000_000, renderMillis: 200 })
const bare = new Liquid()

const rows = Array.from({ length: 20 }, (_, i) => ({ name: `Row ${i}`, price: i }))
const data = { firstName: 'ann', id: 7, list: rows, parameters: { text: 'hello' } }

const CASES = {
  'in-app, no Liquid': { body: 'Please have a look.', redirectURL: '/inbox/7', title: 'Something happened' },
  'in-app, 3 merge tags': {
    body: '{{ parameters.text }}',
    redirectURL: '/inbox/{{ id }}',
    title: 'Hello {{ firstName | capitalize }}'
  },
  'in-app, a loop (another thread)': {
    title: '{% for row in list %}{{ row.name }}: {{ row.price }}\n{% endfor %}'
  }
}

async function rate(work: () => unknown): Promise<number> {
  const until = performance.now() + 1_000
  for (let i = 0; i < 500; i++) await work()
  let count = 0
  const from = performance.now()
  while (performance.now() < until + 500) {
    for (let i = 0; i < 50; i++) await work()
    count += 50
  }
  return (count / (performance.now() - from)) * 1_000
}

for (const [name, content] of Object.entries(CASES)) {
  const ours = await rate(() => renderer.render({ channel: 'INAPP_WEB', content, data, replace: {} }))
  const parsed = Object.values(content).map(text => bare.parse(text))
  const theirs = await rate(() => parsed.map(template => bare.renderSync(template, data) as string))
  const line = [
    name.padEnd(34),
    Math.round(ours),
    'a second; bare liquidjs',
    Math.round(theirs),
    'ratio',
    (ours / theirs).toFixed(2)
  ]
  process.stdout.write(`${line.join(' ')}\n`)
}
await renderer.close()
