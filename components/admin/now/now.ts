// `<notif-admin-now>`: is anything wrong, and what to do. A sentence first, then figures, then one row for each channel.

import { html, nothing, type TemplateResult } from 'lit'

import type { Answer } from '../api/client.ts'
import { Loader } from '../api/loader.ts'
import { pauseQueue, probeQueue, resumeQueue } from '../api/queues.ts'
import {
  readDeliveryHistory,
  readStatus,
  type DeliveryHistory,
  type DeliveryQueue,
  type EnvironmentStatus
} from '../api/status.ts'
import { charts } from '../view/chart.styles.ts'
import { askDialog } from '../view/dialog.ts'
import { problemText, renderBone, renderProblem, renderProblemNote } from '../view/feedback.ts'
import { AdminScreen, screenStyles } from '../view/screen.ts'
import { showToast } from '../view/toast.ts'
import { words } from '../words.ts'
import { nowWords } from '../words/now.ts'
import { renderAttention } from './attention.ts'
import { renderChannels } from './channels.ts'
import { renderFigures } from './figures.ts'
import { lanes } from './lanes.styles.ts'
import { narrow } from './narrow.styles.ts'
import { styles } from './now.styles.ts'
import { renderPauseForm, toPauseEnd } from './pause.ts'
import { toSpan, type Span } from './span.ts'
import { renderState } from './state.ts'

const REFRESH_MS = 5000
const HISTORY_REFRESH_MS = 60_000

/**
 * Says whether notifications go out, what waits and why, and what needs a look.
 *
 * @tagname notif-admin-now
 * @summary Whether anything is wrong, channel by channel.
 */
export class NotifAdminNow extends AdminScreen {
  static override styles = screenStyles(charts, styles, narrow, lanes)
  protected readonly pageName = 'now'

  readonly #status = new Loader<EnvironmentStatus>(this, { intervalMs: REFRESH_MS, read: readStatus })
  readonly #history = new Loader<DeliveryHistory>(this, {
    intervalMs: HISTORY_REFRESH_MS,
    key: () => this.#span,
    read: (scope, signal) =>
      this.#span === '1h' ? undefined : readDeliveryHistory(scope, this.#span, signal)
  })

  get #span(): Span {
    return toSpan(this.search.get('span'))
  }

  protected override render(): TemplateResult {
    const { hasSkeleton, problem, value } = this.#status
    if (value) return this.#renderStatus(value)
    if (problem) return renderProblem(problem, () => void this.#status.reload())
    return html`<div class="wrap" aria-busy="true">
      <h1 class="sr">${words.pages.now}</h1>
      ${hasSkeleton ? html`<p class="loading">${renderBone('xl')}</p>` : nothing}
    </div>`
  }

  #renderStatus(status: EnvironmentStatus): TemplateResult {
    const problem = this.#status.problem ?? this.#history.problem
    const actions = {
      onPause: (queue: DeliveryQueue) => void this.#pause(queue),
      onProbe: (queue: DeliveryQueue) => void this.#probe(queue),
      onResume: (queue: DeliveryQueue) => void this.#resume(queue),
      pageUrl: (page: string) => this.pageUrl(page),
      // A queue serves all environments.
      canOperate: this.scope?.isOperator ?? false
    }
    return html`<div class="wrap">
      ${problem ? renderProblemNote(problem, () => this.#reload()) : nothing}
      ${renderState(status, actions)}${renderAttention(status, actions)}${renderFigures(status)}${renderChannels(
        status,
        this.#channelView,
        actions
      )}
    </div>`
  }

  get #channelView() {
    const choose = (span: Span): void => this.setSearch({ span: span === '1h' ? undefined : span }, true)
    return { choose, history: this.#history.value, span: this.#span }
  }

  #reload(): void {
    void this.#status.reload()
    if (this.#span !== '1h') void this.#history.reload()
  }

  async #pause(queue: DeliveryQueue): Promise<void> {
    const values = await askDialog({
      body: () => renderPauseForm(queue),
      confirm: nowWords.pause,
      title: nowWords.pauseTitle(queue)
    })
    if (!values || !this.scope) return
    const until = toPauseEnd(String(values.get('until')))
    await this.#report(await pauseQueue(this.scope, queue.queue, until), nowWords.isPaused(queue), () =>
      this.#resume(queue)
    )
  }

  async #resume(queue: DeliveryQueue): Promise<void> {
    if (!this.scope) return
    await this.#report(await resumeQueue(this.scope, queue.queue), nowWords.isResumed(queue))
  }

  async #probe(queue: DeliveryQueue): Promise<void> {
    if (!this.scope) return
    const answer = await probeQueue(this.scope, queue.queue)
    if (!answer.ok) return this.#report(answer, '')
    const failed = answer.value.checks.find(({ state }) => state === 'failed')
    showToast(failed ? { isFailure: true, text: failed.detail } : { text: nowWords.isProbed(queue) })
    await this.#status.reload()
  }

  async #report(answer: Answer<unknown>, text: string, undo?: () => Promise<void>): Promise<void> {
    if (answer.ok) showToast({ text, ...(undo && { onUndo: () => void undo() }) })
    else showToast({ isFailure: true, text: problemText(answer.problem) })
    await this.#status.reload()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-now': NotifAdminNow
  }
}
