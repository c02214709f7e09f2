// Sizes and colours of parameters, written through the CSSOM: a `style` attribute is blocked by the strict policy.

import { tryTo } from './safe-call.ts'
import { warnInvalid } from './validate.ts'

/** A parameter as a browser takes it for a CSS property; bare numbers are pixels where the property wants a length. */
export function fit(
  host: Element,
  name: string,
  property: string,
  value: unknown = (host as unknown as Record<string, unknown>)[name]
): string | undefined {
  if ((value ?? '') === '') return undefined
  const found = tryTo(() => [`${value}`, `${value}px`].find(text => CSS.supports(property, text)))
  return found ?? warnInvalid(host, name, value, `a CSS ${property}`)
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
