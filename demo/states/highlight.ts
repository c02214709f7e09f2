// Marks the parts of a code for the style sheet: names, texts, numbers and words, comments.

import { html, type TemplateResult } from 'lit'

const PATTERN =
  /(?<comment>\/\/.*|^#.*)|(?<tag><\/?[\w-]+|(?<=[\w"])>|\/?>$)|(?<key>(?<=^[\s-]*)[\w-]+(?=:(?:\s|$))|"[\w-]+"(?=:)|(?<=\s)[a-z-]+(?==["{]))|(?<text>"[^"\n]*"|'(?:[^'\n]|'')*')|(?<word>\b(?:await|const|true|false|null|return)\b|(?<![\w#.-])\d+(?:\.\d+)?(?![\w-]))/gm

export function highlight(code: string): readonly (TemplateResult | string)[] {
  const parts: (TemplateResult | string)[] = []
  let end = 0
  for (const match of code.matchAll(PATTERN)) {
    const [name] = Object.entries(match.groups!).find(([, text]) => text !== undefined)!
    parts.push(code.slice(end, match.index), html`<span class=${name}>${match[0]}</span>`)
    end = match.index + match[0].length
  }
  return [...parts, code.slice(end)]
}
