// The preferences as a dialog.

import { ReactiveElement, type PropertyValues } from '@lit/reactive-element'
import { html, nothing, type TemplateResult } from 'lit/html.js'

import { object, param } from '../core/param.ts'
import { PreferenceCenter } from '../preferences/preference-center.ts'
import { preferenceStyles } from '../preferences/preference-styles.ts'
import { preferencesTemplate } from '../preferences/preference-template.ts'
import type { NotifStore } from '../store/types.ts'
import { pictureButton } from '../view/button.ts'
import { CHECK, CLOSE, icon } from '../view/icons.ts'
import { draw } from '../view/render.ts'
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
 * @csspart banner - The line about a refused change.
 * @csspart empty-state - The content if there are no types, or they could not be loaded.
 * @csspart footer - The text that changes are saved.
 * @cssprop [--notif-accent] - Colour of switches that are on, and of focused things.
 */
export class NotifPreferencesPopup extends ReactiveElement {
  static override styles = [...preferenceStyles, styles]

  /** Whether the dialog is open. */
  @param(Boolean, true) open = false
  /** Called after the dialog closed. */
  @object() onClose: (() => void) | undefined
  /** Store to use instead of the store of the closest provider. */
  @object() store: NotifStore | undefined

  readonly #center: PreferenceCenter = new PreferenceCenter(this, false)

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog')
  }

  override connectedCallback(): void {
    super.connectedCallback()
    // A dialog that was moved has left the top layer.
    if (this.open) {
      this.#dialog?.removeAttribute('open')
      this.requestUpdate('open', false)
    }
  }

  protected override update(changed: PropertyValues): void {
    const content = this.#render()
    super.update(changed)
    draw(this, content, this.#center.locale)
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
      @close=${this.#closed}
      @click=${this.#clicked}
    >
      ${this.open ? this.#content() : nothing}
    </dialog>`
  }

  #content(): TemplateResult {
    const { saved, words } = this.#center
    const note = saved ? html`${icon(CHECK, 'small')}${words.saved}` : nothing
    return html`<div class="header" part="header">
        <div class="headline">
          <h2 class="heading" part="heading" id="heading" tabindex="-1" autofocus>${words.preferences}</h2>
          ${pictureButton(words.close, icon(CLOSE), () => this.hide())}
        </div>
      </div>
      <div class="list">${this.#center.speaks ? preferencesTemplate(this.#center) : nothing}</div>
      <div class="footer" part="footer">
        <span>${words.preferencesSaved}</span><span class="saved" role="status">${note}</span>
      </div>`
  }

  // The dialog has no padding, so a click on itself is one beside it.
  readonly #clicked = (event: Event): void => {
    if (event.target === this.#dialog) this.hide()
  }

  readonly #closed = (): void => {
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
