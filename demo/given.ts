// A Lit directive that sets several properties of an element in a template.

import { noChange } from 'lit'
import { directive, Directive, type ElementPart } from 'lit/directive.js'

class Given extends Directive {
  override render(_: object): unknown {
    return noChange
  }

  override update({ element }: ElementPart, [properties]: [object]): unknown {
    return Object.assign(element, properties) && noChange
  }
}

export const given = directive(Given)
