// Says that a page gave a wrong value: once for each, and what would have been right.

const told = new Set<string>()

export function tell(
  { localName }: Element,
  name: string,
  value: unknown,
  expected: string | readonly string[]
): void {
  const right = typeof expected === 'string' ? expected : expected.join(', ')
  const text = `<${localName}> ${name}: expected ${right}, got ${String(value)}; the default is used.`
  if (told.has(text)) return
  told.add(text)
  console.warn(text)
}
