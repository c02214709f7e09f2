// The page controls of a list.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { renderIconButton } from '../../view/button.ts'
import { icon, NEXT, PREVIOUS } from '../../view/icons.ts'
import type { InboxView } from '../base/inbox-view.ts'
import type { ListView } from '../base/select-rows.ts'

/** Returns the pages that have a button, from 0; undefined is a gap. */
function pageNumbers(page: number, pageCount: number): readonly (number | undefined)[] {
  if (pageCount <= 6) return Array.from({ length: pageCount }, (_, index) => index)
  const near = page > pageCount - 3 ? [pageCount - 3, pageCount - 2] : [page - 1, page, page + 1]
  const middle = page < 2 ? [1, 2] : near
  return [
    0,
    ...(middle[0]! > 1 ? [undefined] : []),
    ...middle,
    ...(middle.at(-1)! < pageCount - 2 ? [undefined] : []),
    pageCount - 1
  ]
}

export function renderPager(
  inbox: InboxView,
  { first, page, pageCount, rows, total }: ListView
): TemplateResult {
  const { formats, messages } = inbox
  const to = formats.number(first + rows.length)
  const from = formats.number(Math.min(first + 1, first + rows.length))
  const renderStep = (by: number, name: string, path: string, isEnabled: boolean): TemplateResult =>
    renderIconButton(name, icon(path, 'mirror'), () => inbox.showPage(page + by), isEnabled)
  return html`<div
    role="group"
    class="pager"
    part="pager"
    aria-label=${messages.pages}
    data-at=${inbox.paging!.position}
  >
    <span class="pager-text"
      >${total === undefined ? messages.range(from, to) : messages.rangeOf(from, to, formats.number(total))}</span
    >
    ${renderStep(-1, messages.previous, PREVIOUS, page > 0)}
    ${pageNumbers(page, pageCount).map(number =>
      number === undefined
        ? html`<span class="gap" aria-hidden="true">…</span>`
        : html`<button
            class="page"
            aria-label=${messages.page(formats.number(number + 1))}
            aria-current=${number === page ? 'page' : nothing}
            @click=${() => inbox.showPage(number)}
          >
            ${formats.number(number + 1)}
          </button>`
    )}
    ${renderStep(1, messages.next, NEXT, page < pageCount - 1)}
  </div>`
}
