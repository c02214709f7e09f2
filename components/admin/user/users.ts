// `<notif-admin-users>`: finds a user by the beginning of an id, an email address or a number.

import { html, nothing, type TemplateResult } from 'lit'

import { Loader } from '../api/loader.ts'
import { listUsers, type User } from '../api/users.ts'
import { renderBlank, renderProblem, renderProblemNote, renderSkeletonRows } from '../view/feedback.ts'
import { fields } from '../view/field.styles.ts'
import { icon, SEARCH, USERS } from '../view/icons.ts'
import type { Keys } from '../view/keys.ts'
import { listKeys, RowCursor } from '../view/row-cursor.ts'
import { AdminScreen, screenStyles } from '../view/screen.ts'
import { renderPerson } from '../view/status.ts'
import { renderTime } from '../view/time.ts'
import { words } from '../words.ts'
import { userWords as text } from '../words/users.ts'

/** Typing ends for this long before the list is read. */
const TYPING_MS = 200

/**
 * Users by id, found by the beginning of an id, an email address or a number.
 *
 * @tagname notif-admin-users
 * @summary Users, found by the beginning of an id, an email address or a number.
 */
export class NotifAdminUsers extends AdminScreen {
  static override styles = screenStyles(fields)
  protected readonly pageName = 'users'

  #typing: ReturnType<typeof setTimeout> | undefined
  readonly #cursor = new RowCursor(this, () => this.#users.map(({ id }) => id))
  readonly #page = new Loader(this, {
    key: () => this.query,
    read: (scope, signal) =>
      listUsers(scope, { after: this.search.get('after'), text: this.search.get('q') ?? '' }, signal)
  })

  get #users(): readonly User[] {
    return this.#page.value?.users ?? []
  }

  protected override get keys(): Keys {
    const focus = (): void => this.renderRoot.querySelector<HTMLInputElement>('input')?.focus()
    const open = (): void =>
      void (this.#cursor.id !== undefined && this.navigate(`users/${encodeURIComponent(this.#cursor.id)}`))
    return [
      { key: '/', run: focus, text: text.find },
      ...listKeys(this.#cursor, open),
      { key: ']', run: () => this.#turn(), text: text.next },
      { key: '[', run: () => this.setSearch({ after: undefined }), text: text.first }
    ]
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#typing)
  }

  readonly #onInput = (event: Event): void => {
    const { value } = event.target as HTMLInputElement
    clearTimeout(this.#typing)
    this.#typing = setTimeout(() => this.setSearch({ after: undefined, q: value.trim() }, true), TYPING_MS)
  }

  #turn(): void {
    const next = this.#page.value?.next
    if (next !== undefined) this.setSearch({ after: next })
  }

  #renderRow({ email, id, lastSeenTime, locale, number }: User): TemplateResult {
    return html`<tr role="row" data-id=${id} class=${id === this.#cursor.id ? 'chosen' : ''}>
      <th role="rowheader" scope="row">
        <a class="cover" href=${this.pageUrl(`users/${encodeURIComponent(id)}`)}>${renderPerson(id)}</a>
      </th>
      <td role="cell">${email ?? html`<span class="muted">–</span>`}</td>
      <td role="cell" class="nowrap">${number ?? html`<span class="muted">–</span>`}</td>
      <td role="cell">${locale ? html`<span class="chip" data-tone="line">${locale}</span>` : nothing}</td>
      <td role="cell" class="number nowrap muted">${lastSeenTime ? renderTime(lastSeenTime) : text.never}</td>
    </tr>`
  }

  #renderList(): TemplateResult {
    const { hasSkeleton, isLoading, problem, value } = this.#page
    if (problem && !value) return renderProblem(problem, () => this.#page.reload())
    if (value && value.users.length === 0)
      return this.search.get('q')
        ? renderBlank(SEARCH, text.noMatch, text.noMatchWhy)
        : renderBlank(USERS, text.empty, text.emptyWhy)
    const last = value?.users.at(-1)?.id
    return html`${problem ? renderProblemNote(problem, () => this.#page.reload()) : nothing}
      <table class="table tall hovers bleeds stacks" role="table" aria-busy=${isLoading}>
        <thead>
          <tr role="row">
            ${text.columns.map(
              (name, index) =>
                html`<th role="columnheader" scope="col" class=${index === 4 ? 'number' : ''}>${name}</th>`
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${hasSkeleton ? renderSkeletonRows(['l', 'xl', 'l', 's', 'm'], 8) : nothing}
          ${value?.users.map(user => this.#renderRow(user))}
        </tbody>
      </table>
      ${
        value
          ? html`<div class="pager">
              ${last && value.next ? html`<span>${text.pageEnds(last)}</span>` : nothing}<span class="end"
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
                  value.next
                    ? html`<button type="button" class="button" @click=${() => this.#turn()}>
                        ${text.next}
                      </button>`
                    : nothing
                }</span
              >
            </div>`
          : nothing
      }`
  }

  protected override render(): TemplateResult {
    return html`<div class="wrap">
      <header class="head">
        <div class="head-text"><h1>${words.pages.users}</h1></div>
      </header>
      <div class="bar" role="search">
        <span class="find"
          >${icon(SEARCH, 'small')}<input
            class="input"
            type="search"
            autocomplete="off"
            spellcheck="false"
            aria-label=${text.find}
            placeholder=${text.find}
            .value=${this.search.get('q') ?? ''}
            @input=${this.#onInput}
        /></span>
      </div>
      ${this.#renderList()}
    </div>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-users': NotifAdminUsers
  }
}
