// Marks the parts of a JSON text or of a command for the style sheet: keys, texts, numbers and words.

import { escapeHtml } from '../../core/escape-html.ts'
import { Html } from '../../core/html.ts'

const WORD = String.raw`\b(?:true|false|null)\b|(?<![\w/$])curl(?= )|(?<= )-[a-zA-Z](?= )`

const PATTERN = new RegExp(
  String.raw`(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<text>"(?:[^"\\\n]|\\.)*")|(?<word>${WORD})|(?<number>(?<![\w.-])-?\d+(?:\.\d+)?(?![\w.-]))`,
  'g'
)

export function highlight(code: string): Html {
  let marked = ''
  let end = 0
  for (const match of code.matchAll(PATTERN)) {
    const [name] = Object.entries(match.groups!).find(([, text]) => text !== undefined)!
    marked += `${escapeHtml(code.slice(end, match.index))}<span class="${name}">${escapeHtml(match[0])}</span>`
    end = match.index + match[0].length
  }
  return new Html(marked + escapeHtml(code.slice(end)))
}
