// `<notif-admin-sends>`: what was sent and what became of it. The filter is in the address; new sends appear by themselves.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { Loader } from '../api/loader.ts'
import { querySends, type SendRecord, type SendsPage } from '../api/sends.ts'
import { renderProblem, renderProblemNote, renderSkeletonRows } from '../view/feedback.ts'
import { icon, UP } from '../view/icons.ts'
import type { Keys } from '../view/keys.ts'
import { listKeys, RowCursor } from '../view/row-cursor.ts'
import { AdminScreen, screenStyles } from '../view/screen.ts'
import { words } from '../words.ts'
import { sendsWords } from '../words/sends.ts'
import { renderBar, renderFault, renderNothing, renderPager, type BarActions } from './bar.ts'
import { checkToken, readTokens, toQuery, type Token } from './filter.ts'
import { peekStyles } from './peek.styles.ts'
import { renderPeek } from './peek.ts'
import { AdminSendsQuery } from './query.ts'
import { renderRow } from './row.ts'
import { styles } from './sends.styles.ts'
import { Tail } from './tail.ts'

/** Further down, new rows would move what is being read. */
const TOP_PX = 120

/**
 * The log of sends: filter, what each channel did, and new sends as they come.
 *
 * @tagname notif-admin-sends
 * @summary The log of sends, with filter and live tail.
 */
export class NotifAdminSends extends AdminScreen {
  static override styles = screenStyles(styles, peekStyles)
  protected readonly pageName = 'sends'

