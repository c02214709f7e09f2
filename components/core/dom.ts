// Creates and updates elements without templates, for what is on every page: lit-html is loaded with the inbox.

import type { ReactiveElement } from '@lit/reactive-element'

import { warnBy } from './validate.ts'

/** Undefined removes an attribute. */
type Attributes = Readonly<Record<string, string | undefined>>

/** Sets only what differs, so that no mutation is reported. */
export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) element.removeAttribute(name)
    else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
  }
}

export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

type Content = readonly [attributes: Attributes, ...content: readonly Node[]]

function fill<T extends Element>(element: T, [attributes, ...content]: Content): T {
  setAttributes(element, attributes)
  element.append(...content)
  return element
}

export const createElement = <T extends keyof HTMLElementTagNameMap>(
  tag: T,
  ...rest: Content
): HTMLElementTagNameMap[T] => fill(document.createElement(tag), rest)

export const createSvg = (tag: string, ...rest: Content): Element =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), rest)

export const reportSecondCopy = (): void => warnBy(({ warnSecondCopy }) => warnSecondCopy())

export type ElementClass = CustomElementConstructor & typeof ReactiveElement

/** Attributes that may be mistakes. The code that knows the attributes of HTML is loaded only if there are any. */
const findSuspects = (host: ReactiveElement): string[] =>
  host
    .getAttributeNames()
    .filter(
      name =>
        host.getAttribute(name) === 'false' ||
        (!(name in host || /^(class$|data-|aria-)/.test(name)) &&
          !(host.constructor as ElementClass).observedAttributes.includes(name))
    )

/** Defines a tag. If another copy of the kit defined it already, that copy serves the whole page. */
export function define(tag: string, element: ElementClass): void {
  const defined = customElements.get(tag)
  if (!defined) {
    element.addInitializer(host =>
      host.addController({
        hostConnected() {
          const names = findSuspects(host)
          if (names[0]) warnBy(({ warnAttributes }) => warnAttributes(host, names))
        }
      })
    )
    customElements.define(tag, element)
  } else if (defined !== element) reportSecondCopy()
}
