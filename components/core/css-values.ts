// Sizes and colors of parameters, set through the CSSOM, because a strict content security policy blocks `style` attributes.

import { tryTo } from './safe-call.ts'
import { warnInvalid } from './validate.ts'

/** Returns the value of a parameter for a CSS property. A number is in pixels if the property takes a length. */
export function toCssValue(
  host: Element,
  name: string,
  property: string,
  value: unknown = (host as unknown as Record<string, unknown>)[name]
): string | undefined {
  if ((value ?? '') === '') return undefined
  const found = tryTo(() => [`${value}`, `${value}px`].find(text => CSS.supports(property, text)))
  return found ?? warnInvalid(host, name, value, `a CSS ${property}`)
}

/** Sets custom properties; undefined removes one. */
export function setStyles(
  element: HTMLElement | null | undefined,
  values: Readonly<Record<string, string | undefined>>
): void {
  if (!element) return
  for (const [name, value] of Object.entries(values)) element.style.setProperty(name, value ?? '')
}
