// The end of the rows: the place that loads more, a failure to do so, or the text that there are no more.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import type { InboxView } from '../base/inbox-view.ts'
import type { ListView } from '../base/select-rows.ts'
import { renderRetry } from './empty-state.ts'

/** Fewer rows need no text at their end. */
const MIN_ROWS_FOR_END = 4

// A button of the page loads more, unless the page prevented its click.
function onLoadMoreClick({ tabs }: InboxView, event: Event): void {
  const button = (event.target as Element).closest('button, a, [role="button"]')
  if (button && !event.defaultPrevented) tabs.loadMore()
}

export function renderListEnd(
  inbox: InboxView,
  { hasMore, rows }: ListView
): TemplateResult | typeof nothing {
  const { messages, options } = inbox
  if (inbox.hasRowsToRender) return nothing
  if (inbox.loading.state === 'failed') {
    return html`<div class="banner" part="banner" role="alert">
      <span></span><span>${messages.moreErrorTitle}</span>${renderRetry(inbox)}
    </div>`
  }
  // Only the page knows whether its own list has more.
  if (options.loadMore && (hasMore || options.sourceItems)) {
    return html`<div class="more-rows" part="more">
      <slot name="load-more" @click=${(event: Event) => onLoadMoreClick(inbox, event)}></slot>
    </div>`
  }
  if (inbox.paging) return nothing
  if (hasMore) return html`<div class="sentinel"></div>`
  return rows.length >= MIN_ROWS_FOR_END && inbox.tab === 'all'
    ? html`<div class="end" part="end">${messages.end}</div>`
    : nothing
}
