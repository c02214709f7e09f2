// From the rendered fields of a mail to its parts: a document, a plain text for those who read that, a preview line.

import { escapeHtml } from '../../core/escape-html.ts'
import { withoutScriptLinks } from './script-links.ts'
import { textOf } from './text/text.ts'

/** What {@link Renderer} made of an EMAIL template. */
export type EmailFields = Readonly<Record<string, string>>

export interface EmailParts {
  readonly subject: string
  /** Absent where the template has only text. */
  readonly html?: string
  readonly text: string
}

/** @param locale - language of the text (BCP 47), where it is known */
export function composeEmail(
  { subject = '', html, text, previewText }: EmailFields,
  locale?: string
): EmailParts {
  if (!html) return { subject, text: text ?? '' }
  const safe = withoutScriptLinks(html)
  return {
    html: withPreview(asDocument(safe, locale), previewText),
    subject,
    text: text || textOf(safe)
  }
}

/** Mail programs guess the character set and the width of a page that names none, and screen readers the language. */
function asDocument(html: string, locale: string | undefined): string {
  const lang = locale === undefined ? '' : ` lang="${escapeHtml(locale)}"`
  const tag = /<html(?=[\s>])[^>]*/i.exec(html)
  if (tag) {
    const end = tag.index + '<html'.length
    return /\slang\s*=/i.test(tag[0]) ? html : html.slice(0, end) + lang + html.slice(end)
  }
  if (/<body[\s>]/i.test(html)) return html
  const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
  return `<!doctype html>\n<html${lang}><head>${head}</head><body>\n${html}\n</body></html>`
}

const HIDDEN =
  'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all'
/** Pushes the beginning of the body out of the preview. */
const FILLER = '&#847;&zwnj;&nbsp;'.repeat(60)

function withPreview(html: string, preview: string | undefined): string {
  if (!preview) return html
  const line = `<div style="${HIDDEN}">${escapeHtml(preview)}${FILLER}</div>`
  const body = html.search(/<body[\s>]/i)
  const at = body === -1 ? 0 : html.indexOf('>', body) + 1
  return html.slice(0, at) + line + html.slice(at)
}