  #isLive = true
  #isPeeking = false
  #depth = 0
  readonly #cursor = new RowCursor(this, () => this.#records.map(({ trackingId }) => trackingId))
  readonly #page = new Loader<SendsPage>(this, {
    key: () => this.query,
    onValue: () => this.#tail.clear(),
    read: (scope, signal) =>
      this.#fault ? undefined : querySends(scope, toQuery(this.#tokens), this.search.get('after'), signal)
  })
  readonly #tail = new Tail(
    this,
    () =>
      this.#isLive && !this.search.get('after') && !this.#fault && this.#page.value
        ? toQuery(this.#tokens)
        : undefined,
    () => this.#records,
    changed => this.#replace(changed)
  )

  get #tokens(): readonly Token[] {
    return readTokens(this.search)
  }

  get #fault(): Token | undefined {
    return this.#tokens.find(token => checkToken(token))
  }

  get #records(): readonly SendRecord[] {
    return this.#page.value?.logs ?? []
  }

  get #chosen(): SendRecord | undefined {
    return this.#records.find(({ trackingId }) => trackingId === this.#cursor.id)
  }

  protected override get keys(): Keys {
    const open = (): void => void (this.#chosen && this.navigate(`sends/${this.#chosen.trackingId}`))
    return [
      {
        key: '/',
        run: () => this.renderRoot.querySelector<HTMLElement>('notif-admin-sends-query')?.focus(),
        text: sendsWords.filter
      },
      ...listKeys(this.#cursor, open),
      { key: ' ', run: () => this.#peek(!this.#isPeeking), text: sendsWords.peek },
      ...(this.#isPeeking ? [{ key: 'Escape', run: () => this.#peek(false), text: words.close }] : []),
      {
        key: 'c',
        run: () => void (this.#chosen && navigator.clipboard.writeText(this.#chosen.trackingId)),
        text: words.copyId
      },
      { key: 'l', run: () => this.#setLive(!this.#isLive), text: sendsWords.live },
      { key: ']', run: () => this.#older(), text: sendsWords.older },
      { key: '[', run: () => this.#newer(), text: sendsWords.newer }
    ]
  }

  override connectedCallback(): void {
    super.connectedCallback()
    if (!customElements.get('notif-admin-sends-query'))
      customElements.define('notif-admin-sends-query', AdminSendsQuery)
  }

  #replace(changed: readonly SendRecord[]): void {
    const byId = new Map(changed.map(record => [record.trackingId, record]))
    const page = this.#page.value!
    this.#page.set({ ...page, logs: page.logs.map(one => byId.get(one.trackingId) ?? one) })
  }

  #takeNew(): void {
    scrollTo({ behavior: 'smooth', top: 0 })
    const page = this.#page.value!
    this.#page.set({ ...page, logs: [...this.#tail.take(), ...page.logs] })
  }

  #setTokens(tokens: readonly Token[]): void {
    const search = new URLSearchParams(tokens.map(({ key, value }) => [key, value]))
    const query = search.toString()
    this.#depth = 0
    if (!this.navigate(query ? `sends?${query}` : 'sends')) this.query = query
  }

  #setLive(isLive: boolean): void {
    this.#isLive = isLive
    this.requestUpdate()
  }

  #peek(isPeeking: boolean): void {
    if (isPeeking && !this.#chosen) this.#cursor.move(1)
    this.#isPeeking = isPeeking
    this.requestUpdate()
  }

  #older(): void {
    const next = this.#page.value?.next
    if (!next) return
    this.#depth++
    this.setSearch({ after: next })
    this.#cursor.clear()
  }

  #newer(): void {
    if (!this.search.get('after')) return
    if (this.#depth-- > 0) history.back()
    else this.setSearch({ after: undefined })
  }

  /** Shows what is new at once if the top is in sight and no row is in use. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed)
    const isCalm = scrollY < TOP_PX && !this.#cursor.id && !this.renderRoot.querySelector('tbody :focus')
    if (this.#tail.waiting.length > 0 && isCalm && this.#page.value) this.#takeNew()
  }

  protected override render(): TemplateResult {
    const fault = this.#fault
    const { problem, value } = this.#page
    const chosen = this.#isPeeking ? this.#chosen : undefined
    return html`<div class="wrap">
        <header class="head">
          <div class="head-text"><h1>${words.pages.sends}</h1></div>
        </header>
        <notif-admin-sends-query
          .tokens=${this.#tokens}
          .scope=${this.scope}
          .isWrong=${fault !== undefined || problem?.status === 422}
          @tokens-change=${(event: CustomEvent<readonly Token[]>) => this.#setTokens(event.detail)}
        ></notif-admin-sends-query>
        ${fault ? renderFault(sendsWords.faults[checkToken(fault)!]) : nothing}
        ${problem?.status === 422 ? renderFault(problem.errors?.[0]?.detail ?? problem.detail) : nothing}
        ${renderBar(this.#bar)}
        ${problem && value ? renderProblemNote(problem, () => void this.#page.reload()) : nothing}
        ${
          fault || problem?.status === 422
            ? nothing
            : problem && !value
              ? renderProblem(problem, () => void this.#page.reload())
              : this.#renderLog()
        }
      </div>
      ${
        chosen
          ? renderPeek(chosen, {
              href: this.pageUrl(`sends/${chosen.trackingId}`),
              onClose: () => this.#peek(false)
            })
          : nothing
      }`
  }

  get #bar(): BarActions {
    return {
      hasNewer: this.search.get('after') !== null,
      isLive: this.#isLive,
      link: this.pageUrl(`sends${this.query ? `?${this.query}` : ''}`),
      onLive: isLive => this.#setLive(isLive),
      onNewer: () => this.#newer(),
      onOlder: () => this.#older(),
      onStatus: status => this.setSearch({ after: undefined, status }),
      onTokens: tokens => this.#setTokens(tokens),
      status: this.search.get('status') ?? ''
    }
  }

  #renderLog(): TemplateResult {
    const { hasSkeleton, value } = this.#page
    const records = this.#records
    if (value && records.length === 0 && !value.next) return renderNothing(this.#tokens, this.#bar)
    const { waiting } = this.#tail
    const count = waiting.length > 0 ? sendsWords.new(waiting.length) : ''
    return html`<p class="sr" role="status">${count}</p>
      ${
        count
          ? html`<div class="pill-place">
              <button type="button" class="pill" @click=${() => this.#takeNew()}>
                ${icon(UP, 'small')}${count}
              </button>
            </div>`
          : nothing
      }
      <table class="table hovers bleeds log" role="table" aria-busy=${!value}>
        <thead role="rowgroup">
          <tr role="row">
            ${sendsWords.columns.map(
              ([name, text]) => html`<th role="columnheader" scope="col" class="c-${name}">${text}</th>`
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${hasSkeleton ? renderSkeletonRows(['s', 's', 'm', 'm', 'l', 'xl', 'm']) : nothing}
          ${repeat(
            records,
            ({ trackingId }) => trackingId,
            (record, index) =>
              renderRow(record, {
                before: records[index - 1],
                href: this.pageUrl(`sends/${record.trackingId}`),
                isChosen: record.trackingId === this.#cursor.id,
                isNew: this.#tail.fresh.has(record.trackingId)
              })
          )}
        </tbody>
      </table>
      ${value ? renderPager(value, this.#bar) : nothing}`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-sends': NotifAdminSends
  }
}
