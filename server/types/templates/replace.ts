// `replace`: case-sensitive replacements in a rendered text, in one pass, so that nothing is replaced twice.

import { escapeHtml } from '../../core/escape-html.ts'

interface Node {
  readonly next: Map<number, Node>
  /** What the text up to here becomes. */
  value?: string
}

export type Replacer = (text: string) => string

/** Steps that one text may take for each of its characters; only keys made for it need more than a few. */
const STEPS_PER_CHARACTER = 64
const STEPS = 1_000_000

/**
 * Of several keys that fit at one place the longest counts. An empty key fits nowhere.
 *
 * @param bytes - UTF-16 units that the result may have
 * @param html - the text is HTML: values are escaped, and a key fits as it is and as its escaped form
 * @throws Error when the result gets too long or the keys are made to take for ever
 */
export function createReplacer(
  map: Readonly<Record<string, string>>,
  { bytes, html }: { readonly bytes: number; readonly html: boolean }
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
    let left = STEPS + STEPS_PER_CHARACTER * text.length
    let done = ''
    let from = 0
    for (let at = 0; at < text.length;) {
      let end = 0
      let value = ''
      let node: Node | undefined = root
      for (let i = at; node && i < text.length; i++) {
        if (left-- === 0) throw new Error('The replacements take too long.')
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
      if (done.length > bytes) throw new Error(`The replacements would make more than ${bytes} bytes.`)
      at = from = end
    }
    return from === 0 ? text : done + text.slice(from)
  }
}
