// What lies above the rows: the banner about a refused change or a lost connection, and the button to new notifications.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { icon, OFFLINE, UP } from '../../view/icons.ts'
import type { InboxView } from '../base/inbox-view.ts'

export function renderBanner(inbox: InboxView): TemplateResult | typeof nothing {
  const { formats, isRefused, messages, offlineSince, store } = inbox
  if (isRefused)
    return html`<div class="banner" part="banner" role="alert">
      <span></span><span>${messages.notSaved}</span>
    </div>`
  if (store?.$connection.get().state !== 'offline') return nothing
  const title = navigator.onLine ? messages.unreachableTitle : messages.offlineTitle
  const text =
    store.$notifications.get().length > 0 && messages.offlineText(formats.time(new Date(offlineSince!)))
  return html`<div class="banner" part="banner">
    ${icon(OFFLINE)}<span><b>${title}</b> ${text || nothing}</span>
  </div>`
}

export function renderNewItemsButton(inbox: InboxView): TemplateResult | typeof nothing {
  if (inbox.newAboveCount === 0) return nothing
  const text = inbox.messages.newItems(inbox.newAboveCount)
  return html`<div class="new-items-button" part="new-items-button">
    <button @click=${() => inbox.showNewest()}>${icon(UP, 'small')}${text}</button>
  </div>`
}

const DOWN = 'M10 4.5v11M5.5 11 10 15.5l4.5-4.5'

/** The button to new notifications below the visible rows; they stay on the badge until they were in sight. */
export function renderMoreNew({ formats, host, messages, seen }: InboxView): TemplateResult | typeof nothing {
  if (seen.belowCount === 0) return nothing
  const onClick = (): void => {
    const rows = [...host.renderRoot.querySelectorAll('article[data-unread]')]
    const list = host.renderRoot.querySelector('.list')!.getBoundingClientRect()
    const next = rows.find(row => row.getBoundingClientRect().bottom > list.bottom)
    next?.scrollIntoView({ block: 'start' })
  }
  return html`<div class="more-new" part="more-new">
    <button tabindex="-1" @click=${onClick}>
      ${icon(DOWN, 'small')}${messages.moreNew(formats.number(seen.belowCount))}
    </button>
  </div>`
}
