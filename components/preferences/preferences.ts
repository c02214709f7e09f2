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
 * The preferences of the user: which notifications they get, on which channel and how often. Changes are saved automatically.
 *
 * @tagname notif-preferences
 * @summary Preferences inside a page.
 * @slot header - Replaces the heading and its text.
 * @slot empty - Shown if there are no preferences yet.
 * @slot error - Shown if the preferences could not be loaded.
 * @fires notif-error - The server refused a change, which is undone already.
 * @csspart header - The heading and its text.
 * @csspart heading - The heading.
 * @csspart types - All types.
 * @csspart type - One type or sub-notification.
 * @csspart title - The title of a type.
 * @csspart channel - One channel of a type.
 * @csspart switch - The switch of a channel.
 * @csspart frequency - The field that chooses a frequency.
 * @csspart banner - The line about a refused change.
 * @csspart empty-state - The content if there are no types, or they could not be loaded.
 * @cssprop [--notif-accent] - Colour of switches that are on, and of focused things.
 */
export class NotifPreferences extends ReactiveElement {
  static override styles = [...preferenceStyles, styles]

  /** Store to use instead of the store of the closest provider. */
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
