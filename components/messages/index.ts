// The languages besides English, each fetched when a page first needs it.

import type { Messages } from './en.ts'

const LANGUAGES: Readonly<Record<string, () => Promise<Messages>>> = {
  ar: async () => (await import('./ar.ts')).ar,
  de: async () => (await import('./de.ts')).de
}

/** The words of a language, or undefined where English has to do. `lang` is a BCP 47 tag. */
export async function loadMessages(lang: string): Promise<Messages | undefined> {
  return LANGUAGES[lang.split('-')[0]!.toLowerCase()]?.()
}
