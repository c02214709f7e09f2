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
