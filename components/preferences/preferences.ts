// `<notif-preferences>`: the preferences as a part of a page.

import { html, type TemplateResult } from 'lit/html.js'

import { attachTemplate } from '../view/render.ts'
import { TemplateElement } from '../view/template-element.ts'
import { PreferencesController } from './controller.ts'
import { renderPauseButton } from './pause.ts'
import { preferenceStyles, styles } from './preferences.styles.ts'
import { renderPreferences } from './template.ts'

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
 * @csspart pause - The button that pauses notifications, and the line while they are paused.
 * @csspart topics - The topics that the user is in.
 * @csspart topic - One topic with its button.
 * @csspart quiet-hours - The quiet hours.
 * @csspart banner - The line about a refused change.
 * @csspart empty-state - The content if there are no types, or they could not be loaded.
 * @cssprop [--notif-accent] - Colour of switches that are on, and of focused things.
 */
export class NotifPreferences extends TemplateElement {
  static override styles = [...preferenceStyles, styles]

  readonly #controller: PreferencesController = new PreferencesController(this, true)

  constructor() {
    super()
    attachTemplate(this, () => this.#render())
  }

  #render(): TemplateResult {
    const { messages } = this.#controller
    return html`<slot name="header"
        ><div class="header" part="header">
          <div class="headline">
            <h2 class="heading" part="heading">${messages.preferences}</h2>
            ${renderPauseButton(this.#controller)}
          </div>
          <p><bdi>${messages.preferencesText}</bdi></p>
        </div></slot
      >${renderPreferences(this.#controller)}`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-preferences': NotifPreferences
  }
}
