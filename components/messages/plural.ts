// Builds texts that contain a number, by the plural rules of their language.

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

/**
 * Returns a function that picks the form for a number and replaces `#` with the number in the digits of the language, or with the
 * text that is shown instead, such as `99+`.
 */
export function plural(lang: string, forms: Forms): (n: number, shown?: string) => string {
  let rules: Intl.PluralRules | undefined
  let digits: Intl.NumberFormat | undefined
  return (n, shown) => {
    rules ??= new Intl.PluralRules(lang)
    digits ??= new Intl.NumberFormat(lang)
    return (forms[rules.select(n)] ?? forms.other).replace('#', shown || digits.format(n))
  }
}
