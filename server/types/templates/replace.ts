// Applies `replace`: case-sensitive replacements in a rendered text, in one pass, so that no replacement is replaced again.

import { escapeHtml } from '../../core/escape-html.ts'

interface Node {
  readonly next: Map<number, Node>
  /** Replacement of the key that ends here. */
  value?: string
}

export type Replacer = (text: string) => string

/** Limits the work for one text. Only keys of an attack need more than a few steps for each character. */
const STEPS_PER_CHARACTER = 64
const MIN_STEPS = 1_000_000

/**
 * Of several keys that match at one position, the longest is used. An empty key never matches.
 *
 * @param maxLength - of the result, in UTF-16 code units
 * @param html - the text is HTML: values are escaped, and a key matches as it is and in its escaped form
 * @throws Error if the result is too long or the replacements take too many steps
 */
export function createReplacer(
  map: Readonly<Record<string, string>>,
  { html, maxLength }: { readonly html: boolean; readonly maxLength: number }
): Replacer {
  const root: Node = { next: new Map() }
  const add = (key: string, value: string): void => {
    let node = root
    for (let i = 0; i < key.length; i++) {
      const code = key.charCodeAt(i)
      let next = node.next.get(code)
      if (!next) node.next.set(code, (next = { next: new Map() }))
      node = next
    }
    if (node !== root) node.value ??= value
  }
  const entries = Object.entries(map)
  for (const [key, value] of entries) add(key, html ? escapeHtml(value) : value)
  if (html) for (const [key, value] of entries) add(escapeHtml(key), escapeHtml(value))
  if (root.next.size === 0) return text => text

  return text => {
    let remainingSteps = MIN_STEPS + STEPS_PER_CHARACTER * text.length
    let done = ''
    let from = 0
    for (let at = 0; at < text.length;) {
      let end = 0
      let value = ''
      let node: Node | undefined = root
      for (let i = at; node && i < text.length; i++) {
        if (remainingSteps-- === 0) throw new Error('The replacements take too long.')
        node = node.next.get(text.charCodeAt(i))
        if (node?.value !== undefined) {
          end = i + 1
          value = node.value
        }
      }
      if (end === 0) {
        at++
        continue
      }
      done += text.slice(from, at) + value
      if (done.length > maxLength) throw new Error(`The text with replacements exceeds ${maxLength} bytes.`)
      at = from = end
    }
    return from === 0 ? text : done + text.slice(from)
  }
}
