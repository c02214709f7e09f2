// Templates that use pieces of their environment: checked with them, and made whole with them.

import type { Channel } from '#protocol'

import type { TemplateContent } from '../templates/content.ts'
import { expand, hasPlace, usesPieces, withoutPieces, type Pieces } from '../templates/expand.ts'
import type { FieldFault, Renderer } from '../templates/render.ts'
import type { PieceKind } from './partials.sql.ts'

export type Checker = Pick<Renderer, 'check'>

/** Faults of a text's pieces, with line and column of the tag. */
function pieceFault(text: string, pieces: Pieces): string | undefined {
  if (!usesPieces(text)) return undefined
  const expanded = expand(text, pieces)
  if (expanded.ok) return undefined
  const lines = text.slice(0, expanded.at).split('\n')
  return `Line ${lines.length}, column ${lines.at(-1)!.length + 1}: ${expanded.detail}.`
}

/** As the renderer checks, where tags of pieces are known. */
export const checkerOf = (renderer: Checker, pieces: Pieces): Checker => ({
  check(channel: Channel, content: TemplateContent): readonly FieldFault[] {
    const faults: FieldFault[] = []
    const bare: Record<string, unknown> = {}
    for (const [field, text] of Object.entries(content)) {
      const detail = typeof text === 'string' ? pieceFault(text, pieces) : undefined
      if (detail !== undefined) faults.push({ detail, field })
      bare[field] = typeof text === 'string' ? withoutPieces(text) : text
    }
    return [...faults, ...renderer.check(channel, bare)]
  }
})

/** What is wrong with the text of a piece itself; faults of Liquid begin with their line. */
export const textFaults = (kind: PieceKind, text: string, renderer: Checker): readonly string[] => [
  ...renderer.check('EMAIL', { html: text }).map(({ detail }) => detail),
  ...(kind === 'layouts' && !hasPlace(text)
    ? ['Expected {{ content_for_layout }} where the content stands.']
    : [])
]

/** With its pieces; what cannot be put together stays, and is named when it is rendered. */
export function wholeContent(content: TemplateContent, pieces: Pieces): TemplateContent {
  return Object.fromEntries(
    Object.entries(content).map(([field, text]) => {
      if (typeof text !== 'string' || !usesPieces(text)) return [field, text]
      const expanded = expand(text, pieces)
      return [field, expanded.ok ? expanded.text : text]
    })
  )
}

export const usesAny = (content: TemplateContent): boolean =>
  Object.values(content).some(text => typeof text === 'string' && usesPieces(text))
