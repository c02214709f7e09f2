// Marks the parts of a JSON text or of a command for the style sheet: keys, texts, numbers and words.

import { Html } from '../../core/html.ts'

const WORD = String.raw`\b(?:true|false|null)\b|(?<![\w/$])curl(?= )|(?<= )-[a-zA-Z](?= )`

const PATTERN = new RegExp(
  String.raw`(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<text>"(?:[^"\\\n]|\\.)*")|(?<word>${WORD})|(?<number>(?<![\w.-])-?\d+(?:\.\d+)?(?![\w.-]))`,
  'g'
)

/** Quotes stay as they are: this is no attribute, and JSON is full of them. */
const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export function highlight(code: string): Html {
  let marked = ''
  let end = 0
  for (const match of code.matchAll(PATTERN)) {
    const [name] = Object.entries(match.groups!).find(([, text]) => text !== undefined)!
    marked += `${escapeText(code.slice(end, match.index))}<span class="${name}">${escapeText(match[0])}</span>`
    end = match.index + match[0].length
  }
  return new Html(marked + escapeText(code.slice(end)))
}
