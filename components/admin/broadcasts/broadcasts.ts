// `<notif-admin-broadcasts>`: one message to many users, how far it is, and what was sent before.

import { html, nothing, type TemplateResult } from 'lit'

import {
  controlBroadcast,
  createBroadcast,
  estimate,
  isOpenBroadcast,
  listBroadcasts,
  listTopics,
  type Broadcast,
  type TopicHead
} from '../api/broadcasts.ts'
import { Loader } from '../api/loader.ts'
import { listTypes, type TypeHead } from '../api/people.ts'
import { frameStyles } from '../send/frames.styles.ts'
import { renderContent } from '../send/frames.ts'
import { askDialog } from '../view/dialog.ts'
import { problemText, renderBone, renderProblem, renderProblemNote } from '../view/feedback.ts'
import { fields } from '../view/field.styles.ts'
import { orders } from '../view/order.styles.ts'
import { AdminScreen, screenStyles } from '../view/screen.ts'
import { showToast } from '../view/toast.ts'
import { words } from '../words.ts'
import { broadcastWords as text } from '../words/broadcasts.ts'
import { styles } from './broadcasts.styles.ts'
import { EMPTY_DRAFT, nameBroadcast, toAudience, toRequest, type Draft } from './draft.ts'
import { renderEarlier } from './earlier.ts'
import { renderForm } from './form.ts'
import { renderUnderWay } from './under-way.ts'

const REFRESH_MS = 2000

async function askBefore(broadcast: Broadcast, action: 'retract' | 'stop'): Promise<boolean> {
  const { done, sent, total = done } = broadcast
  const name = nameBroadcast(broadcast)
  const texts =
    action === 'stop'
      ? { confirm: text.stopConfirm, title: text.stopTitle(name), why: text.stopWhy(done, total) }
      : { confirm: text.retractConfirm(sent), title: text.retractTitle(name), why: text.retractWhy }
  const { confirm, title, why } = texts
  return (await askDialog({ body: () => why, confirm, title, tone: 'destroy' })) !== undefined
}

/**
 * Broadcasts under way with pause and stop, a form for a new one with the number of users whom it reaches, and those that have ended.
 *
 * @tagname notif-admin-broadcasts
 * @summary One message to many users.
 */
export class NotifAdminBroadcasts extends AdminScreen {
  static override styles = screenStyles(fields, frameStyles, orders, styles)
  protected readonly pageName = 'broadcasts'

  #draft: Draft = EMPTY_DRAFT
  #isSending = false
  /** Of the next order. */
  #key = crypto.randomUUID()

