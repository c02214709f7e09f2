// Expands layouts and partials, which the templates of an environment share. They are inserted before a template is parsed, so the
// limits of a template apply to the whole text. Pure.
//
//   {% layout 'brand' %}                          first in a text: the layout contains the rest of the text
//   {{ content_for_layout }}                      in a layout: the place of the content
//   {% render 'button', url: link, label: 'Go' %} the partial reads the data of its template, and these values

/** The texts of one environment by name. */
export interface Partials {
  readonly layouts: ReadonlyMap<string, string>
  readonly partials: ReadonlyMap<string, string>
}

interface ExpandLimits {
  /** Of layouts and partials in one another. */
  readonly maxDepth: number
  readonly maxCount: number
}

const LIMITS: ExpandLimits = { maxCount: 200, maxDepth: 8 }

/** `at`: position in the text of the tag with the fault, in UTF-16 code units. */
export type Expanded =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly at: number; readonly detail: string }

export const MAX_TEXT_CHARACTERS = 400_000

const PARTIAL_TAG =
  /\{%-?\s*(render|layout)\s+(?:'([^']*)'|"([^"]*)")\s*((?:,\s*\w+\s*:\s*(?:'[^']*'|"[^"]*"|[^\s,%'"]+)\s*)*)-?%\}/g
const VALUE_PAIR = /,\s*(\w+)\s*:\s*('[^']*'|"[^"]*"|[^\s,%'"]+)/g
const CONTENT_TAG = /\{\{-?\s*content_for_layout\s*-?\}\}/

/** Layouts and partials that a text names, not those within them. */
export const listUsedPartials = (
  text: string
): { readonly kind: 'layouts' | 'partials'; readonly id: string }[] =>
  [...text.matchAll(PARTIAL_TAG)].map(([, kind, single, double = '']) => ({
    id: single ?? double,
    kind: kind === 'layout' ? 'layouts' : 'partials'
  }))

export const usesPartials = (text: string): boolean => /\{%-?\s*(?:render|layout)\s/.test(text)
export const hasContentTag = (layout: string): boolean => CONTENT_TAG.test(layout)

/** Replaces the tags of layouts and partials by spaces, so that positions do not change. */
export const blankPartialTags = (text: string): string =>
  text.replace(PARTIAL_TAG, tag => tag.replace(/[^\n]/g, ' '))

class ExpandError extends Error {}

export function expandPartials(
  text: string,
  partials: Partials,
  { maxDepth, maxCount }: ExpandLimits = LIMITS
): Expanded {
  let remainingCount = maxCount
  let at = 0

  const expandOne = (kind: 'layout' | 'partial', name: string, parents: readonly string[]): string => {
    const source = (kind === 'layout' ? partials.layouts : partials.partials).get(name)
    const what = `${kind} ${JSON.stringify(name)}`
    if (source === undefined) throw new ExpandError(`there is no ${what}`)
    if (parents.includes(what)) throw new ExpandError(`the ${what} uses itself`)
    if (parents.length >= maxDepth) {
      throw new ExpandError(`layouts and partials are nested more than ${maxDepth} levels deep`)
    }
    if (remainingCount-- <= 0) throw new ExpandError(`more than ${maxCount} layouts and partials`)
    return expandText(source, [...parents, what])
  }

  const checkLength = (expanded: string): string => {
    if (expanded.length > MAX_TEXT_CHARACTERS) {
      throw new ExpandError(`more than ${MAX_TEXT_CHARACTERS} characters with layouts and partials`)
    }
    return expanded
  }

  const expandText = (source: string, parents: readonly string[]): string => {
    let layout: string | undefined
    let expanded = ''
    let from = 0
    for (const tag of source.matchAll(PARTIAL_TAG)) {
      const [whole, kind, single, double, values = ''] = tag
      if (parents.length === 0) at = tag.index
      const before = source.slice(from, tag.index)
      const name = single ?? double ?? ''
      if (kind === 'layout') {
        if (expanded + before.trim() !== '') throw new ExpandError('a layout must be first in the text')
        layout = expandOne('layout', name, parents)
      } else {
        const assigned = [...values.matchAll(VALUE_PAIR)].map(
          ([, key, value]) => `{% assign ${key} = ${value} %}`
        )
        const partial = expandOne('partial', name, parents)
        expanded = checkLength(expanded + before + assigned.join('') + partial)
      }
      from = tag.index + whole.length
    }
    const rest = checkLength(expanded + source.slice(from))
    return layout === undefined ? rest : checkLength(layout.replace(CONTENT_TAG, () => rest))
  }

  try {
    return { ok: true, text: expandText(text, []) }
  } catch (error) {
    if (error instanceof ExpandError) return { at, detail: error.message, ok: false }
    throw error
  }
}
