// Mark-up of in-app templates: `b strong i em u s code br a[href]`, `**bold**`, `` `code` `` and `[text](https://…)`.
//
// Only what the template itself contains is mark-up; a value is text, whatever filters do with it. So the mark-up is found before Liquid
// runs, and is replaced by markers whose output no value can contain (text-runs.ts).

import { Tokenizer, TokenKind, type TagToken } from 'liquidjs'

import { walkHtml } from './html/walk.ts'
import { mayBecomeLink } from './link.ts'
import { countMarkers, marker, type Style } from './text-runs.ts'

/** Markers of one template. A template with more has no mark-up. */
const MAX_MARKERS = 100
/** Of `**bold**`, with its Liquid. Without a limit, many openings without an end would take quadratic time. */
const MAX_BOLD_CHARACTERS = 1_000

const STYLES: Readonly<Record<string, Style>> = {
  b: 'bold',
  code: 'code',
  em: 'italic',
  i: 'italic',
  s: 'strike',
  strong: 'bold',
  u: 'underline'
}

const ENTITY = /(?<entity>&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});)/dgi
const MARKUP = new RegExp(
  [
    ENTITY.source,
    '<(?<end>/?)(?<name>b|strong|i|em|u|s|code|br|a)(?<attributes>(?:\\s[^<>]*)?)/?>',
    '`(?<code>[^`]+)`',
    `\\*\\*(?<bold>(?=[^\\s*])[^]{0,${MAX_BOLD_CHARACTERS}}?[^\\s*])\\*\\*`,
    '\\[(?<label>[^[\\]]+)\\]\\((?<address>[^()\\s]+)\\)'
  ].join('|'),
  'dgi'
)
const HREF = /\shref\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s"']+))/di

/** Stands for one character of Liquid. Not in any text: a noncharacter (Unicode 23.7). */
const BLANK = '\uFDD0'
const ADDRESS = new RegExp(`^(?:https?://|mailto:|[/?#]|${BLANK})`, 'i')

/** A part of a template, and the same with its Liquid blanked. Both have the same length. */
interface Source {
  readonly text: string
  readonly blanked: string
}

const slice = ({ blanked, text }: Source, [start, end]: readonly [number, number]): Source => ({
  blanked: blanked.slice(start, end),
  text: text.slice(start, end)
})

/** A cheap test: most templates have no mark-up. */
export const mayHaveMarkup = (template: string): boolean => /[<*`[&]/.test(template)

/**
 * @returns the template with markers instead of its mark-up, or undefined if it has none
 * @throws Error if its Liquid cannot be tokenized
 */
export function compileMarkup(template: string): string | undefined {
  const compiled = convert({ blanked: blankLiquid(template), text: template }, MARKUP)
  return compiled === template || countMarkers(compiled) > MAX_MARKERS ? undefined : compiled
}

/** Blanks outputs and tags, and what stands between `raw` and `endraw`. */
function blankLiquid(template: string): string {
  let blanked = ''
  let isRaw = false
  for (const token of new Tokenizer(template).readTopLevelTokens()) {
    const { begin, end, kind } = token
    const isText = kind === TokenKind.HTML && !isRaw
    blanked += isText ? template.slice(begin, end) : BLANK.repeat(end - begin)
    if (kind === TokenKind.Tag) isRaw = (token as TagToken).name === 'raw'
  }
  return blanked
}

function convert(source: Source, pattern: RegExp): string {
  let converted = ''
  let from = 0
  for (const match of source.blanked.matchAll(pattern)) {
    const replacement = convertMatch(match, source)
    if (replacement === undefined) continue
    converted += source.text.slice(from, match.index) + replacement
    from = match.index + match[0].length
  }
  return converted + source.text.slice(from)
}

/** @returns undefined if the match is text */
function convertMatch({ groups = {}, indices }: RegExpMatchArray, source: Source): string | undefined {
  const part = (name: string): Source => slice(source, indices!.groups![name]!)
  const { address, bold, code, end, entity, name } = groups
  if (entity !== undefined) return decodeEntity(entity)
  if (code !== undefined) return marker('code') + part('code').text + marker('/code')
  if (bold !== undefined) return marker('bold') + convert(part('bold'), MARKUP) + marker('/bold')
  if (address !== undefined) {
    if (!ADDRESS.test(address) || !mayBecomeLink(address.replaceAll(BLANK, ''))) return undefined
    return convertLink(part('address'), convert(part('label'), MARKUP)) + marker('/link')
  }
  const tag = name!.toLowerCase()
  if (tag === 'br') return marker('break')
  if (tag === 'a') return end ? marker('/link') : convertAnchor(part('attributes'))
  const style = STYLES[tag]!
  return marker(end ? `/${style}` : style)
}

/** The address comes first, so that it is known before the text that it belongs to. */
const convertLink = (address: Source, label = ''): string =>
  marker('address') + convert(address, ENTITY) + marker('link') + label

function convertAnchor(attributes: Source): string {
  const { double, single, bare } = HREF.exec(attributes.blanked)?.indices?.groups ?? {}
  const range = double ?? single ?? bare
  // As in a browser, another anchor ends the link.
  return range ? convertLink(slice(attributes, range)) : marker('/link')
}

/** @returns Liquid that prints the character, or undefined if there is no such entity */
function decodeEntity(entity: string): string | undefined {
  let decoded = ''
  walkHtml(entity, { text: text => (decoded += text) })
  return decoded === entity ? undefined : decoded.replaceAll('{', "{{'{'}}")
}
