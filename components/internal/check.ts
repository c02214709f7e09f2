// Parameters come from pages: a wrong value is named once and the default used, nothing breaks.

const silent = (): void => {}

/** Says it once, by code that only a mistake loads. */
export function warned(text: string): void {
  import('./mistake.ts').then(({ warn }) => warn(text), silent)
}

/** Names a wrong value. */
export function mistaken(
  ...mistake: [host: Element, name: string, value: unknown, expected: string | readonly string[]]
): void {
  import('./mistake.ts').then(({ tell }) => tell(...mistake), silent)
}

/** The value if it is one of those allowed, otherwise the default. `undefined` and `null` mean the default. */
export function oneOf<T extends string>(
  host: Element,
  name: string,
  value: unknown,
  allowed: readonly T[],
  fallback: T
): T {
  const found = allowed.find(one => one === value)
  if (found === undefined && value !== undefined && value !== null) {
    mistaken(host, name, value, allowed)
  }
  return found ?? fallback
}
