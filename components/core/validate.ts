// Validates parameters, which come from pages: a wrong value is logged once, and the default is used.

import type { NotifStore } from '../store/types.ts'

/** Logs a warning. Its code is loaded when it is first needed. */
export function warnBy(log: (warnings: typeof import('./on-demand/warnings.ts')) => void): undefined {
  import('./on-demand/warnings.ts').then(log, () => {})
}

/** Logs a wrong value. @param expected - default: the name */
export const warnInvalid = (
  ...args: [host: Element, name: string, value: unknown, expected?: string | readonly string[]]
): undefined => warnBy(({ warnWrongValue }) => warnWrongValue(...args))

/** Returns the store of an element, or undefined if it is something else, such as a promise. */
export function validateStore(host: Element & { store?: NotifStore | undefined }): NotifStore | undefined {
  const { store } = host
  return store && !store.$counts ? warnInvalid(host, 'store', store) : store
}

/** Returns the value if it is an object. A falsy value means that there is none. */
export function validateObject<T extends object>(
  host: Element,
  name: string,
  value: T | undefined
): T | undefined {
  if (value === Object(value)) return value
  return value ? warnInvalid(host, name, value, 'an object') : undefined
}

/**
 * Returns the value if it is allowed, or else the fallback. `undefined`, `null` and an empty text mean that there is no value.
 *
 * @param fallback - default: the first one allowed
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
