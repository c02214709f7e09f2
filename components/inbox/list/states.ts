// What the list says when there are no rows, and at its end.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { emptyState, retryButton } from '../../view/empty-state.ts'
import { BELL_ART, icon, OFFLINE, TRAY_ART } from '../../view/icons.ts'
import type { Inbox } from '../controller.ts'
import type { Answer } from './select-rows.ts'

const skeletonRow = html`<div class="item skeleton-row">
  <div class="avatar placeholder"></div>
  <span class="title"><span class="placeholder"></span></span
  ><span class="time"><span class="placeholder"></span></span>
  <div class="body"><span class="placeholder"></span><span class="placeholder"></span></div>
</div>`

/** Rows in their final measures, breathing. */
export const skeleton = (count: number): TemplateResult =>
  html`<div class="skeleton" aria-hidden="true">${Array.from({ length: count }, () => skeletonRow)}</div>`

/** Asks once more for what did not come: the notifications, or the code of the store. */
const again = ({ host, store, words }: Inbox): TemplateResult =>
  retryButton(words, () => {
    if (store) void store.reload()
    else host.source.scope?.retryLoad?.()
  })

const failure = (inbox: Inbox): TemplateResult =>
  html`<slot name="error"
    >${emptyState(TRAY_ART, inbox.words.errorTitle, inbox.words.errorText, again(inbox))}</slot
  >`

/** Before there is a store: what will be here, or that its code did not come. */
export const noStoreTemplate = (inbox: Inbox): TemplateResult =>
  inbox.host.source.scope?.retryLoad ? failure(inbox) : skeleton(6)

/** Instead of rows. */
export function stateTemplate(inbox: Inbox, view: Answer): TemplateResult {
  const { store, tab, words } = inbox
  if (store?.$connection.get().state === 'refused') {
    return html`<slot name="error">${emptyState(TRAY_ART, words.refusedTitle, words.refusedText)}</slot>`
  }
  const { state } = inbox.loading
  if (state === 'failed') return failure(inbox)
  if (state === 'busy' || view.short) {
    return html`<slot name="loading"
      >${skeleton(Math.min(inbox.paging?.size ?? 6, 6))}<span class="sr">${words.loading}</span></slot
    >`
  }
  if (tab === 'unread') return emptyState(BELL_ART, words.emptyUnreadTitle, words.emptyUnreadText)
  if (tab === 'archived') return emptyState(BELL_ART, words.emptyArchivedTitle, words.emptyArchivedText)
  return html`<slot name="empty">${emptyState(BELL_ART, words.emptyTitle, words.emptyText)}</slot>`
}

// A button of the page loads more, unless the page does something else with the click.
function onMore({ store }: Inbox, event: Event): void {
  const button = (event.target as Element).closest('button, a, [role="button"]')
  if (button && !event.defaultPrevented) void store?.loadMore()
}

/** At the end of the rows: the place that loads more, a way out of a failure, or the sentence that it is the end. */
export function endTemplate(inbox: Inbox, view: Answer): TemplateResult | typeof nothing {
  const { options, slices, words } = inbox
  if (slices.more) return nothing
  const { state } = inbox.loading
  if (state === 'failed') {
    return html`<div class="banner" part="banner" role="alert">
      <span></span><span>${words.moreErrorTitle}</span>${again(inbox)}
    </div>`
  }
  // A list of the page's own may have more whatever we know.
  if (options.loadMore && (view.more || options.given)) {
    return html`<div class="more-rows" part="more">
      <slot name="load-more" @click=${(event: Event) => onMore(inbox, event)}></slot>
    </div>`
  }
  if (inbox.paging) return nothing
  if (view.more) return html`<div class="sentinel"></div>`
  return view.rows.length > 3 && inbox.tab === 'all'
    ? html`<div class="end" part="end">${words.end}</div>`
    : nothing
}

/** Lines between header and list. */
export function bannerTemplate(inbox: Inbox): TemplateResult | typeof nothing {
  const { formats, offlineSince, refused, store, words } = inbox
  if (refused)
    return html`<div class="banner" part="banner" role="alert">
      <span></span><span>${words.notSaved}</span>
    </div>`
  if (store?.$connection.get().state !== 'offline') return nothing
  const title = navigator.onLine ? words.unreachableTitle : words.offlineTitle
  const kept =
    store.$notifications.get().length > 0 && words.offlineText(formats.time(new Date(offlineSince!)))
  return html`<div class="banner" part="banner">
    ${icon(OFFLINE)}<span><b>${title}</b> ${kept || nothing}</span>
  </div>`
}
