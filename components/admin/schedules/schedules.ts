// `<notif-admin-schedules>`: what waits for its time: sends with a schedule, and digests.

import { html, nothing, type TemplateResult } from 'lit'

import { Loader } from '../api/loader.ts'
import { deleteSchedule, listDigests, listSchedules, type Schedule } from '../api/schedules.ts'
import { askDialog } from '../view/dialog.ts'
import {
  problemText,
  renderBlank,
  renderProblem,
  renderProblemNote,
  renderSkeletonRows
} from '../view/feedback.ts'
import { renderHeadings } from '../view/headings.ts'
import { CALENDAR } from '../view/icons.ts'
import { AdminScreen, screenStyles } from '../view/screen.ts'
import { renderId, renderPerson } from '../view/status.ts'
import { renderTime } from '../view/time.ts'
import { showToast } from '../view/toast.ts'
import { words } from '../words.ts'
import { scheduleWords } from '../words/schedules.ts'
import { userWords } from '../words/users.ts'
import { renderDigests } from './digests.ts'

const REFRESH_MS = 10_000
const text = scheduleWords

/**
 * Sends with a schedule, and digests, the next first.
 *
 * @tagname notif-admin-schedules
 * @summary Sends with a schedule, and digests.
 */
export class NotifAdminSchedules extends AdminScreen {
  static override styles = screenStyles()
  protected readonly pageName = 'schedules'

  readonly #schedules = new Loader(this, {
    intervalMs: REFRESH_MS,
    key: () => this.query,
    read: (scope, signal) => listSchedules(scope, this.search.get('after'), signal)
  })
  readonly #digests = new Loader(this, { intervalMs: REFRESH_MS, read: listDigests })

  async #delete({ notificationId, trackingId }: Schedule): Promise<void> {
    const isSure = await askDialog({
      body: () => userWords.dropScheduleWhy,
      confirm: text.delete,
      title: userWords.dropScheduleTitle(notificationId),
      tone: 'destroy'
    })
    if (!isSure || !this.scope) return
    const answer = await deleteSchedule(this.scope, trackingId)
    showToast(
      answer.ok ? { text: userWords.dropped } : { isFailure: true, text: problemText(answer.problem) }
    )
    await this.#schedules.reload()
  }

  #renderUser(id: string): TemplateResult {
    return html`<a class="over" href=${this.pageUrl(`users/${encodeURIComponent(id)}`)}
      >${renderPerson(id)}</a
    >`
  }

  #renderSchedules(): TemplateResult {
    const { hasSkeleton, problem, value } = this.#schedules
    if (problem && !value) return renderProblem(problem, () => this.#schedules.reload())
    if (value?.schedules.length === 0) return renderBlank(CALENDAR, text.empty, text.emptyWhy)
    return html`<table class="table hovers bleeds stacks" role="table">
        ${renderHeadings(text.columns)}
        <tbody role="rowgroup">
          ${hasSkeleton ? renderSkeletonRows(['m', 'l', 'l', 'm', 's']) : nothing}
          ${value?.schedules.map(
            one =>
              html`<tr role="row">
                <td role="cell" class="nowrap">${renderTime(one.schedule)}</td>
                <td role="cell">
                  <a class="cover mono" href=${this.pageUrl(`sends/${one.trackingId}`)}
                    >${one.notificationId}</a
                  >
                </td>
                <td role="cell">${this.#renderUser(one.userId)}</td>
                <td role="cell">${renderId(one.trackingId)}</td>
                <td role="cell" class="number">
                  ${
                    this.scope?.can('send')
                      ? html`<button type="button" class="button over" @click=${() => this.#delete(one)}>
                          ${text.delete}
                        </button>`
                      : nothing
                  }
                </td>
              </tr>`
          )}
        </tbody>
      </table>
      <div class="pager">
        <span class="end"
          >${
            this.search.get('after')
              ? html`<button
                  type="button"
                  class="button"
                  @click=${() => this.setSearch({ after: undefined })}
                >
                  ${text.first}
                </button>`
              : nothing
          }${
            value?.next
              ? html`<button
                  type="button"
                  class="button"
                  @click=${() => this.setSearch({ after: value.next })}
                >
                  ${text.next}
                </button>`
              : nothing
          }</span
        >
      </div>`
  }

  #renderDigests(): TemplateResult {
    const { problem, value } = this.#digests
    if (problem && !value) return renderProblemNote(problem, () => void this.#digests.reload())
    return value ? renderDigests(value.digests, id => this.#renderUser(id)) : html``
  }

  protected override render(): TemplateResult {
    return html`<div class="wrap">
      <header class="head">
        <div class="head-text">
          <h1>${words.pages.schedules}</h1>
          <p>${text.why}</p>
        </div>
      </header>
      ${this.#renderSchedules()}
      <section class="section">
        <div class="section-head">
          <h2>${text.digests}</h2>
          <p>${text.digestsWhy}</p>
        </div>
        ${this.#renderDigests()}
      </section>
    </div>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-schedules': NotifAdminSchedules
  }
}
