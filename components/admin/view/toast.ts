// Toasts at the end of the page: what was done, and Undo for some seconds. Those of failures stay.

import { css, html, LitElement, nothing, type TemplateResult } from 'lit'

import { words } from '../words.ts'
import { controls } from './controls.styles.ts'
import { CHECK, CLOSE, icon, WARNING } from './icons.ts'
import { tokens } from './tokens.styles.ts'

const TAG = 'notif-admin-toasts'
const SHOW_SECONDS = 8

export interface Toast {
  readonly text: string
  readonly onUndo?: () => void
  /** Stays until it is closed. */
  readonly isFailure?: boolean
}

interface Shown extends Toast {
  secondsLeft: number
}

/** In the top layer, above dialogs. */
class AdminToasts extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        position: fixed;
        inset: auto 16px 24px;
        display: grid;
        justify-content: center;
        gap: 8px;
        margin: 0;
        padding: 0;
        inline-size: auto;
        border: 0;
        background: none;
        overflow: visible;
        pointer-events: none;
      }
      :host(:not(:popover-open)) {
        display: none;
      }
      .toast {
        pointer-events: auto;
        display: flex;
        align-items: center;
        gap: 10px;
        min-block-size: 44px;
        padding: 6px 8px 6px 16px;
        border-radius: 12px;
        background: light-dark(oklch(0.26 0.012 265), oklch(0.93 0.004 265));
        color: light-dark(#fff, oklch(0.2 0.012 265));
        font-size: var(--_m);
        box-shadow: 0 12px 32px -8px oklch(0.1 0.02 265 / 0.45);
        animation: rise var(--_slow) var(--_ease);
      }
      .toast svg {
        color: inherit;
      }
      .toast .button {
        min-block-size: 32px;
        box-shadow: inset 0 0 0 1px color-mix(in oklab, currentColor 40%, transparent);
      }
      .toast :is(.button, .icon-button):hover {
        background: color-mix(in oklab, currentColor 14%, transparent);
        color: inherit;
      }
      .toast .icon-button {
        inline-size: 32px;
        block-size: 32px;
        color: inherit;
      }
      .toast :focus-visible {
        outline-color: currentColor;
      }
      @keyframes rise {
        from {
          opacity: 0;
          translate: 0 12px;
        }
      }
      @media (width < 840px) {
        :host {
          inset-block-end: calc(72px + env(safe-area-inset-bottom));
        }
      }
      @media (prefers-reduced-motion: reduce) {
        .toast {
          animation: none;
        }
      }
      @media (forced-colors: active) {
        .toast {
          border: 1px solid CanvasText;
        }
      }
    `
  ]

  #toasts: readonly Shown[] = []
  #timer: ReturnType<typeof setInterval> | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    this.popover = 'manual'
    this.setAttribute('role', 'status')
  }

  add(toast: Toast): void {
    this.#toasts = [...this.#toasts, { ...toast, secondsLeft: SHOW_SECONDS }]
    this.hidePopover()
    this.showPopover()
    this.#timer ??= setInterval(this.#tick, 1000)
    this.requestUpdate()
  }

  protected override render(): readonly TemplateResult[] {
    return this.#toasts.map(
      toast =>
        html`<div class="toast">
          ${icon(toast.isFailure ? WARNING : CHECK)}<span>${toast.text}</span>${
            toast.onUndo
              ? html`<button type="button" class="button" @click=${() => this.#undo(toast)}>
                  ${words.undo(toast.secondsLeft)}
                </button>`
              : nothing
          }<button type="button" class="icon-button" title=${words.close} @click=${() => this.#remove(toast)}>
            ${icon(CLOSE, 'small')}
          </button>
        </div>`
    )
  }

  /** Stays while it is pointed at or focused. */
  readonly #tick = (): void => {
    if (this.matches(':hover') || this.shadowRoot?.activeElement) return
    for (const toast of this.#toasts) if (!toast.isFailure) toast.secondsLeft--
    const ended = this.#toasts.filter(({ secondsLeft }) => secondsLeft <= 0)
    for (const toast of ended) this.#remove(toast)
    this.requestUpdate()
  }

  #undo(toast: Shown): void {
    this.#remove(toast)
    toast.onUndo?.()
  }

  #remove(toast: Shown): void {
    this.#toasts = this.#toasts.filter(one => one !== toast)
    this.requestUpdate()
    if (this.#toasts.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.hidePopover()
  }
}

let toasts: AdminToasts | undefined

/** Shows what was done, in the past tense. */
export function showToast(toast: Toast): void {
  if (!customElements.get(TAG)) customElements.define(TAG, AdminToasts)
  toasts ??= document.createElement(TAG) as AdminToasts
  if (!toasts.isConnected) document.body.append(toasts)
  toasts.add(toast)
}
