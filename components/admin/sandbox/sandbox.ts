// `<notif-admin-sandbox>`: the page of the sandbox has its own policy, which keeps it out of frames, so its messages are listed here.

import { html, nothing, type TemplateResult } from 'lit'

import { Loader } from '../api/loader.ts'
import { listSandbox } from '../api/sandbox.ts'
import { renderBlank, renderProblem, renderSkeletonRows } from '../view/feedback.ts'
import { EXTERNAL, FLASK, icon } from '../view/icons.ts'
import { AdminScreen, screenStyles } from '../view/screen.ts'
import { words } from '../words.ts'
import { sandboxWords } from '../words/sandbox.ts'
import { renderMessage } from './message-row.ts'

const REFRESH_MS = 3000
const text = sandboxWords

/**
 * Messages that the sandbox keeps because their channel has no provider.
 *
 * @tagname notif-admin-sandbox
 * @summary Messages that the sandbox keeps instead of sending them.
 */
export class NotifAdminSandbox extends AdminScreen {
  static override styles = screenStyles()
  protected readonly pageName = 'sandbox'

  readonly #page = new Loader(this, {
    intervalMs: REFRESH_MS,
    key: () => this.query,
    read: (scope, signal) => listSandbox(scope, this.search.get('after'), signal)
  })

  #renderList(): TemplateResult {
    const { hasSkeleton, problem, value } = this.#page
    if (problem && !value) return renderProblem(problem, () => this.#page.reload())
    if (value?.messages.length === 0) return renderBlank(FLASK, text.empty, text.why)
    return html`<table class="table hovers bleeds stacks" role="table">
        <thead>
          <tr role="row">
            ${text.columns.map(name => html`<th role="columnheader" scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${hasSkeleton ? renderSkeletonRows(['m', 'm', 'l', 'l', 'xl']) : nothing}
          ${value?.messages.map(message => renderMessage(message, page => this.pageUrl(page)))}
        </tbody>
      </table>
      ${
        value?.next
          ? html`<div class="pager">
              <span class="end"
                ><button type="button" class="button" @click=${() => this.setSearch({ after: value.next })}>
                  ${text.older}
                </button></span
              >
            </div>`
          : nothing
      }`
  }

  protected override render(): TemplateResult {
    const { scope } = this
    return html`<div class="wrap">
      <header class="head">
        <div class="head-text">
          <h1>${words.pages.sandbox}</h1>
          <p>${text.why}</p>
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
      ${this.#renderList()}
    </div>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-sandbox': NotifAdminSandbox
  }
}
