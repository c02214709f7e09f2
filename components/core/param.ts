// Declares parameters of elements: a property in `camelCase`, and an attribute with the same name in `kebab-case`. Templates of Vue,
// React and Svelte set a property of the name that they contain if there is one: a value that is not a text has both names.

import type { PropertyDeclaration, ReactiveElement } from '@lit/reactive-element'

import { toKebabCase } from './kebab-case.ts'

type Decorator = (prototype: ReactiveElement, name: string) => void

/** React and Svelte set an empty text for an attribute without a value. */
function acceptEmptyText(prototype: ReactiveElement, name: string): void {
  const accessors = Object.getOwnPropertyDescriptor(prototype, name)!
  Object.defineProperty(prototype, name, {
    ...accessors,
    set(value) {
      accessors.set!.call(this, value === '' || value)
    }
  })
}

const declare =
  (options: PropertyDeclaration, hasBothNames = true): Decorator =>
  (prototype, name) => {
    const { constructor } = prototype
    const attribute = toKebabCase(name)
    ;(constructor as typeof ReactiveElement).createProperty(name, { attribute, ...options })
    if (options.type === Boolean) acceptEmptyText(prototype, name)
    if (!hasBothNames || attribute === name) return
    Object.defineProperty(prototype, attribute, {
      get() {
        return this[name]
      },
      set(value) {
        this[name] = value
      }
    })
  }

/**
 * A parameter that is an attribute as well. A text or a number has only one name: Vue would set the property to an empty text or 0
 * if no value is given, and CSS of pages finds attributes only.
 *
 * @param type - converts the attribute. Default: a text
 */
export const param = (type?: typeof Boolean | typeof Number, reflect = false): Decorator =>
  declare({ reflect, type }, type === Boolean)

/** A text, also as an attribute, or a value of another type. */
export const either = (): Decorator => declare({})

/** An object or a function, without an attribute. */
export const object = (): Decorator => declare({ attribute: false })
