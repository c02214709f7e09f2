// How elements declare their parameters: `camelCase` as property, the same in `kebab-case` as attribute.

import type { PropertyDeclaration, ReactiveElement } from '@lit/reactive-element'

type Declare = (prototype: ReactiveElement, name: string) => void

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

const declare =
  (options: PropertyDeclaration): Declare =>
  ({ constructor }, name) =>
    (constructor as typeof ReactiveElement).createProperty(name, { attribute: kebab(name), ...options })

/** A parameter that is an attribute as well. `type` says how a text becomes a value; without it it stays a text. */
export const param = (type?: typeof Boolean | typeof Number, reflect = false): Declare =>
  declare({ reflect, type })

/** Objects and functions: a property only. */
export const object = (): Declare => declare({ attribute: false })
