// The languages besides English. Each file is loaded when a page first needs its language.

import type { Messages } from './en.ts'

const LANGUAGES: Readonly<Record<string, () => Promise<Messages>>> = {
  ar: async () => (await import('./ar.ts')).ar,
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
  it: async () => (await import('./it.ts')).it,
  ja: async () => (await import('./ja.ts')).ja,
  nl: async () => (await import('./nl.ts')).nl,
  pt: async () => (await import('./pt.ts')).pt,
  zh: async () => (await import('./zh.ts')).zh
}

/**
 * Loads the texts of a language.
 *
 * @param lang - BCP 47 tag
 * @returns undefined if the language has no file: English is used
 */
export async function loadMessages(lang: string): Promise<Messages | undefined> {
  return LANGUAGES[lang.split('-')[0]!.toLowerCase()]?.()
}
