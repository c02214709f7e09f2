// Renders the pages behind links in emails. They load nothing and run no script, and their forms post only to this server.

import { escapeHtml } from '../../core/escape-html.ts'
import type { Answer } from '../../http/route.ts'

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

const LANGUAGES = ['ar', 'de', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * Returns the first language of the header that the pages have, or else English.
 *
 * @param accept - value of Accept-Language
 */
export function chooseLanguage(accept: string | undefined): Language {
  const wanted = (accept ?? '').split(',').map(part => part.trim().slice(0, 2).toLowerCase())
  return wanted.map(tag => LANGUAGES.find(one => one === tag)).find(tag => tag !== undefined) ?? 'en'
}

export interface LinkPage {
  readonly language: Language
  readonly title: string
  /** HTML. */
  readonly content: string
  /** Default: 200. */
  readonly status?: number
}

export const renderLinkPage = ({ content, language, status = 200, title }: LinkPage): Answer => ({
  body: `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>
  /* The colours and sizes of the elements, repeated here because the page loads nothing. */
  :root {
    color-scheme: light dark;
    --text: light-dark(oklch(0.23 0.012 265), oklch(0.955 0.004 265));
    --muted: light-dark(oklch(0.455 0.014 265), oklch(0.775 0.01 265));
    --accent: light-dark(oklch(0.52 0.2 262), oklch(0.74 0.13 258));
    --line: color-mix(in oklab, var(--text) 12%, transparent);
    font: 1rem/1.5 Inter, ui-sans-serif, system-ui, sans-serif;
    color: var(--text);
    background: light-dark(oklch(0.975 0.004 85), oklch(0.16 0.005 265));
  }
  body { max-width: 32rem; margin: clamp(1.5rem, 12vh, 8rem) auto; padding: 0 1rem; overflow-wrap: anywhere }
  main { padding: 1.5rem; border-radius: 1rem; background: light-dark(oklch(1 0 0), oklch(0.195 0.006 265)); box-shadow: 0 0 0 1px var(--line) }
  h1 { margin: 0 0 0.5rem; font-size: 1.375rem; line-height: 1.75rem; letter-spacing: -0.012em; text-wrap: balance }
  p { margin: 0 0 1.25rem; color: var(--muted); text-wrap: pretty }
  p:last-child { margin: 0 }
  p[role='status'] { color: light-dark(oklch(0.5 0.13 150), oklch(0.79 0.14 155)) }
  a { color: var(--accent); text-underline-offset: 3px }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
  button, select { min-height: 2.75rem; border-radius: 0.625rem; font: inherit; cursor: pointer }
  form { margin: 0 0 1.25rem }
  form:last-child { margin: 0 }
  button { padding: 0 1.5rem; border: 1px solid transparent; background: var(--accent); color: light-dark(#fff, oklch(0.2 0.04 262)); font-weight: 600 }
  button:hover { background: color-mix(in oklab, var(--accent) 88%, var(--text)) }
  select { max-width: 60%; padding: 0 0.5rem; border: 1px solid light-dark(oklch(0.61 0.012 265), oklch(0.64 0.012 265)); background: transparent; color: inherit }
  option { background: light-dark(#fff, oklch(0.235 0.008 265)) }
  select:disabled { opacity: 0.6; cursor: default }
  fieldset { margin: 0 0 1.5rem; padding: 0; border: 0 }
  h2 { margin: 0 0 0.75rem; font-size: 1.125rem; line-height: 1.5rem }
  label span { color: var(--muted) }
  fieldset p { margin: 0 0 0.5rem }
  legend { padding: 0 0 0.25rem; font-weight: 600 }
  label { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding-block: 0.25rem; border-top: 1px solid var(--line) }
</style>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
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
