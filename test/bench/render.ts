// How fast templates are rendered, with their limits and escaping, beside bare liquidjs on the same parsed texts.

import { Liquid } from 'liquidjs'

import type { Channel } from '#protocol'

import { createRenderer } from '../../server/types/templates/render.ts'
import { inTurns, type Measurement, type Say } from './measure.ts'

const rows = Array.from({ length: 20 }, (_, i) => ({ name: `Row ${i}`, price: i }))
const data = { firstName: 'ann', id: 7, list: rows, parameters: { text: 'hello' } }

/** About as long as a mail is. */
const MAIL = `<h1>Hello {{ firstName | capitalize }}</h1>${'<p style="margin: 0 0 12px">{{ parameters.text }} and more of it</p>'.repeat(40)}`

interface Case {
  readonly name: string
  readonly channel: Channel
  readonly content: Readonly<Record<string, string>>
}

const CASES: readonly Case[] = [
  {
    channel: 'INAPP_WEB',
    content: {
      body: '{{ parameters.text }}',
      redirectURL: '/inbox/{{ id }}',
      title: 'Hello {{ firstName | capitalize }}'
    },
    name: 'render, in-app with 3 merge tags'
  },
  {
    channel: 'EMAIL',
    content: { html: MAIL, subject: 'Hello {{ firstName }}' },
    name: 'render, a mail of 3 kB'
  },
  {
    channel: 'SMS',
    content: { message: '{% for row in list %}{{ row.name }}: {{ row.price }}\n{% endfor %}' },
    name: 'render, a loop of 20 in a thread that can be killed'
  }
]

/** Calls at once: a thread is asked for the next while it works. */
const PARALLEL = 16

async function perSecond(seconds: number, work: () => unknown): Promise<number> {
  for (let i = 0; i < 200; i += 1) await work()
  let done = 0
  const from = performance.now()
  const until = from + seconds * 1000
  while (performance.now() < until) {
    await Promise.all(Array.from({ length: PARALLEL }, work))
    done += PARALLEL
  }
  return done / ((performance.now() - from) / 1000)
}

export async function render({ rounds, seconds, say }: Say): Promise<Measurement[]> {
  const renderer = createRenderer({ renderTimeoutMs: 1000 })
  const bare = new Liquid({ outputEscape: 'escape' })
  const measured: Measurement[] = []
  try {
    for (const { channel, content, name } of CASES) {
      say(name)
      const parsed = Object.values(content).map(text => bare.parse(text))
      const input = { channel, content, data, envId: 'e', replace: {} }
      const check = await renderer.render(input)
      if (!check.ok) throw new Error(check.detail)
      const { ceiling, ours, ratio } = await inTurns(
        rounds,
        () => perSecond(seconds, () => renderer.render(input)),
        () => perSecond(seconds, () => parsed.map(template => bare.renderSync(template, data) as string))
      )
      measured.push({
        better: 'above',
        ceiling: { name: 'bare liquidjs', value: ceiling },
        name,
        ours,
        ratio,
        unit: 'templates/s'
      })
    }
  } finally {
    await renderer.close()
  }
  return measured
}
