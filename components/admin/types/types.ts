// `<notif-admin-types>`: what can be sent, and what of it is incomplete.

import { html, nothing, type TemplateResult } from 'lit'

import { Loader } from '../api/loader.ts'
import { createType, listOverviews, type TypeOverview } from '../api/types.ts'
import { isChannel, renderStrip, type Channel, type ChannelState } from '../view/channel.ts'
import { charts } from '../view/chart.styles.ts'
import { renderSpark } from '../view/chart.ts'
import { askDialog } from '../view/dialog.ts'
import { problemText, renderBlank, renderProblem, renderSkeletonRows } from '../view/feedback.ts'
import { fields } from '../view/field.styles.ts'
import { DISCARDED, EDIT, icon, INFO, PLUS, SEARCH, SUCCESS, TYPES, WARNING } from '../view/icons.ts'
import type { Keys } from '../view/keys.ts'
import { listKeys, RowCursor } from '../view/row-cursor.ts'
import { AdminScreen, screenStyles } from '../view/screen.ts'
import { renderTime } from '../view/time.ts'
import { showToast } from '../view/toast.ts'
import { words } from '../words.ts'
import { typeWords as text } from '../words/types.ts'
import { styles } from './types.styles.ts'

const TABS = ['all', 'look', 'draft', 'off'] as const

const TESTS: Readonly<Record<string, (type: TypeOverview) => boolean>> = {
  draft: ({ draft }) => draft !== undefined,
  look: ({ needsLook }) => needsLook.length > 0,
  off: ({ enabled }) => !enabled
}

function renderState({ draft, enabled, managedBy, needsLook, version }: TypeOverview): TemplateResult {
  const [first] = needsLook
  const status = (tone: string, path: string, label: string): TemplateResult =>
    html`<span class="status" data-tone=${tone} title=${label}
      >${icon(path, 'small')}<span class="clip">${label}</span></span
    >`
  if (!enabled) return status('muted', DISCARDED, text.off)
  if (first) return status('warning', WARNING, first.detail)
  if (draft !== undefined) return status('plain', EDIT, text.draftWaits)
  if (managedBy) return status('good', SUCCESS, text.files)
  return version === undefined ? status('plain', INFO, text.contentOfSend) : status('good', SUCCESS, text.on)
}

const toStrip = (channels: readonly string[]): Partial<Record<Channel, ChannelState>> =>
  Object.fromEntries(channels.filter(isChannel).map(channel => [channel, 'sent']))

/**
 * The types of notifications: channels, languages, deliveries by day, and what is incomplete.
 *
 * @tagname notif-admin-types
 * @summary The types of notifications, and what of them is incomplete.
 */
export class NotifAdminTypes extends AdminScreen {
  static override styles = screenStyles(fields, charts, styles)
  protected readonly pageName = 'types'

