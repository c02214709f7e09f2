// How elements declare their parameters: `camelCase` as property, the same in `kebab-case` as attribute. Templates of Vue and
// React set a property of whatever name they write where there is one, so it has both: a function is no attribute.

import type { PropertyDeclaration, ReactiveElement } from '@lit/reactive-element'

type Declare = (prototype: ReactiveElement, name: string) => void

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

const declare =
  (options: PropertyDeclaration): Declare =>
  (prototype, name) => {
    const { constructor } = prototype
    const attribute = kebab(name)
    ;(constructor as typeof ReactiveElement).createProperty(name, { attribute, ...options })
    // Vue makes 0 of a number that is not given, and an attribute does as well.
    if (options.type === Number || attribute === name) return
    Object.defineProperty(prototype, attribute, {
      get() {
        return this[name]
      },
      set(value) {
        // A switch that stands alone is an empty text to React and Svelte.
        this[name] = (options.type && value === '') || value
      }
    })
  }

/** A parameter that is an attribute as well. `type` says how a text becomes a value; without it it stays a text. */
export const param = (type?: typeof Boolean | typeof Number, reflect = false): Declare =>
  declare({ reflect, type })

/** Objects and functions: a property only. */
export const object = (): Declare => declare({ attribute: false })
