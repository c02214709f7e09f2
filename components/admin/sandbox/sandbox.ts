// `<notif-admin-sandbox>`: what was kept instead of sent, as its recipients would see it.

import { html, nothing, type TemplateResult } from 'lit'
import { keyed } from 'lit/directives/keyed.js'
import { repeat } from 'lit/directives/repeat.js'

import { Loader } from '../api/loader.ts'
import { listSandbox, type SandboxMessage } from '../api/sandbox.ts'
import { frameStyles } from '../send/frames.styles.ts'
import { renderBlank, renderBone, renderProblem } from '../view/feedback.ts'
import { EXTERNAL, FLASK, icon } from '../view/icons.ts'
import type { Keys } from '../view/keys.ts'
import { AdminScreen, screenStyles } from '../view/screen.ts'
import { words } from '../words.ts'
import { sandboxWords } from '../words/sandbox.ts'
import { renderMessage, renderMessageRow } from './message.ts'
import { styles } from './sandbox.styles.ts'

const REFRESH_MS = 3000
const text = sandboxWords

/**
 * Messages that the sandbox keeps because their channel has no provider.
 *
 * @tagname notif-admin-sandbox
 * @summary Messages that the sandbox keeps instead of sending them.
 */
export class NotifAdminSandbox extends AdminScreen {
  static override styles = screenStyles(frameStyles, styles)
  protected readonly pageName = 'sandbox'

  readonly #page = new Loader(this, {
    intervalMs: REFRESH_MS,
    key: () => this.search.get('after') ?? '',
    read: (scope, signal) => listSandbox(scope, this.search.get('after'), signal)
  })

  get #messages(): readonly SandboxMessage[] {
    return this.#page.value?.messages ?? []
  }

  /** The one that the address names, else the newest. */
  get #shown(): SandboxMessage | undefined {
    const id = this.search.get('m')
    return this.#messages.find(one => one.id === id) ?? this.#messages[0]
  }

  protected override get keys(): Keys {
    const move = (step: number): void => {
      const index = this.#messages.findIndex(one => one === this.#shown) + step
      const next = this.#messages[index]
      if (next) this.#choose(next)
    }
    return [
      { key: 'j', run: () => move(1), text: words.keys.nextRow },
      { key: 'k', run: () => move(-1), text: words.keys.previousRow }
    ]
  }

  #choose({ id }: SandboxMessage): void {
    this.setSearch({ m: id }, true)
  }

  #renderReader(): TemplateResult {
    const { hasSkeleton, problem, value } = this.#page
    const shown = this.#shown
    if (problem && !value) return renderProblem(problem, () => this.#page.reload())
    if (value && !shown) return renderBlank(FLASK, text.empty, text.intro)
    if (!shown) return hasSkeleton ? renderBone('xl') : html``
    return html`<div class="reader">
      <div>
        <ul class="card rows messages" aria-label=${text.messages}>
          ${repeat(
            this.#messages,
            ({ id }) => id,
            one => renderMessageRow(one, one === shown, () => this.#choose(one))
          )}
        </ul>
        ${
          value?.next
            ? html`<div class="pager">
                <span class="end"
                  ><button
                    type="button"
                    class="button"
                    @click=${() => this.setSearch({ after: value.next, m: undefined })}
                  >
                    ${text.older}
                  </button></span
                >
              </div>`
            : nothing
        }
      </div>
      ${keyed(shown.id, renderMessage(shown, this.pageUrl(`sends/${shown.trackingId}`)))}
    </div>`
  }

  protected override render(): TemplateResult {
    const { scope } = this
    return html`<div class="wrap">
      <header class="head">
        <div class="head-text">
          <h1>${words.pages.sandbox}</h1>
          <p>${text.intro}</p>
        </div>
        <div class="actions">
          ${
            scope
              ? html`<a
                  class="button"
                  target="_blank"
                  href="${scope.operators.base}/sandbox?env=${encodeURIComponent(scope.clientId)}"
                  >${text.open}${icon(EXTERNAL, 'small')}</a
                >`
              : nothing
          }
        </div>
      </header>
      ${this.#renderReader()}
    </div>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-sandbox': NotifAdminSandbox
  }
}
