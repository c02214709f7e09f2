// The template of a whole inbox: header, page controls, banner, list and footer.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { controls } from '../view/controls.styles.ts'
import { frame } from '../view/frame.styles.ts'
import { states } from '../view/states.styles.ts'
import { viewTokens } from '../view/view-tokens.styles.ts'
import { readKeyboard, readUnread } from './base/options.ts'
import type { InboxController } from './controller.ts'
import { renderBanner, renderMoreNew, renderNewItemsButton } from './header/banner.ts'
import { renderHeader } from './header/header.ts'
import { actions } from './item/actions.styles.ts'
import { arrival } from './item/arrival.styles.ts'
import { item } from './item/item.styles.ts'
import { runs } from './item/runs.styles.ts'
import { renderEmptyList, renderWithoutStore } from './list/empty-state.ts'
import { renderList } from './list/list.ts'
import { pager } from './pager/pager.styles.ts'
import { renderPager } from './pager/pager.ts'

/** In the order of the cascade. */
export const inboxStyles = [viewTokens, controls, frame, item, actions, runs, arrival, states, pager]

interface Frame {
  /** Closes the panel around the inbox; a feed has none. */
  readonly close?: () => void
  /** The list scrolls, not the page. */
  readonly scrolls: boolean
  /** Classes of the list: `grid`, `vertical`. */
  readonly listClass?: string | undefined
}

export function renderInbox(inbox: InboxController, { close, listClass, scrolls }: Frame): TemplateResult {
  const { host, store } = inbox
  const view = store && inbox.readView(store)
  const hasRows = view && view.rows.length > 0
  const lines = inbox.undoing.lines?.all ?? []
  const pager = view && view.pageCount > 1 ? renderPager(inbox, view) : nothing
  const isPagerAbove = inbox.paging?.position !== 'bottom'
  const hasFooter = host.querySelector(':scope > [slot="footer"]')
  return html`${renderHeader(inbox, view?.unreadCount ?? 0, close)}${isPagerAbove ? pager : nothing}${renderBanner(inbox)}${inbox.notes.renderPaused?.() ?? nothing}
    <div
      class="list ${listClass ?? ''} ${scrolls ? 'scrolls' : ''} ${hasRows ? '' : 'still'} ${readKeyboard(host) ? '' : 'no-letters'} ${readUnread(host) === 'seen' ? 'by-seen' : ''}"
      part="list"
      @scroll=${() => inbox.onScroll()}
    >
      ${lines.filter(({ item }) => !item).map(line => inbox.undoing.lines!.render(line))}${view ? html`${renderNewItemsButton(inbox)}${hasRows || lines.some(({ item }) => item) ? renderList(inbox, view) : nothing}${hasRows ? nothing : renderEmptyList(inbox, view)}` : renderWithoutStore(inbox)}${renderMoreNew(inbox)}
    </div>
    ${inbox.notes.pushRow?.render(close) ?? nothing}${isPagerAbove ? nothing : pager}
    <div class="footer" part="footer" ?hidden=${!hasFooter}>
      <slot name="footer" @slotchange=${() => host.requestUpdate()}></slot>
    </div>
    ${inbox.renderMenu?.() ?? nothing}${inbox.renderHelp?.() ?? nothing}`
}