  readonly #cursor = new RowCursor(this, () => this.#shown.map(({ id }) => id))
  readonly #page = new Loader(this, {
    key: () => this.search.get('after') ?? '',
    read: (scope, signal) => listOverviews(scope, this.search.get('after'), signal)
  })

  get #shown(): readonly TypeOverview[] {
    const typed = (this.search.get('q') ?? '').toLowerCase()
    const test = TESTS[this.search.get('show') ?? '']
    return (this.#page.value?.types ?? []).filter(
      type => `${type.id} ${type.title}`.toLowerCase().includes(typed) && (!test || test(type))
    )
  }

  protected override get keys(): Keys {
    const focus = (): void => this.renderRoot.querySelector<HTMLInputElement>('[type=search]')?.focus()
    const open = (): void =>
      void (this.#cursor.id !== undefined && this.navigate(`types/${encodeURIComponent(this.#cursor.id)}`))
    return [{ key: '/', run: focus, text: text.filter }, ...listKeys(this.#cursor, open)]
  }

  async #create(): Promise<void> {
    const values = await askDialog({
      body: () =>
        html`<p>${text.newWhy}</p>
          <label class="field"
            ><span>${text.newName}</span><input class="input" name="title" autocomplete="off"
          /></label>
          <label class="field"
            ><span>${text.newId}</span
            ><input class="input mono" name="id" autocomplete="off" spellcheck="false"
          /></label>`,
      canConfirm: form => Boolean(form.get('id') && form.get('title')),
      confirm: text.create,
      title: text.newTitle
    })
    if (!values || !this.scope) return
    const id = String(values.get('id'))
    const answer = await createType(this.scope, id, String(values.get('title')))
    if (answer.ok) this.navigate(`types/${encodeURIComponent(id)}`)
    else showToast({ isFailure: true, text: problemText(answer.problem) })
  }

  #renderRow(type: TypeOverview): TemplateResult {
    const { channels, id, locales, sent, title, updatedAt } = type
    const languages = [...new Set(Object.values(locales).flatMap(list => list ?? []))].toSorted()
    return html`<tr role="row" data-id=${id} class=${id === this.#cursor.id ? 'chosen' : ''}>
      <th role="rowheader" scope="row">
        <a class="cover" href=${this.pageUrl(`types/${encodeURIComponent(id)}`)}
          ><b>${title}</b>${title === id ? nothing : html`<span class="mono">${id}</span>`}</a
        >
      </th>
      <td role="cell">${renderStrip(toStrip(channels))}</td>
      <td role="cell">
        <span class="langs"
          >${
            languages.length === 0
              ? html`<span class="muted">–</span>`
              : languages.map(
                  one => html`<span class="chip" data-tone="line">${one || text.everybody}</span>`
                )
          }</span
        >
      </td>
      <td role="cell" class="x-spark">
        ${sent.some(Boolean) ? renderSpark(sent) : html`<span class="muted">${text.none}</span>`}
      </td>
      <td role="cell" class="x-state">${renderState(type)}</td>
      <td role="cell" class="number nowrap muted">${renderTime(updatedAt)}</td>
    </tr>`
  }

  #renderList(): TemplateResult {
    const { hasSkeleton, problem, value } = this.#page
    if (problem && !value) return renderProblem(problem, () => this.#page.reload())
    if (value?.types.length === 0) return renderBlank(TYPES, text.empty, text.emptyWhy)
    if (value && this.#shown.length === 0)
      return renderBlank(
        SEARCH,
        text.noMatch,
        text.noMatchWhy,
        html`<button
          type="button"
          class="button"
          @click=${() => this.setSearch({ q: undefined, show: undefined })}
        >
          ${text.clear}
        </button>`
      )
    return html`<table class="table tall hovers bleeds stacks" role="table">
        <thead>
          <tr role="row">
            ${text.columns.map(
              (name, index) =>
                html`<th
                  role="columnheader"
                  scope="col"
                  class=${['', '', '', 'x-spark', 'x-state', 'number'][index] ?? ''}
                >
                  ${name}
                </th>`
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${hasSkeleton ? renderSkeletonRows(['l', 'xl', 'm', 'l', 'm', 's'], 8) : nothing}
          ${this.#shown.map(type => this.#renderRow(type))}
        </tbody>
      </table>
      ${
        value?.next
          ? html`<div class="pager">
              <span class="end"
                ><button type="button" class="button" @click=${() => this.setSearch({ after: value.next })}>
                  ${text.next}
                </button></span
              >
            </div>`
          : nothing
      }`
  }

  protected override render(): TemplateResult {
    const show = this.search.get('show') ?? 'all'
    return html`<div class="wrap">
      <header class="head">
        <div class="head-text"><h1>${words.pages.types}</h1></div>
        ${
          this.scope?.can('types')
            ? html`<div class="actions">
                <button type="button" class="button main" @click=${() => this.#create()}>
                  ${icon(PLUS, 'small')}${text.new}
                </button>
              </div>`
            : nothing
        }
      </header>
      <div class="bar" role="search">
        <span class="find"
          >${icon(SEARCH, 'small')}<input
            class="input"
            type="search"
            autocomplete="off"
            spellcheck="false"
            aria-label=${text.filter}
            placeholder=${text.filter}
            .value=${this.search.get('q') ?? ''}
            @input=${(event: Event) => this.setSearch({ q: (event.target as HTMLInputElement).value }, true)}
        /></span>
        <fieldset class="segments" aria-label=${text.filter}>
          ${TABS.map(
            tab =>
              html`<label
                ><input
                  type="radio"
                  name="show"
                  .checked=${tab === show}
                  @change=${() => this.setSearch({ show: tab === 'all' ? undefined : tab })}
                /><span>${text.tabs[tab]}</span></label
              >`
          )}
        </fieldset>
      </div>
      ${this.#renderList()}
    </div>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-types': NotifAdminTypes
  }
}
