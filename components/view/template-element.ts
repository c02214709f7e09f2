// Base of the elements that render templates: finds the store and the language, and renders with each update.

import { ReactiveElement, type PropertyValues } from '@lit/reactive-element'

import { LocaleController } from '../core/locale.ts'
import { object } from '../core/param.ts'
import { StoreController } from '../core/store-controller.ts'
import type { NotifStore } from '../store/types.ts'

/** Does not import the template engine: a closed popup needs none. */
export abstract class TemplateElement extends ReactiveElement {
  /** Store to use instead of the store of the closest provider. */
  @object() store: NotifStore | undefined

  readonly source: StoreController = new StoreController(this)
  readonly language: LocaleController = new LocaleController(this, () => this.source.context)
  /** Computes the content and returns a function that renders it. Set by `attachTemplate`. */
  template: (() => () => void) | undefined

  protected override update(changed: PropertyValues): void {
    const render = this.template?.()
    super.update(changed)
    // After `super.update`, so that a property that is set meanwhile causes another update.
    render?.()
  }
}
