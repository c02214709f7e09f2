// The popover of popup and launcher with the inbox; loaded when the pointer or the focus reaches the bell.

import type { ReactiveController } from '@lit/reactive-element'
import { html, noChange, nothing, type TemplateResult } from 'lit/html.js'

import { announceState, EMPTY_STATE_TITLE, OFFLINE_BANNER } from '../../announce/announce-state.ts'
import { toCssValue, setStyles } from '../../core/css-values.ts'
import { emit } from '../../view/emit.ts'
import { adoptStyles, attachTemplate } from '../../view/render.ts'
import type { InboxElement } from '../base/inbox-element.ts'
import { InboxController } from '../controller.ts'
import { inboxStyles, renderInbox } from '../frame.ts'
import { getTitle, getTitleLang } from '../header/header.ts'
import { styles } from './panel.styles.ts'
import { placePanel, readPosition, type PopoverPosition } from './position.ts'

interface Host extends InboxElement {
  open: boolean
  readonly popoverPosition: PopoverPosition | string | undefined
  readonly popupHeight: number | string | undefined
  readonly popupWidth: number | string | undefined
}

export class Panel implements ReactiveController {
  isOpen = false
  readonly #host: Host
  readonly #inbox: InboxController
  readonly #internals: ElementInternals
  /** The focus was in the panel when it began to close. A click elsewhere may have moved it since. */
  #hadFocus = false
  /** The page prevented that it closes. */
  #isReopening = false

  constructor(host: Host) {
    this.#host = host
    this.#inbox = new InboxController(host)
    attachTemplate(host, () => this.#render())
    adoptStyles(host, ...inboxStyles, styles)
    host.addController(this)
    this.#internals = host.attachInternals()
  }

  get #element(): HTMLElement | null {
    return this.#host.renderRoot.querySelector('.panel')
  }

  get #button(): HTMLButtonElement | null {
    return this.#host.renderRoot.querySelector('.bell')
  }

  get #hasFocus(): boolean {
    const { shadowRoot } = this.#host
    // Chromium does not set :focus-within on a host whose popover has the focus.
    if (shadowRoot?.activeElement) return shadowRoot.activeElement !== this.#button
    return this.#host.contains((this.#host.getRootNode() as Document | ShadowRoot).activeElement)
  }

  hostUpdated(): void {
    const host = this.#host
    setStyles(this.#element, {
      '--_panel-height': toCssValue(host, 'popupHeight', 'height'),
      '--_panel-width': toCssValue(host, 'popupWidth', 'width')
    })
    // Not now: what changes while an element updates makes it update again.
    queueMicrotask(() => this.sync())
  }

  /** Opens or closes the popover as the host says. */
  sync(): void {
    const { isConnected, open } = this.#host
    if (open === this.isOpen || !isConnected) return
    if (open) this.#element?.showPopover({ source: this.#button } as object)
    else this.#element?.hidePopover()
  }

  hostDisconnected(): void {
    // `moveBefore` of a page keeps the popover open.
    if (this.isOpen && !this.#element?.matches(':popover-open')) this.#close()
  }

  #render(): TemplateResult {
    return html`<div
      class="panel"
      part="panel"
      id="panel"
      popover
      role="dialog"
      aria-label=${getTitle(this.#inbox)}
      lang=${getTitleLang(this.#inbox)}
      data-at=${readPosition(this.#host) ?? nothing}
      @beforetoggle=${this.#onBeforeToggle}
      @toggle=${this.#onToggle}
    >
      ${this.#renderContent()}
    </div>`
  }

  /** While the panel closes, its content stays visible, unless its user signed out. */
  #renderContent(): unknown {
    // At once, so that the focus is on the bell before a dialog opens.
    const close = (): void => this.#element?.hidePopover()
    if (this.isOpen) return renderInbox(this.#inbox, { close, scrolls: true })
    return this.#inbox.view ? noChange : nothing
  }

  // `toggle` fires later: if the panel is closed and opened at once, it would still seem open.
  readonly #onBeforeToggle = (event: Event): void => {
    if (event.target !== this.#element) return
    const host = this.#host
    if ((event as ToggleEvent).newState === 'open') {
      if (this.#isReopening || emit(host, 'notif-show')) return this.#open()
      event.preventDefault()
      host.open = false
      return
    }
    this.#hadFocus = this.#hasFocus
    this.#isReopening = !emit(host, 'notif-hide')
    this.#close()
  }

  readonly #onToggle = (event: Event): void => {
    if (event.target !== this.#element) return
    if (this.isOpen) void this.#focusHeading()
    // Chromium returns the focus, but not into a shadow root.
    else if (this.#hadFocus && this.#hasFocus) this.#button?.focus()
    if (!this.#isReopening) emit(this.#host, this.isOpen ? 'notif-after-show' : 'notif-after-hide')
    else if (this.isOpen) this.#isReopening = false
    // The browser cannot be kept from closing a popover, so it is opened again.
    else this.#host.open = true
  }

  #open(): void {
    this.isOpen = this.#host.open = true
    this.#internals.states.add('open')
    const button = this.#button
    // The panel has a width once it is shown, which is before the next frame.
    if (button) requestAnimationFrame(() => placePanel(this.#element!, button))
    this.#inbox.startViewing()
    this.#host.requestUpdate()
  }

  // Screen readers then read the heading. If the user moved the focus meanwhile, it stays there.
  async #focusHeading(): Promise<void> {
    await announceState(this.#host, `${OFFLINE_BANNER},${EMPTY_STATE_TITLE}`)
    const focused = this.#host.shadowRoot?.activeElement
    if (this.isOpen && (!focused || focused === this.#button)) {
      this.#host.renderRoot.querySelector<HTMLElement>('.heading')?.focus()
    }
  }

  #close(): void {
    if (this.#hasFocus) this.#button?.focus()
    this.isOpen = this.#host.open = false
    this.#internals.states.delete('open')
    this.#inbox.stopViewing()
    this.#host.requestUpdate()
  }
}
