// Creates and updates elements without templates, for what is on every page: lit-html is loaded with the inbox.

import type { ReactiveElement } from '@lit/reactive-element'

import { warnBy } from './validate.ts'

const HTML = 'http://www.w3.org/1999/xhtml'
export const SVG = 'http://www.w3.org/2000/svg'

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

export const createInNamespace =
  (namespace: string) =>
  (tag: string, attributes: Attributes, ...content: readonly Node[]): Element => {
    const element = document.createElementNS(namespace, tag)
    setAttributes(element, attributes)
    element.append(...content)
    return element
  }

export const createElement = createInNamespace(HTML) as <T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes,
  ...content: readonly Node[]
) => HTMLElementTagNameMap[T]

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
