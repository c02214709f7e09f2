// Registration, apart from the classes: importing a class never takes a tag.

/** Defines a tag unless the page has it already (two copies of the kit, two bundles). */
export function define(tag: string, element: CustomElementConstructor): void {
  if (!customElements.get(tag)) customElements.define(tag, element)
}
