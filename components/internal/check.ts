// Parameters come from pages: a wrong value is named once and the default used, nothing breaks.

const told = new Set<string>()

/** The value if it is one of those allowed, otherwise the default and one warning. `undefined` and `null` mean the default. */
export function oneOf<T extends string>(
  host: Element,
  name: string,
  value: unknown,
  allowed: readonly T[],
  fallback: T
): T {
  const found = allowed.find(one => one === value)
  if (found !== undefined || value === undefined || value === null) return found ?? fallback
  warn(
    `<${host.localName}> ${name}: expected ${allowed.join(', ')}, got ${String(value)}; using ${fallback}.`
  )
  return fallback
}

/** Says it once. */
export function warn(text: string): void {
  if (told.has(text)) return
  told.add(text)
  console.warn(text)
}