  readonly #broadcasts = new Loader(this, {
    intervalMs: REFRESH_MS,
    key: () => this.query,
    read: (scope, signal) => listBroadcasts(scope, this.search.get('after'), signal)
  })
  readonly #topics = new Loader<{ readonly topics: readonly TopicHead[] }>(this, { read: listTopics })
  readonly #types = new Loader<{ readonly notifications: readonly TypeHead[] }>(this, { read: listTypes })
  readonly #reach = new Loader<{ readonly total: number }>(this, {
    key: () => JSON.stringify(toAudience(this.#draft) ?? null),
    read: (scope, signal) => {
      const to = toAudience(this.#draft)
      return to && estimate(scope, to, signal)
    }
  })

  readonly #change = (change: Partial<Draft>): void => {
    this.#draft = { ...this.#draft, ...change }
    this.requestUpdate()
  }

  readonly #submit = async (): Promise<void> => {
    const request = toRequest(this.#draft)
    const total = this.#reach.value?.total
    if (!request || !this.scope || total === undefined) return
    const isNow = this.#draft.timing === 'now'
    const isSure = await askDialog({
      body: () => (isNow ? text.askWhy : text.askWhyLater),
      confirm: text.askConfirm(total),
      title: text.askTitle(this.#draft.title || this.#draft.type, total)
    })
    if (!isSure) return
    this.#isSending = true
    this.requestUpdate()
    const answer = await createBroadcast(this.scope, request, this.#key)
    this.#isSending = false
    if (answer.ok) {
      this.#key = crypto.randomUUID()
      this.#change({ body: '', title: '' })
      showToast({ text: isNow ? text.created : text.createdLater })
    } else showToast({ isFailure: true, text: problemText(answer.problem) })
    await this.#broadcasts.reload()
  }

  async #control(broadcast: Broadcast, action: 'pause' | 'resume' | 'retract' | 'stop'): Promise<void> {
    const { broadcastId } = broadcast
    if ((action === 'stop' || action === 'retract') && !(await askBefore(broadcast, action))) return
    if (!this.scope) return
    const answer = await controlBroadcast(this.scope, broadcastId, action)
    if (!answer.ok) showToast({ isFailure: true, text: problemText(answer.problem) })
    else if (action === 'stop') showToast({ text: text.stopped })
    else if (action === 'retract') showToast({ text: text.retracting })
    await this.#broadcasts.reload()
  }

  protected override render(): TemplateResult {
    const canSend = this.scope?.can('types') ?? false
    const { problem, value } = this.#broadcasts
    return html`<div class="wrap">
      <header class="head">
        <div class="head-text">
          <h1>${words.pages.broadcasts}</h1>
          <p>${text.why}</p>
        </div>
      </header>
      ${problem && value ? renderProblemNote(problem, () => void this.#broadcasts.reload()) : nothing}
      ${renderUnderWay(value?.broadcasts ?? [], {
        canControl: canSend,
        onControl: (broadcast, action) => void this.#control(broadcast, action)
      })}
      <div class=${canSend ? 'columns' : 'stack'}>
        <div class="stack">
          ${canSend ? this.#renderForm() : nothing}
          <section class="card" aria-labelledby="earlier">
            <div class="card-head"><h2 id="earlier">${text.earlier}</h2></div>
            ${this.#renderEarlier()}
          </section>
        </div>
        ${canSend ? this.#renderAside() : nothing}
      </div>
    </div>`
  }

  #renderForm(): TemplateResult {
    return renderForm({
      change: this.#change,
      draft: this.#draft,
      isSending: this.#isSending,
      submit: () => void this.#submit(),
      topics: this.#topics.value?.topics ?? [],
      total: this.#reach.value?.total,
      types: this.#types.value?.notifications ?? []
    })
  }

  #renderEarlier(): TemplateResult {
    const { hasSkeleton, problem, value } = this.#broadcasts
    if (problem && !value) return renderProblem(problem, () => this.#broadcasts.reload())
    if (!value) return html`${hasSkeleton ? html`<div class="card-body">${renderBone('xl')}</div>` : nothing}`
    const pages = [
      [this.search.get('after') !== null, text.first, undefined],
      [value.next !== undefined, text.next, value.next]
    ] as const
    return html`${renderEarlier(
      value.broadcasts.filter(one => !isOpenBroadcast(one)),
      {
        onRetract: this.scope?.can('types') ? one => void this.#control(one, 'retract') : undefined,
        sendsUrl: type => this.pageUrl(`sends?type=${encodeURIComponent(type)}`)
      }
    )}
    ${
      pages.some(([isShown]) => isShown)
        ? html`<div class="card-foot">
            <span class="end"
              >${pages.map(([isShown, label, after]) =>
                isShown
                  ? html`<button type="button" class="button" @click=${() => this.setSearch({ after })}>
                      ${label}
                    </button>`
                  : nothing
              )}</span
            >
          </div>`
        : nothing
    }`
  }

  #renderAside(): TemplateResult {
    const { body, kind, title, type } = this.#draft
    const { problem, value } = this.#reach
    return html`<aside class="stack" aria-label=${text.reach}>
      <section class="card">
        <div class="card-head"><h2>${text.reach}</h2></div>
        <div class="card-body" role="status">
          ${
            problem
              ? html`<p class="danger">${problemText(problem)}</p>`
              : html`<p class="figure">
                    ${value ? value.total.toLocaleString('en') : '–'} <small>${text.reaches[kind]}</small>
                  </p>
                  <p class="help">${text.reachWhy}</p>`
          }
        </div>
      </section>
      ${
        title === ''
          ? nothing
          : html`<figure class="seen">
              <figcaption class="muted">${text.preview}</figcaption>
              ${renderContent(
                'INAPP_WEB',
                { title, ...(body !== '' && { body }) },
                { received_at: new Date().toISOString(), type, user_id: '' }
              )}
            </figure>`
      }
    </aside>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-broadcasts': NotifAdminBroadcasts
  }
}
