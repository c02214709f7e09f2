// Several rendered notifications of a channel as one. Pure, and without a word of its own, which would need a language.

import type { Channel } from '#protocol'

import { escapeHtml } from '../../core/escape-html.ts'
import { FIELDS } from '../../types/templates/content.ts'
import { walkHtml } from '../../types/templates/html/walk.ts'
import type { Rendered, Renderer, RenderInput } from '../../types/templates/render.ts'

export type Fields = Readonly<Record<string, string>>

/** Renders each by itself; what cannot be rendered fails the whole, so that it is seen. */
export async function renderTogether(
  renderer: Pick<Renderer, 'render'>,
  channel: Channel,
  inputs: readonly RenderInput[]
): Promise<Rendered> {
  if (inputs.length === 1) return renderer.render(inputs[0]!)
  const all: Fields[] = []
  let locale: string | undefined
  for (const input of inputs) {
    const rendered = await renderer.render(input)
    if (!rendered.ok) return rendered
    all.push(rendered.fields)
    locale = rendered.locale
  }
  return { fields: together(channel, all), ok: true, ...(locale !== undefined && { locale }) }
}

/** Long texts follow each other, a headline is that of the newest and how many more there are, all else is the newest's. */
export function together(channel: Channel, all: readonly Fields[]): Fields {
  const newest = all.at(-1)!
  const joined: Record<string, string> = { ...newest }
  for (const name of new Set(all.flatMap(Object.keys))) {
    const kind = FIELDS[channel].get(name)?.kind
    if (kind === 'html') joined[name] = all.map(htmlOf).filter(Boolean).join('\n<hr>\n')
    else if (HEADLINES.has(name)) joined[name] = `${newest[name] ?? ''} (+${all.length - 1})`.trim()
    else if (kind === 'text')
      joined[name] = all
        .map(fields => fields[name])
        .filter(Boolean)
        .join('\n\n')
  }
  // A plain part that leaves some of them out would hide them: it is made from the HTML instead.
  if (joined['html'] && !all.every(fields => fields['text'])) delete joined['text']
  return joined
}

const HEADLINES: ReadonlySet<string> = new Set(['subject', 'title'])

/** @returns the content of the body if the HTML is a document, and all of it if it is a fragment */
function htmlOf({ html, text }: Fields): string {
  if (!html) return text ? `<p style="white-space:pre-line">${escapeHtml(text)}</p>` : ''
  let bodyStart: number | undefined
  let bodyEnd: number | undefined
  // An unfinished tag would take what follows into itself.
  const unfinished = walkHtml(html, {
    close(name, start) {
      if (name === 'body' && bodyStart !== undefined) bodyEnd = start
    },
    open({ end, name }) {
      if (name === 'body') bodyStart ??= end
    }
  })
  return html.slice(bodyStart, bodyEnd ?? unfinished)
}
