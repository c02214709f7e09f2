// Says that a page gave a wrong value: once for each, and what would have been right.

const told = new Set<string>()

export function tell(
  { localName }: Element,
  name: string,
  value: unknown,
  expected: string | readonly string[]
): void {
  const right = typeof expected === 'string' ? expected : expected.join(', ')
  warn(`<${localName}> ${name}: expected ${right}, got ${String(value)}; the default is used.`)
}

export const twice = (): void => warn('notif-kit is on this page twice: the copy that came first is used.')

function warn(text: string): void {
  if (told.has(text)) return
  told.add(text)
  console.warn(text)
}
