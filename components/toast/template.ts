// The template of the toasts. Screen readers hear new notifications from the live region of the document, so this is no second one.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { toLanguageTag } from '../core/locale.ts'
import type { ExtrasView } from '../inbox/base/inbox-view.ts'
import { colorIndex, LINK_SCHEMES, renderAvatar, safeUrl } from '../inbox/item/avatar.ts'
import { findAddress } from '../inbox/item/find-address.ts'
import { renderRuns } from '../inbox/item/runs.ts'
import type { Messages } from '../messages/en.ts'
import type { Notif } from '../protocol/index.ts'
import { renderIconButton } from '../view/button.ts'
import { CLOSE, icon } from '../view/icons.ts'
import { repeat } from '../view/render.ts'
import type { TemplateElement } from '../view/template-element.ts'
import type { Toast } from './queue.ts'

export interface ToastHost extends TemplateElement {
  readonly newTab: boolean
  onLinkFollowed(): void
}

const MINUTE_MS = 60_000

export interface StackView {
  readonly host: ToastHost
  /** Oldest first. */
  readonly toasts: readonly Toast[]
  readonly moreCount: number
  /** Time of the server, in milliseconds. */
  readonly now: number
  readonly canOpenInbox: boolean
  readonly brokenImages: Set<string | null>
  readonly listeners: Readonly<
    Record<'pointercancel' | 'pointerdown' | 'pointermove' | 'pointerup', EventListener>
  >
  close(toast: Toast): void
  /** Undefined if the item has none. */
  findExtras(item: Notif): ExtrasView | undefined
  follow(toast: Toast, event: Event): void
  openInbox(): void
}

function renderToast(view: StackView, toast: Toast): TemplateResult {
  const { host, now } = view
  const { item, isLeaving = false, isUrgent } = toast
  const { fallbackLang, lang } = host.language
  const messages = host.language.messages as Messages
  const avatar = renderAvatar(
    item.imageURL,
    item.title,
    item.tone ?? colorIndex(item.type),
    view.brokenImages
  )
  const extras = view.findExtras(item)
  const url = safeUrl(findAddress(item), LINK_SCHEMES)
  const title = item.titleRuns ? renderRuns(item.titleRuns, node => node) : item.title
  const body = item.bodyRuns ? renderRuns(item.bodyRuns, node => node) : item.body || nothing
  const date = new Date(item.date)
  // One that is urgent stays for hours.
  const isNew = now - date.getTime() < MINUTE_MS
  const time = isNew ? messages.now : date.toLocaleTimeString(toLanguageTag(lang), { timeStyle: 'short' })
  return html`<article
    class=${isUrgent ? 'toast urgent' : 'toast'}
    part=${isUrgent ? 'toast urgent-toast' : 'toast'}
    id=${item.id}
    tabindex="-1"
    aria-labelledby=${`t-${item.id}`}
    lang=${fallbackLang ? lang : nothing}
    data-shape=${item.imageShape ?? nothing}
    ?data-out=${isLeaving}
    ?inert=${isLeaving}
  >
    ${extras ? extras.renderPicture(item, avatar) : avatar}<a
      class="title"
      part="title"
      id=${`t-${item.id}`}
      href=${url ?? nothing}
      target=${url && host.newTab ? '_blank' : nothing}
      rel="noopener"
      draggable="false"
      @click=${(event: Event) => url && view.follow(toast, event)}
      @auxclick=${(event: MouseEvent) => url && event.button === 1 && view.follow(toast, event)}
      >${title}</a
    ><time class="time" part="time" datetime=${item.date} lang=${fallbackLang ?? nothing}>${time}</time>
    ${extras?.renderNote(item, `n-${item.id}`) ?? nothing}
    <span class="body" part="body">${body}</span>
    ${extras ? extras.renderBelow(item) : nothing}
    <span class="close" part="close" lang=${fallbackLang ?? nothing}
      >${renderIconButton(messages.close, icon(CLOSE, 'small'), () => view.close(toast))}</span
    >
  </article>`
}

function renderMore({ canOpenInbox, host, moreCount, openInbox }: StackView): unknown {
  if (moreCount === 0) return nothing
  const text = (host.language.messages as Messages).moreInInbox(moreCount)
  return canOpenInbox
    ? html`<button class="rest" part="more" @click=${openInbox}>${text}</button>`
    : html`<span class="rest" part="more">${text}</span>`
}

/** The newest is nearest to the corner: the styles turn the column around if that is at the bottom. */
export function renderStack(view: StackView): TemplateResult {
  const { host, listeners, moreCount, toasts } = view
  const onImageError = {
    capture: true,
    handleEvent({ target }: Event) {
      view.brokenImages.add((target as Element).getAttribute('src'))
      host.requestUpdate()
    }
  }
  return html`<section
    class="toasts"
    part="toasts"
    popover="manual"
    ?hidden=${toasts.length + moreCount === 0}
    aria-label=${(host.language.messages as Messages).toasts}
    lang=${host.language.fallbackLang ?? nothing}
    @error=${onImageError}
    @pointerdown=${listeners.pointerdown}
    @pointermove=${listeners.pointermove}
    @pointerup=${listeners.pointerup}
    @pointercancel=${listeners.pointercancel}
  >
    ${repeat(
      toasts.toReversed(),
      ({ item }) => item.id,
      toast => renderToast(view, toast)
    )}${renderMore(view)}
  </section>`
}
