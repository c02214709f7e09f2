// How elements declare their parameters: `camelCase` as property, the same in `kebab-case` as attribute. Templates of Vue, React
// and Svelte set a property of whatever name they write where there is one: what is no text is a property under both names.

import type { PropertyDeclaration, ReactiveElement } from '@lit/reactive-element'

import { toKebabCase } from './kebab-case.ts'

type Declare = (prototype: ReactiveElement, name: string) => void

const declare =
  (options: PropertyDeclaration, both = true): Declare =>
  (prototype, name) => {
    const { constructor } = prototype
    const attribute = toKebabCase(name)
    ;(constructor as typeof ReactiveElement).createProperty(name, { attribute, ...options })
    if (!both || attribute === name) return
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

/**
 * A parameter that is an attribute as well. `type` says how a text becomes a value; without it it stays a text. Of a text or
 * a number that is not given Vue would make an empty property or 0, and CSS of pages finds attributes only.
 */
export const param = (type?: typeof Boolean | typeof Number, reflect = false): Declare =>
  declare({ reflect, type }, type === Boolean)

/** A text, as attribute as well, or something else that a text can stand for. */
export const either = (): Declare => declare({})

/** Objects and functions: no attribute. */
export const object = (): Declare => declare({ attribute: false })
