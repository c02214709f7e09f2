// Registration, apart from the classes: importing a class never takes a tag.

import { warnBy } from './validate.ts'

export const reportSecondCopy = (): void => warnBy(({ warnSecondCopy }) => warnSecondCopy())

/** Defines a tag unless the page has it already: of two copies of the kit the first one serves the whole page. */
export function define(tag: string, element: CustomElementConstructor): void {
  const there = customElements.get(tag)
  if (!there) customElements.define(tag, element)
  else if (there !== element) reportSecondCopy()
}
