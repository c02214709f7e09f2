// Sentences with a number in them, by the plural rules of their language.

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

/** Picks the form for a number and puts the number, written as the language writes it, in place of `#`. */
export function plural(lang: string, forms: Forms): (n: number) => string {
  let rules: Intl.PluralRules | undefined
  let digits: Intl.NumberFormat | undefined
  return n => {
    rules ??= new Intl.PluralRules(lang)
    digits ??= new Intl.NumberFormat(lang)
    return (forms[rules.select(n)] ?? forms.other).replace('#', digits.format(n))
  }
}
