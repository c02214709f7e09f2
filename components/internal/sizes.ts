// Sizes and colours of parameters, written through the CSSOM: a `style` attribute is blocked by the strict policy.

/** A CSS length: numbers are pixels, texts stay as they are. */
export function length(value: number | string | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const pixels = Number(value)
  return Number.isNaN(pixels) ? String(value) : `${pixels}px`
}

/** Sets custom properties of an element of ours, or takes them away where the value is undefined. */
export function setStyles(
  element: HTMLElement | null | undefined,
  values: Readonly<Record<string, string | undefined>>
): void {
  if (!element) return
  for (const [name, value] of Object.entries(values)) {
    // An empty text takes it away.
    element.style.setProperty(name, value ?? '')
  }
}
