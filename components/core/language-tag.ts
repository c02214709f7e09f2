// Language tags of pages.

/** The tag, or English where a page carries a `lang` that is no language tag at all: times still have to be shown. */
export function toTag(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang)[0] ?? 'en'
  } catch {
    return 'en'
  }
}
