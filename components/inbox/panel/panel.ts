// The popover of popup and launcher with the inbox in it; fetched when somebody comes near the bell.

import type { ReactiveController } from '@lit/reactive-element'
import { html, noChange, nothing, type TemplateResult } from 'lit/html.js'

import { announceState, EMPTY_STATE_TITLE, OFFLINE_BANNER } from '../../announce/announce-state.ts'
import type { InboxElement } from '../../core/inbox-element.ts'
import { fit, setStyles } from '../../core/sizes.ts'
import { draw } from '../../view/render.ts'
import { Inbox } from '../controller.ts'
import { inboxStyles } from '../inbox.styles.ts'
import { inboxTemplate, langOfTitle, titleOf } from '../template.ts'
import { styles } from './panel.styles.ts'
import { place, readPosition, type PopoverPosition } from './position.ts'

interface Host extends InboxElement {
  readonly popoverPosition: PopoverPosition | string | undefined
  readonly popupHeight: number | string | undefined
  readonly popupWidth: number | string | undefined
}

export class Panel implements ReactiveController {
  open = false
  readonly #host: Host
  readonly #inbox: Inbox
  /** The focus was in the panel when it began to close: a click elsewhere has taken it away already. */
  #inside = false

  constructor(host: Host) {
    this.#host = host
    this.#inbox = new Inbox(host)
    const root = host.renderRoot as ShadowRoot
    root.adoptedStyleSheets.push(...[...inboxStyles, styles].map(({ styleSheet }) => styleSheet!))
    host.addController(this)
  }

  get #element(): HTMLElement | null {
    return this.#host.renderRoot.querySelector('.panel')
  }

  get #button(): HTMLButtonElement | null {
    return this.#host.renderRoot.querySelector('.bell')
  }

  get #hasFocus(): boolean {
    const { shadowRoot } = this.#host
    // Not by :focus-within, which Chromium does not set on a host whose popover has the focus.
    if (shadowRoot?.activeElement) return shadowRoot.activeElement !== this.#button
    return this.#host.contains((this.#host.getRootNode() as Document | ShadowRoot).activeElement)
  }

  show(): void {
    if (!this.open) this.#element?.showPopover({ source: this.#button } as object)
  }

  hide(): void {
    if (this.open) this.#element?.hidePopover()
  }

  hostUpdated(): void {
    const host = this.#host
    setStyles(this.#element, {
      '--_panel-height': fit(host, 'popupHeight', 'height'),
      '--_panel-width': fit(host, 'popupWidth', 'width')
    })
  }

  hostDisconnected(): void {
    // A page may also move it without taking it out, and then it stays open.
    if (this.open && !this.#element?.matches(':popover-open')) this.#close()
  }

  draw(content: unknown): void {
    draw(this.#host, content, this.#host.language)
  }

  render(): TemplateResult {
    return html`<div
      class="panel"
      part="panel"
      id="panel"
      popover
      role="dialog"
      aria-label=${titleOf(this.#inbox)}
      lang=${langOfTitle(this.#inbox)}
      data-at=${readPosition(this.#host) ?? nothing}
      @beforetoggle=${this.#toggling}
      @toggle=${this.#toggled}
    >
      ${this.#content()}
    </div>`
  }

  /** What was to be seen stays while the panel goes away, unless its user has gone. */
  #content(): unknown {
    if (this.open) return inboxTemplate(this.#inbox, { close: () => this.hide(), scrolls: true })
    return this.#inbox.view ? noChange : nothing
  }

  // Before and not after, because "after" is told late: whoever closes and opens at once would find it still open.
  readonly #toggling = (event: Event): void => {
    if (event.target !== this.#element) return
    if ((event as ToggleEvent).newState === 'open') return this.#opening()
    this.#inside = this.#hasFocus
    this.#close()
  }

  readonly #toggled = (event: Event): void => {
    if (event.target !== this.#element) return
    if (this.open) void this.#focus()
    // Chromium gives the focus back by itself, but not into a shadow root.
    else if (this.#inside && this.#hasFocus) this.#button?.focus()
  }

  #opening(): void {
    this.open = true
    const button = this.#button
    // Its width is known when it is shown, which is before the window is drawn again.
    if (button) requestAnimationFrame(() => place(this.#element!, button))
    this.#inbox.enter()
    this.#host.requestUpdate()
  }

  // The heading, so that a screen reader says where one is. Whoever moved on meanwhile is left where he is.
  async #focus(): Promise<void> {
    await announceState(this.#host, `${OFFLINE_BANNER},${EMPTY_STATE_TITLE}`)
    const at = this.#host.shadowRoot?.activeElement
    if (this.open && (!at || at === this.#button)) {
      this.#host.renderRoot.querySelector<HTMLElement>('.heading')?.focus()
    }
  }

  #close(): void {
    // Chromium gives it back by itself, but not into a shadow root. A click elsewhere has taken it away already.
    if (this.#hasFocus) this.#button?.focus()
    this.open = false
    this.#inbox.leave()
    this.#host.requestUpdate()
  }
}
