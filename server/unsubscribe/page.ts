// The page behind the link, in the reader's language: a button, because mail scanners open links but press nothing.

import { escapeHtml } from '../templates/escape.ts'

interface Words {
  readonly title: string
  /** `{}`: title of the type. */
  readonly ask: string
  readonly button: string
  readonly done: string
  readonly unknown: string
}

const WORDS: Readonly<Record<string, Words>> = {
  ar: {
    ask: 'هل تريد إيقاف رسائل البريد الإلكتروني «{}»؟',
    button: 'إيقاف',
    done: 'لن تصلك بعد الآن رسائل البريد الإلكتروني «{}».',
    title: 'إلغاء الاشتراك',
    unknown: 'هذا الرابط غير صالح.'
  },
  de: {
    ask: 'Sollen keine E-Mails „{}“ mehr kommen?',
    button: 'Abbestellen',
    done: 'Es kommen keine E-Mails „{}“ mehr.',
    title: 'Abbestellen',
    unknown: 'Dieser Link gilt nicht.'
  },
  en: {
    ask: 'Do you want no more e-mails “{}”?',
    button: 'Unsubscribe',
    done: 'You will get no more e-mails “{}”.',
    title: 'Unsubscribe',
    unknown: 'This link is not valid.'
  }
}

/** Nothing is loaded, nothing runs, and the form goes nowhere else. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/** @param accept - value of Accept-Language; the first language that we speak, else English */
export function languageOf(accept: string | undefined): string {
  const wanted = (accept ?? '').split(',').map(part => part.trim().slice(0, 2).toLowerCase())
  return wanted.find(tag => Object.hasOwn(WORDS, tag)) ?? 'en'
}

/** @param title - of the type; undefined: the link is not ours */
export function pageOf(language: string, state: 'ask' | 'done', title: string | undefined): string {
  const words = WORDS[language] ?? WORDS['en']!
  // A function, because a title may have `$&` in it.
  const text = title === undefined ? words.unknown : words[state].replace('{}', () => title)
  const form =
    title !== undefined && state === 'ask'
      ? `<form method="post"><button>${escapeHtml(words.button)}</button></form>`
      : ''
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${escapeHtml(words.title)}</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { max-width: 32rem; margin: 15vh auto 0; padding: 0 1rem }
  button { font: inherit; padding: 0.5rem 1.25rem; cursor: pointer }
</style>
<h1>${escapeHtml(words.title)}</h1>
<p>${escapeHtml(text)}</p>
${form}
</html>
`
}
