// Finds addresses in HTML that run as a script when a reader follows or loads them, in whatever way they are written.

import { walkHtml, type Attribute, type OpenTag } from './walk.ts'

const ADDRESS_ATTRIBUTES = new Set([
  'action',
  'background',
  'formaction',
  'href',
  'poster',
  'src',
  'xlink:href'
])

/** Pictures may be embedded, but not as a document that can hold a script. */
const SCRIPT_SCHEME = /^(?:javascript|vbscript):|^data:(?!image\/(?!svg))/
const MAX_SCHEME_CHARACTERS = 'data:image/svg'.length

/** Browsers drop control characters and spaces before and within a scheme. */
const IGNORED_CHARACTER = /[\p{Cc}\p{Cf}\p{Z}"']/u

function isScriptAddress(address: string): boolean {
  let beginning = ''
  for (const character of address) {
    if (IGNORED_CHARACTER.test(character)) continue
    beginning += character.toLowerCase()
    // Most addresses end here: their first letter is that of no such scheme.
    if (!'jvd'.includes(beginning[0]!)) return false
    if (beginning.length >= MAX_SCHEME_CHARACTERS) break
  }
  return SCRIPT_SCHEME.test(beginning)
}

export const isScriptLink = ({ name, value }: Attribute): boolean =>
  ADDRESS_ATTRIBUTES.has(name) && isScriptAddress(value)

/** @returns a sentence with line and column about the first address that runs, whatever is merged into it */
export function describeScriptLink(template: string): string | undefined {
  const links: Attribute[] = []
  const open = ({ attributes }: OpenTag): void => void links.push(...attributes.filter(isScriptLink))
  walkHtml(blankControlTags(template), { open, openInComment: open })
  const [first] = links
  if (first === undefined) return undefined
  const lines = template.slice(0, first.start).split('\n')
  const name = template.slice(first.nameStart, first.nameStart + first.name.length)
  const shown = template
    .slice(first.start, first.end)
    .replaceAll(/^["']|["']$/g, '')
    .slice(0, 80)
  return `Line ${lines.length}, column ${lines.at(-1)!.length + 1}: ${name} must not be ${JSON.stringify(shown)}, it would run as a script.`
}

/** Liquid's `{% if a > b %}` within a tag does not end the tag. Positions stay. */
function blankControlTags(template: string): string {
  let blanked = ''
  let from = 0
  for (;;) {
    const start = template.indexOf('{%', from)
    const end = start === -1 ? -1 : template.indexOf('%}', start)
    if (end === -1) return blanked + template.slice(from)
    blanked += template.slice(from, start) + ' '.repeat(end + 2 - start)
    from = end + 2
  }
}
