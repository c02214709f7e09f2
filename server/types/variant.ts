// The name of a template within a channel: its id and its language, such as `short@de-AT`. `@de` is the default template in German.

import { localeName } from '../core/locale.ts'

export interface Variant {
  /** `''` for the default template. */
  readonly id: string
  /** BCP 47; absent for users without a template in their language. */
  readonly locale?: string
}

const LOCALE = /^(.*)@([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*)$/s

/** A name that does not end with a language is an id, also if it contains @. */
export function readVariant(name: string): Variant {
  const [, id, tag] = LOCALE.exec(name) ?? []
  const locale = tag === undefined ? undefined : localeName(tag)
  return locale === undefined ? { id: name } : { id: id!, locale }
}

export const variantName = ({ id, locale }: Variant): string =>
  locale === undefined ? id : `${id}@${locale}`
