// A page that a link in a mail leads to: nothing is loaded, nothing runs, and its form goes nowhere else.

import type { Answer } from '../http/route.ts'
import { escapeHtml } from '../templates/escape.ts'

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

const LANGUAGES = ['ar', 'de', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** @param accept - value of Accept-Language; the first language that we speak, else English */
export function languageOf(accept: string | undefined): Language {
  const wanted = (accept ?? '').split(',').map(part => part.trim().slice(0, 2).toLowerCase())
  return wanted.map(tag => LANGUAGES.find(one => one === tag)).find(tag => tag !== undefined) ?? 'en'
}

export interface Leaf {
  readonly language: Language
  readonly title: string
  /** HTML. */
  readonly content: string
  /** Default: 200. */
  readonly status?: number
}

export const leaf = ({ content, language, status = 200, title }: Leaf): Answer => ({
  body: `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { max-width: 32rem; margin: 15vh auto 4rem; padding: 0 1rem }
  button, select { font: inherit; padding: 0.5rem 1.25rem; cursor: pointer }
  select { padding-inline: 0.5rem }
  fieldset { margin: 0 0 1rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 0.5rem }
  fieldset label { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding-block: 0.25rem }
</style>
<h1>${escapeHtml(title)}</h1>
${content}
</html>
`,
  headers: {
    'cache-control': 'no-store',
    'content-security-policy': POLICY,
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer'
  },
  status
})
