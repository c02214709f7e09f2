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
 * What reaches a person, by which channel and how often, as a modal dialog over the page.
 *
 * @tagname notif-preferences-popup
 * @summary Preferences as a dialog.
 * @slot empty - Shown when there is nothing to choose about.
 * @slot error - Shown when the preferences could not be loaded.
 * @fires close - The dialog was closed. Does not bubble.
 * @fires notif-error - A change was refused and is already taken back.
 * @csspart dialog - The dialog.
 * @csspart header - Heading and button.
 * @csspart heading - The heading.
 * @csspart types - All types.
 * @csspart type - One type or sub-notification.
 * @csspart title - Its title.
 * @csspart channel - One channel of it.
 * @csspart switch - Its switch.
 * @csspart frequency - How often.
 * @csspart note - That a change was refused.
 * @csspart blank - What stands in place of an empty list.
 * @csspart footer - What says that changes are kept.
 * @cssprop [--notif-accent] - What is on or focused.
 */
export class NotifPreferencesPopup extends ReactiveElement {
  static override styles = [...preferenceStyles, styles]

  /** Whether the dialog is open. */
  @param(Boolean, true) open = false
  /** Called when the dialog was closed. */
  @object() onClose: (() => void) | undefined
  /** Store to use instead of that of the closest provider. */
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
        <span>${words.preferencesKept}</span><span class="saved" role="status">${note}</span>
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
