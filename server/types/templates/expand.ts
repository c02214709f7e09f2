// Layouts and partials: pieces of an environment that its templates share, put in before anything is parsed, so that
// every limit of a template holds for the whole. Pure.
//
//   {% layout 'brand' %}                          first in a text: the rest stands where the layout says so
//   {{ content_for_layout }}                      in a layout
//   {% render 'button', url: link, label: 'Go' %} the partial sees what its template sees, and these values

/** Texts by their names, of one environment. */
export interface Pieces {
  readonly layouts: ReadonlyMap<string, string>
  readonly partials: ReadonlyMap<string, string>
}

interface ExpandLimits {
  /** How deep pieces may use pieces. */
  readonly pieceDepth: number
  /** How many may be put into one text. */
  readonly pieceCount: number
}

/** Partials may use partials; both limits bound the text that one template can grow to. */
const LIMITS: ExpandLimits = { pieceCount: 200, pieceDepth: 8 }

/** `at`: place in the text of the tag that leads to the fault, in UTF-16 units. */
export type Expanded =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly at: number; readonly detail: string }

/** Characters of a text, pieces included; more is never parsed. */
export const LONGEST = 400_000

const TAG =
  /\{%-?\s*(render|layout)\s+(?:'([^']*)'|"([^"]*)")\s*((?:,\s*\w+\s*:\s*(?:'[^']*'|"[^"]*"|[^\s,%'"]+)\s*)*)-?%\}/g
const VALUE = /,\s*(\w+)\s*:\s*('[^']*'|"[^"]*"|[^\s,%'"]+)/g
const CONTENT = /\{\{-?\s*content_for_layout\s*-?\}\}/

export const usesPieces = (text: string): boolean => /\{%-?\s*(?:render|layout)\s/.test(text)
export const hasPlace = (layout: string): boolean => CONTENT.test(layout)

/** The text without its tags of pieces, every other sign where it was. */
export const withoutPieces = (text: string): string => text.replace(TAG, tag => tag.replace(/[^\n]/g, ' '))

class Fault extends Error {}

export function expand(
  text: string,
  pieces: Pieces,
  { pieceDepth, pieceCount }: ExpandLimits = LIMITS
): Expanded {
  let left = pieceCount
  let at = 0

  const pieceOf = (kind: 'layout' | 'partial', name: string, above: readonly string[]): string => {
    const found = (kind === 'layout' ? pieces.layouts : pieces.partials).get(name)
    const what = `${kind} ${JSON.stringify(name)}`
    if (found === undefined) throw new Fault(`there is no ${what}`)
    if (above.includes(what)) throw new Fault(`the ${what} uses itself`)
    if (above.length >= pieceDepth) throw new Fault(`pieces are more than ${pieceDepth} deep`)
    if (left-- <= 0) throw new Fault(`more than ${pieceCount} pieces`)
    return put(found, [...above, what])
  }

  const bounded = (whole: string): string => {
    if (whole.length > LONGEST) throw new Fault(`more than ${LONGEST} characters, pieces included`)
    return whole
  }

  const put = (source: string, above: readonly string[]): string => {
    let layout: string | undefined
    let made = ''
    let from = 0
    for (const tag of source.matchAll(TAG)) {
      const [whole, kind, single, double, values = ''] = tag
      if (above.length === 0) at = tag.index
      const before = source.slice(from, tag.index)
      const name = single ?? double ?? ''
      if (kind === 'layout') {
        if (made + before.trim() !== '') throw new Fault('a layout is named first in a text')
        layout = pieceOf('layout', name, above)
      } else {
        const assigned = [...values.matchAll(VALUE)].map(([, key, value]) => `{% assign ${key} = ${value} %}`)
        made = bounded(made + before + assigned.join('') + pieceOf('partial', name, above))
      }
      from = tag.index + whole.length
    }
    const rest = bounded(made + source.slice(from))
    return layout === undefined ? rest : bounded(layout.replace(CONTENT, () => rest))
  }

  try {
    return { ok: true, text: put(text, []) }
  } catch (error) {
    if (error instanceof Fault) return { at, detail: error.message, ok: false }
    throw error
  }
}
