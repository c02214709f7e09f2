// Asks before something is sent or lost: a native dialog whose title and button say the number, and that starts on Cancel.

import { css, html, LitElement, nothing, type TemplateResult } from 'lit'

import { words } from '../words.ts'
import { controls } from './controls.styles.ts'
import { feedback } from './feedback.styles.ts'
import { fields } from './field.styles.ts'
import { page } from './page.styles.ts'
import { status } from './status.styles.ts'
import { table } from './table.styles.ts'
import { tokens } from './tokens.styles.ts'

const TAG = 'notif-admin-dialog'

export interface Question {
  /** `Send 9 of 38 dead letters again?` */
  readonly title: string
  /** Rendered again at each input, with the values of its fields. */
  readonly body: (values: FormData) => TemplateResult | string
  /** `Send 9 again` */
  readonly confirm: string | ((values: FormData) => string)
  /** `destroy`: something is lost. */
  readonly tone?: 'main' | 'destroy'
  /** Keeps the button without effect. */
  readonly canConfirm?: (values: FormData) => boolean
}

class AdminDialog extends LitElement {
  static override styles = [
    tokens,
    controls,
    fields,
    feedback,
    page,
    status,
    table,
    css`
      dialog {
        inline-size: min(480px, calc(100vi - 32px));
        max-block-size: calc(100dvb - 32px);
        padding: 0;
        border: 0;
        border-radius: 16px;
        background: var(--_raised);
        color: var(--_text);
        box-shadow: var(--_shadow);
        overflow-y: auto;
      }
      /* Not of the dialog: a click in it would be one beside its content. */
      form {
        padding: 24px;
      }
      dialog::backdrop {
        background: oklch(0.15 0.01 265 / 0.4);
      }
      h2 {
        font-size: var(--_l);
        line-height: 24px;
        font-weight: 650;
        letter-spacing: -0.012em;
        text-wrap: balance;
      }
      .body {
        display: grid;
        gap: 14px;
        margin-block: 12px 20px;
        font-size: var(--_m);
        color: var(--_muted);
      }
      .body :is(.check, .field) {
        color: var(--_text);
      }
      .dialog-actions {
        display: flex;
        justify-content: end;
        gap: 8px;
      }
      @media (width < 480px) {
        .dialog-actions {
          flex-direction: column-reverse;
        }
        .dialog-actions .button {
          min-block-size: 44px;
        }
      }
      @media (forced-colors: active) {
        dialog {
          border: 1px solid CanvasText;
        }
      }
    `
  ]

  question: Question | undefined
  onAnswer: ((values: FormData | undefined) => void) | undefined

  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector('dialog')!
  }

  /** Before the first rendering there are no fields yet. */
  get #values(): FormData {
    const form = this.renderRoot.querySelector('form')
    return form ? new FormData(form) : new FormData()
  }

  protected override firstUpdated(): void {
    this.#dialog.showModal()
    // Now the fields have values.
    this.requestUpdate()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { question } = this
    if (!question) return nothing
    const values = this.#values
    const { body, canConfirm, confirm, title, tone = 'main' } = question
    return html`<dialog aria-labelledby="title" @close=${this.#onClose} @click=${this.#onClick}>
      <form method="dialog" @input=${() => this.requestUpdate()} @keydown=${this.#onKeyDown}>
        <h2 id="title">${title}</h2>
        <div class="body">${body(values)}</div>
        <div class="dialog-actions">
          <button type="button" class="button" autofocus @click=${() => this.#dialog.close()}>
            ${words.cancel}
          </button>
          <button
            class="button ${tone}"
            value="confirm"
            ?disabled=${canConfirm ? !canConfirm(values) : false}
          >
            ${typeof confirm === 'string' ? confirm : confirm(values)}
          </button>
        </div>
      </form>
    </dialog>`
  }

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    this.renderRoot.querySelector<HTMLButtonElement>('[value=confirm]:enabled')?.click()
  }

  /** A click beside the dialog closes it. */
  readonly #onClick = (event: MouseEvent): void => {
    if (event.target === this.#dialog) this.#dialog.close()
  }

  readonly #onClose = (): void => {
    this.onAnswer?.(this.#dialog.returnValue === 'confirm' ? this.#values : undefined)
    this.remove()
  }
}

/** @returns the values of the fields, or undefined if the member cancels */
export function askDialog(question: Question): Promise<FormData | undefined> {
  if (!customElements.get(TAG)) customElements.define(TAG, AdminDialog)
  const dialog = document.createElement(TAG) as AdminDialog
  dialog.question = question
  return new Promise(resolve => {
    dialog.onAnswer = resolve
    document.body.append(dialog)
  })
}
