// The preferences as a part of a page.

import { ReactiveElement, type PropertyValues } from '@lit/reactive-element'
import { html, nothing, type TemplateResult } from 'lit/html.js'

import { object } from '../core/param.ts'
import type { NotifStore } from '../store/types.ts'
import { draw } from '../view/render.ts'
import { PreferenceCenter } from './preference-center.ts'
import { preferenceStyles } from './preference-styles.ts'
import { preferencesTemplate } from './preference-template.ts'
import { styles } from './preferences.styles.ts'

/**
 * What reaches a person, by which channel and how often. Changes are kept as they are made.
 *
 * @tagname notif-preferences
 * @summary Preferences inside a page.
 * @slot header - Instead of the heading and its sentence.
 * @slot empty - Shown when there is nothing to choose about.
 * @slot error - Shown when the preferences could not be loaded.
 * @fires notif-error - A change was refused and is already taken back.
 * @csspart header - Heading and sentence.
 * @csspart heading - The heading.
 * @csspart types - All types.
 * @csspart type - One type or sub-notification.
 * @csspart title - Its title.
 * @csspart channel - One channel of it.
 * @csspart switch - Its switch.
 * @csspart frequency - How often.
 * @csspart note - That a change was refused.
 * @csspart blank - What stands in place of an empty list.
 * @cssprop [--notif-accent] - What is on or focused.
 */
export class NotifPreferences extends ReactiveElement {
  static override styles = [...preferenceStyles, styles]

  /** Store to use instead of that of the closest provider. */
  @object() store: NotifStore | undefined

  readonly #center: PreferenceCenter = new PreferenceCenter(this, true)

  protected override update(changed: PropertyValues): void {
    const content = this.#render()
    super.update(changed)
    draw(this, content, this.#center.locale)
  }

  #render(): TemplateResult {
    const { words } = this.#center
    return html`<slot name="header"
        ><div class="header" part="header">
          <h2 class="heading" part="heading">${words.preferences}</h2>
          <p><bdi>${words.preferencesText}</bdi></p>
        </div></slot
      >${this.#center.speaks ? preferencesTemplate(this.#center) : nothing}`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-preferences': NotifPreferences
  }
}
