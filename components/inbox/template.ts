// The whole inbox: header with tabs, pages, notes, list, footer.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { announceState } from '../announce/announce-state.ts'
import { pictureButton } from '../view/button.ts'
import { ARCHIVE, CHECK_ALL, CLOSE, icon, SETTINGS, UP } from '../view/icons.ts'
import type { Inbox } from './controller.ts'
import { listTemplate } from './list/list.ts'
import type { Answer, Tab } from './list/select-rows.ts'
import { noStoreTemplate, bannerTemplate, stateTemplate } from './list/states.ts'
import { pagerTemplate } from './pager/pager.ts'

interface Frame {
  /** Closes the panel around it, where there is one. */
  readonly close?: () => void
  /** The list scrolls by itself, not with the page. */
  readonly scrolls: boolean
  /** Classes of the list: `grid`, `vertical`. */
  readonly look?: string | undefined
}

// A node may have a title as well: its own, which is no worse a name than ours.
export function titleOf({ host: { header }, words }: Inbox): string {
  const title = (header as { title?: unknown } | undefined)?.title ?? header
  return (typeof title === 'string' && title !== 'none' && title) || words.title
}

/** Of that title: the page's own is in the language of the page, whatever stands beside it. */
export const langOfTitle = (inbox: Inbox): string => {
  const { lang, messagesLang } = inbox.host.language
  return titleOf(inbox) === inbox.words.title ? messagesLang : lang
}

/** The panel closes first, so that the focus comes back to the bell and not into something hidden. */
async function choosePreferences({ host }: Inbox, close?: () => void): Promise<void> {
  try {
    const { openPreferences } = await import('../preferences-popup/open.ts')
    close?.()
    openPreferences(host)
  } catch (error) {
    console.warn('notif-kit: the preferences could not be loaded.', error)
  }
}

function tabTemplate(inbox: Inbox, tab: Tab, unread: number): TemplateResult {
  const number = unread > 0 ? html`<span class="num">${` ${inbox.formats.number(unread)}`}</span>` : nothing
  const chosen = (): void => {
    inbox.choose(tab)
    void announceState(inbox.host)
  }
  return html`<button class="tab" part="tab" aria-pressed=${tab === inbox.tab} @click=${chosen}>
    ${inbox.words[tab]}${number}
  </button>`
}

function headerTemplate(
  inbox: Inbox,
  view: Answer | undefined,
  { close }: Frame
): TemplateResult | typeof nothing {
  const { host, store, words } = inbox
  if (host.header === false || host.header === 'none') return nothing
  const unread = view?.unread ?? 0
  const any = (store?.$unarchived.get() ?? 0) > 0
  return html`<div class="header" part="header">
    <slot name="header">
      <div class="headline">
        <h2 class="heading" part="heading" tabindex="-1" lang=${langOfTitle(inbox)}>${titleOf(inbox)}</h2>
        <div class="tools">
          ${pictureButton(words.readAll, icon(CHECK_ALL), () => inbox.act('read-all'), unread > 0)}
          ${pictureButton(words.archiveAll, icon(ARCHIVE), () => inbox.act('archive-all'), any)}
          ${pictureButton(words.preferences, icon(SETTINGS), () => void choosePreferences(inbox, close))}
          ${close ? pictureButton(words.close, icon(CLOSE), close, true, 'icon close') : nothing}
        </div>
      </div>
    </slot>
    <div class="tabs" part="tabs" role="group" aria-label=${words.show}>
      ${inbox.tabs.map(tab => tabTemplate(inbox, tab, tab === 'unread' ? unread : 0))}
    </div>
  </div>`
}

function newItemsTemplate(inbox: Inbox): TemplateResult | typeof nothing {
  if (inbox.above === 0) return nothing
  const text = inbox.words.newItems(inbox.above)
  return html`<div class="new-items-button" part="new-items-button">
    <button @click=${() => inbox.toTop()}>${icon(UP, 'small')}${text}</button>
  </div>`
}

/** Nobody is asked for something while what he came for is not there. */
function cardTemplate({ card, loading, tab }: Inbox, { rows }: Answer): unknown {
  return tab === 'all' && (rows.length > 0 || loading.state === 'ready') ? (card?.() ?? nothing) : nothing
}

export function inboxTemplate(inbox: Inbox, frame: Frame): TemplateResult {
  const { host, store } = inbox
  const view = store && inbox.read(store)
  const pager = view && view.pages > 1 ? pagerTemplate(inbox, view) : nothing
  const atTop = inbox.paging?.position !== 'bottom'
  const footer = host.querySelector(':scope > [slot="footer"]')
  return html`${headerTemplate(inbox, view, frame)}${atTop ? pager : nothing}${bannerTemplate(inbox)}
    <div
      class="list ${frame.look ?? ''} ${frame.scrolls ? 'scrolls' : ''} ${view?.rows.length ? '' : 'still'}"
      part="list"
      @scroll=${() => inbox.scrolled()}
    >
      ${view ? html`${newItemsTemplate(inbox)}${cardTemplate(inbox, view)}${view.rows.length > 0 ? listTemplate(inbox, view) : stateTemplate(inbox, view)}` : noStoreTemplate(inbox)}
    </div>
    ${atTop ? nothing : pager}
    <div class="footer" part="footer" ?hidden=${!footer}>
      <slot name="footer" @slotchange=${() => host.requestUpdate()}></slot>
    </div>`
}
