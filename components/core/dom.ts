// Elements made by hand, for what is on every page: templates, half of Lit, come with the inbox.

const HTML = 'http://www.w3.org/1999/xhtml'
export const SVG = 'http://www.w3.org/2000/svg'

/** Undefined takes an attribute away. */
type Attributes = Readonly<Record<string, string | undefined>>

/** Writes the attributes that are not so yet. */
export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) element.removeAttribute(name)
    else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
  }
}

/** Writes a text that is not so yet. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

export const createInNamespace =
  (space: string) =>
  (tag: string, attributes: Attributes, ...content: readonly Node[]): Element => {
    const element = document.createElementNS(space, tag)
    setAttributes(element, attributes)
    element.append(...content)
    return element
  }

export const createElement = createInNamespace(HTML) as <T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes,
  ...content: readonly Node[]
) => HTMLElementTagNameMap[T]
