// Merges the rendered notifications of a digest into one. Pure; adds no words, because those would need a translation.

import type { Channel } from '#protocol'

import { escapeHtml } from '../../core/escape-html.ts'
import { FIELDS } from '../../types/templates/content.ts'
import { walkHtml } from '../../types/templates/html/walk.ts'
import type { Rendered, Renderer, RenderInput } from '../../types/templates/render.ts'

export type Fields = Readonly<Record<string, string>>

/** Renders each notification and merges the results. One that cannot be rendered fails the digest, so that it is noticed. */
export async function renderMerged(
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
  return { fields: mergeFields(channel, all), ok: true, ...(locale !== undefined && { locale }) }
}

/** Joins long texts; a headline is that of the newest and the number of the others; other fields are the newest's. */
export function mergeFields(channel: Channel, all: readonly Fields[]): Fields {
  const newest = all.at(-1)!
  const joined: Record<string, string> = { ...newest }
  for (const name of new Set(all.flatMap(Object.keys))) {
    const kind = FIELDS[channel].get(name)?.kind
    if (kind === 'html') joined[name] = all.map(toBodyHtml).filter(Boolean).join('\n<hr>\n')
    else if (HEADLINES.has(name)) joined[name] = `${newest[name] ?? ''} (+${all.length - 1})`.trim()
    else if (kind === 'text')
      joined[name] = all
        .map(fields => fields[name])
        .filter(Boolean)
        .join('\n\n')
  }
  // A plain text part without some of the notifications would hide them, so it is derived from the HTML instead.
  if (joined['html'] && !all.every(fields => fields['text'])) delete joined['text']
  return joined
}

const HEADLINES: ReadonlySet<string> = new Set(['subject', 'title'])

/** @returns the content of the body if the HTML is a document, and all of it if it is a fragment */
function toBodyHtml({ html, text }: Fields): string {
  if (!html) return text ? `<p style="white-space:pre-line">${escapeHtml(text)}</p>` : ''
  let bodyStart: number | undefined
  let bodyEnd: number | undefined
  // Cut off, because an unfinished tag would swallow the text that follows.
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
