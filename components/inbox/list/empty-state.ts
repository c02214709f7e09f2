// Shown in place of rows: a skeleton while they load, a failure, or that there are none.

import { html, type TemplateResult } from 'lit/html.js'

import { renderRetryButton } from '../../view/button.ts'
import { BELL, renderEmptyState, TRAY } from '../../view/empty-state.ts'
import type { InboxView } from '../base/inbox-view.ts'
import type { ListView } from '../base/select-rows.ts'

const MAX_SKELETON_ROWS = 6

const skeletonRow = html`<div class="item skeleton-row">
  <div class="avatar placeholder"></div>
  <span class="title"><span class="placeholder"></span></span
  ><span class="time"><span class="placeholder"></span></span>
  <div class="body"><span class="placeholder"></span><span class="placeholder"></span></div>
</div>`

export const renderSkeleton = (rowCount = MAX_SKELETON_ROWS): TemplateResult =>
  html`<div class="skeleton" aria-hidden="true">${Array.from({ length: rowCount }, () => skeletonRow)}</div>`

/** Loads again what failed: the notifications, or the code of the store. */
export const renderRetry = ({ host, messages, store, tabs }: InboxView): TemplateResult =>
  renderRetryButton(messages, () => {
    if (store) tabs.reload(store)
    else host.source.context?.retryLoad?.()
  })

const renderFailure = (inbox: InboxView): TemplateResult =>
  html`<slot name="error"
    >${renderEmptyState(TRAY, inbox.messages.errorTitle, inbox.messages.errorText, renderRetry(inbox))}</slot
  >`

/** The code of the store is loading, or it failed to load. */
export const renderWithoutStore = (inbox: InboxView): TemplateResult =>
  inbox.host.source.context?.retryLoad ? renderFailure(inbox) : renderSkeleton()

export function renderEmptyList(inbox: InboxView, { isShort }: ListView): TemplateResult {
  const { messages, paging, store, tab } = inbox
  if (store?.$connection.get().state === 'refused') {
    return html`<slot name="error"
      >${renderEmptyState(TRAY, messages.refusedTitle, messages.refusedText)}</slot
    >`
  }
  const { state } = inbox.loading
  if (state === 'failed') return renderFailure(inbox)
  if (state === 'busy' || isShort) {
    const rowCount = Math.min(paging?.size ?? MAX_SKELETON_ROWS, MAX_SKELETON_ROWS)
    return html`<slot name="loading"
      >${renderSkeleton(rowCount)}<span class="sr">${messages.loading}</span></slot
    >`
  }
  if (tab === 'unread') return renderEmptyState(BELL, messages.emptyUnreadTitle, messages.emptyUnreadText)
  if (tab === 'archived')
    return renderEmptyState(BELL, messages.emptyArchivedTitle, messages.emptyArchivedText)
  const own = inbox.tabs.row?.renderEmpty(tab)
  if (own) return own
  return html`<slot name="empty">${renderEmptyState(BELL, messages.emptyTitle, messages.emptyText)}</slot>`
}
