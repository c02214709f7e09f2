// Turns the rendered fields of an email into its parts: a document, a plain text, and a preview line.

import { escapeHtml } from '../../core/escape-html.ts'
import { PlainTextBuilder } from './html/plain-text.ts'
import { isScriptLink } from './html/script-links.ts'
import { findAttribute, walkHtml, type Attribute, type HtmlVisitor, type OpenTag } from './html/walk.ts'

export type EmailFields = Readonly<Record<string, string>>

export interface EmailParts {
  readonly subject: string
  /** Absent if the template has only text. */
  readonly html?: string
  readonly text: string
}

/** Stands in for the links that templates can read in each delivered email. */
export const EMAIL_LINKS = { _unsubscribe_url: '#', preferencesLink: '#', unsubscribeLink: '#' } as const

/** @param locale - language of the text (BCP 47), if known */
export function composeEmail(
  { subject = '', html, text, previewText }: EmailFields,
  locale?: string
): EmailParts {
  if (!html) return { subject, text: text ?? '' }
  const reader = new EmailReader(text ? undefined : new PlainTextBuilder())
  // Browsers drop an unfinished tag. What follows here would finish it.
  const complete = html.slice(0, walkHtml(html, reader))
  const { bodyTag, htmlTag, scriptLinks, textBuilder } = reader
  const edits: Edit[] = scriptLinks.map(({ start, end }) => ({ end, start, text: '"#"' }))
  const lang = locale === undefined ? '' : ` lang="${escapeHtml(locale)}"`
  const preview = previewText ? previewElement(previewText) : ''
  if (htmlTag && lang !== '' && !findAttribute(htmlTag, 'lang')) {
    edits.push({ end: htmlTag.nameEnd, start: htmlTag.nameEnd, text: lang })
  }
  const isDocument = htmlTag !== undefined || bodyTag !== undefined
  if (isDocument) edits.push({ end: bodyTag?.end ?? 0, start: bodyTag?.end ?? 0, text: preview })
  const edited = applyEdits(complete, edits)
  return {
    html: isDocument ? edited : wrapFragment(edited, lang, preview),
    subject,
    text: text || (textBuilder?.finish() ?? '')
  }
}

/** Finds in one walk what has to change, and builds the text. */
class EmailReader implements HtmlVisitor {
  htmlTag: OpenTag | undefined
  bodyTag: OpenTag | undefined
  readonly scriptLinks: Attribute[] = []
  readonly textBuilder: PlainTextBuilder | undefined

  constructor(textBuilder: PlainTextBuilder | undefined) {
    this.textBuilder = textBuilder
  }

  text(text: string): void {
    this.textBuilder?.text(text)
  }

  open(tag: OpenTag): void {
    if (tag.name === 'html') this.htmlTag ??= tag
    else if (tag.name === 'body') this.bodyTag ??= tag
    if (!tag.attributes.some(isScriptLink)) return this.textBuilder?.open(tag)
    this.scriptLinks.push(...tag.attributes.filter(isScriptLink))
    this.textBuilder?.open({ ...tag, attributes: tag.attributes.filter(one => !isScriptLink(one)) })
  }

  close(name: string): void {
    this.textBuilder?.close(name)
  }

  openInComment({ attributes }: OpenTag): void {
    this.scriptLinks.push(...attributes.filter(isScriptLink))
  }
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

function applyEdits(html: string, edits: readonly Edit[]): string {
  let edited = ''
  let from = 0
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    edited += html.slice(from, start) + text
    from = end
  }
  return edited + html.slice(from)
}

/** Mail programs guess the character set and the width of a document that names none, and screen readers the language. */
function wrapFragment(html: string, lang: string, preview: string): string {
  const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
  return `<!doctype html>\n<html${lang}><head>${head}</head><body>${preview}\n${html}\n</body></html>`
}

const HIDDEN =
  'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all'
/** Keeps the beginning of the body out of the preview. */
const FILLER = '&#847;&zwnj;&nbsp;'.repeat(60)

const previewElement = (preview: string): string =>
  `<div style="${HIDDEN}">${escapeHtml(preview)}${FILLER}</div>`
