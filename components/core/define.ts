// Registration, apart from the classes: importing a class never takes a tag.

import { say } from './validate.ts'

export const sayTwice = (): void => say(({ twice }) => twice())

/** Defines a tag unless the page has it already: of two copies of the kit the first one serves the whole page. */
export function define(tag: string, element: CustomElementConstructor): void {
  const there = customElements.get(tag)
  if (!there) customElements.define(tag, element)
  else if (there !== element) sayTwice()
}
