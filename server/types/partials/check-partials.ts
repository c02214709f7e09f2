// Checks templates that use layouts and partials, and expands them.

import type { Channel } from '#protocol'

import type { TemplateContent } from '../templates/content.ts'
import {
  blankPartialTags,
  expandPartials,
  hasContentTag,
  usesPartials,
  type Partials
} from '../templates/expand.ts'
import type { FieldFault, Renderer } from '../templates/render.ts'
import type { PartialKind } from './partials.sql.ts'

export type Checker = Pick<Renderer, 'check'>

/** @returns the fault of a text's layouts and partials, with line and column of the tag */
function findPartialFault(text: string, partials: Partials): string | undefined {
  if (!usesPartials(text)) return undefined
  const expanded = expandPartials(text, partials)
  if (expanded.ok) return undefined
  const lines = text.slice(0, expanded.at).split('\n')
  return `Line ${lines.length}, column ${lines.at(-1)!.length + 1}: ${expanded.detail}.`
}

/** Checks like the renderer, which does not know the tags of layouts and partials. */
export const checkerWithPartials = (renderer: Checker, partials: Partials): Checker => ({
  check(channel: Channel, content: TemplateContent): readonly FieldFault[] {
    const faults: FieldFault[] = []
    const withoutTags: Record<string, unknown> = {}
    for (const [field, text] of Object.entries(content)) {
      const detail = typeof text === 'string' ? findPartialFault(text, partials) : undefined
      if (detail !== undefined) faults.push({ detail, field })
      withoutTags[field] = typeof text === 'string' ? blankPartialTags(text) : text
    }
    return [...faults, ...renderer.check(channel, withoutTags)]
  }
})

/** @returns the faults in the text of a layout or partial; faults of Liquid begin with their line */
export const partialTextFaults = (kind: PartialKind, text: string, renderer: Checker): readonly string[] => [
  ...renderer.check('EMAIL', { html: text }).map(({ detail }) => detail),
  ...(kind === 'layouts' && !hasContentTag(text)
    ? ['Expected {{ content_for_layout }} at the place of the content.']
    : [])
]

/** Expands layouts and partials. A text that cannot be expanded stays, and its rendering fails with the reason. */
export function expandContent(content: TemplateContent, partials: Partials): TemplateContent {
  return Object.fromEntries(
    Object.entries(content).map(([field, text]) => {
      if (typeof text !== 'string' || !usesPartials(text)) return [field, text]
      const expanded = expandPartials(text, partials)
      return [field, expanded.ok ? expanded.text : text]
    })
  )
}

export const contentUsesPartials = (content: TemplateContent): boolean =>
  Object.values(content).some(text => typeof text === 'string' && usesPartials(text))
