// Parameters come from pages: a wrong value is named once and the default used, nothing breaks.

import type { NotifStore } from '../store/types.ts'

/** Says something once, by code that only a mistake loads. */
export function warnBy(what: (mistake: typeof import('./on-demand/warnings.ts')) => void): undefined {
  import('./on-demand/warnings.ts').then(what, () => {})
}

/** Names a wrong value, and gives nothing instead. Expected is, where nothing else is said, what the name says. */
export const warnInvalid = (
  ...mistake: [host: Element, name: string, value: unknown, expected?: string | readonly string[]]
): undefined => warnBy(({ warnWrongValue }) => warnWrongValue(...mistake))

/** The store of an element if it is one: not a promise of it, for example. */
export function validateStore(host: Element & { store?: NotifStore | undefined }): NotifStore | undefined {
  const { store } = host
  return store && !store.$counts ? warnInvalid(host, 'store', store) : store
}

/** The value if it is an object; what is falsy says nothing. */
export function validateObject<T extends object>(
  host: Element,
  name: string,
  value: T | undefined
): T | undefined {
  if (value === Object(value)) return value
  return value ? warnInvalid(host, name, value, 'an object') : undefined
}

/**
 * The value if it is one of those allowed, otherwise the default, as for nothing: `undefined`, `null` and an empty text.
 *
 * @param fallback - without it the first of them
 */
export function validateChoice<T extends string>(
  host: Element,
  name: string,
  value: unknown,
  allowed: readonly T[],
  fallback = allowed[0]!
): T {
  if (allowed.includes(value as T)) return value as T
  if ((value ?? '') !== '') warnInvalid(host, name, value, allowed)
  return fallback
}
