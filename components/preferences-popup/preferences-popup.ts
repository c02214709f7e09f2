// `<notif-preferences-popup>`: the preferences as a dialog.

import type { PropertyValues } from '@lit/reactive-element'
import { html, nothing, type TemplateResult } from 'lit/html.js'

import { object, param } from '../core/param.ts'
import { PreferencesController } from '../preferences/controller.ts'
import { renderPauseButton } from '../preferences/pause.ts'
import { preferenceStyles } from '../preferences/preferences.styles.ts'
import { renderPreferences } from '../preferences/template.ts'
import { renderIconButton } from '../view/button.ts'
import { CHECK, CLOSE, icon } from '../view/icons.ts'
import { attachTemplate } from '../view/render.ts'
import { TemplateElement } from '../view/template-element.ts'
import { styles } from './preferences-popup.styles.ts'

/**
 * The preferences of the user as a modal dialog: which notifications they get, on which channel and how often.
 *
 * @tagname notif-preferences-popup
 * @summary Preferences as a dialog.
 * @slot empty - Shown if there are no preferences yet.
 * @slot error - Shown if the preferences could not be loaded.
 * @fires close - The dialog was closed. The event does not bubble.
 * @fires notif-error - The server refused a change, which is undone already.
 * @csspart dialog - The dialog.
 * @csspart header - The heading and its button.
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
 * @csspart footer - The text that changes are saved.
 * @cssprop [--notif-accent] - Colour of switches that are on, and of focused things.
 */
export class NotifPreferencesPopup extends TemplateElement {
  static override styles = [...preferenceStyles, styles]

  /** Whether the dialog is open. */
  @param(Boolean, true) open = false
  /** Called after the dialog closed. */
  @object() onClose: (() => void) | undefined

  readonly #controller: PreferencesController = new PreferencesController(this, false)

  constructor() {
    super()
    attachTemplate(this, () => this.#render())
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog')
  }

  override connectedCallback(): void {
    super.connectedCallback()
    // A dialog that was moved is no longer in the top layer.
    if (this.open) {
      this.#dialog?.removeAttribute('open')
      this.requestUpdate('open', false)
    }
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed)
    const dialog = this.#dialog
    if (!changed.has('open') || !dialog || this.open === dialog.open) return
    if (this.open) dialog.showModal()
    else dialog.close()
  }

  #render(): TemplateResult {
    return html`<dialog
      part="dialog"
      aria-labelledby="heading"
      @close=${this.#onDialogClose}
      @click=${this.#onDialogClick}
    >
      ${this.open ? this.#renderContent() : nothing}
    </dialog>`
  }

  #renderContent(): TemplateResult {
    const { isSaved, messages } = this.#controller
    const status = isSaved ? html`${icon(CHECK, 'small')}${messages.saved}` : nothing
    return html`<div class="header" part="header">
        <div class="headline">
          <h2 class="heading" part="heading" id="heading" tabindex="-1" autofocus>${messages.preferences}</h2>
          ${renderPauseButton(this.#controller)}
          ${renderIconButton(messages.close, icon(CLOSE), () => this.hide())}
        </div>
      </div>
      <div class="list">${renderPreferences(this.#controller)}</div>
      <div class="footer" part="footer">
        <span>${messages.preferencesSaved}</span><span class="saved" role="status">${status}</span>
      </div>`
  }

  // The dialog has no padding: a click on itself is a click on its backdrop.
  readonly #onDialogClick = (event: Event): void => {
    if (event.target === this.#dialog) this.hide()
  }

  readonly #onDialogClose = (): void => {
    this.open = false
    this.dispatchEvent(new Event('close'))
    this.onClose?.()
  }

  /** Opens the dialog. */
  show(): void {
    this.open = true
  }

  /** Closes the dialog. */
  hide(): void {
    this.open = false
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-preferences-popup': NotifPreferencesPopup
  }
}
