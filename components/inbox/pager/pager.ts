// The pages of a list.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { pictureButton } from '../../view/button.ts'
import { icon, NEXT, PREVIOUS } from '../../view/icons.ts'
import type { Inbox } from '../controller.ts'
import { pageNumbers, type Answer } from '../list/select-rows.ts'

export function pagerTemplate(inbox: Inbox, { first, page, pages, rows, total }: Answer): TemplateResult {
  const { formats, words } = inbox
  const to = formats.number(first + rows.length)
  const from = formats.number(Math.min(first + 1, first + rows.length))
  const step = (by: number, name: string, picture: string, enabled: boolean): TemplateResult =>
    pictureButton(name, icon(picture, 'mirror'), () => inbox.goTo(page + by), enabled)
  return html`<nav class="pager" part="pager" aria-label=${words.pages} data-at=${inbox.paging!.position}>
    <span class="pager-text"
      >${total === undefined ? words.range(from, to) : words.rangeOf(from, to, formats.number(total))}</span
    >
    ${step(-1, words.previous, PREVIOUS, page > 0)}
    ${pageNumbers(page, pages).map(number =>
      number === undefined
        ? html`<span class="gap" aria-hidden="true">…</span>`
        : html`<button
            class="page"
            aria-label=${words.page(formats.number(number + 1))}
            aria-current=${number === page ? 'page' : nothing}
            @click=${() => inbox.goTo(number)}
          >
            ${formats.number(number + 1)}
          </button>`
    )}
    ${step(1, words.next, NEXT, page < pages - 1)}
  </nav>`
}
