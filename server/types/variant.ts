// A template's name within a channel: its id and the language it is written in, as `short@de-AT`. `@de` is the German
// form of the default template.

import { localeName } from '../core/locale.ts'

export interface Variant {
  /** `''`: the default one. */
  readonly id: string
  /** BCP 47; absent: for everybody who has no form of their own. */
  readonly locale?: string
}

const LOCALE = /^(.*)@([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*)$/s

/** What does not end like a language is an id as a whole, also with an @ in it. */
export function readVariant(name: string): Variant {
  const [, id, tag] = LOCALE.exec(name) ?? []
  const locale = tag === undefined ? undefined : localeName(tag)
  return locale === undefined ? { id: name } : { id: id!, locale }
}

/** One spelling for each. */
export const variantName = ({ id, locale }: Variant): string =>
  locale === undefined ? id : `${id}@${locale}`
