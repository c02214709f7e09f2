// One notification as a row. A thousand of them are drawn at once, so a row is one template and not ten.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import type { Messages } from '../../messages/en.ts'
import type { Notif } from '../../protocol/index.ts'
import { ARCHIVE, CHECK, EXTERNAL, icon, MAIL, MORE, UNARCHIVE } from '../../view/icons.ts'
import type { Inbox } from '../controller.ts'
import type { RowState } from '../list/list-entries.ts'
import { safePicture, safeUrl } from './safe-url.ts'

const TONES = 6

/** The same type has the same colour everywhere. */
function tone(type: string): number {
  let hash = 0
  for (const letter of type) hash = (hash * 31 + letter.codePointAt(0)!) % 65_521
  return (hash % TONES) + 1
}

function picture({ imageURL, title, type }: Notif, broken: ReadonlySet<string | null>): TemplateResult {
  const url = safePicture(imageURL)
  if (url && !broken.has(url)) {
    return html`<img class="avatar" part="image" alt="" loading="lazy" decoding="async" src=${url} />`
  }
  const initial = /[\p{L}\p{N}]/u.exec(title)?.[0] ?? '•'
  return html`<div
    class="avatar"
    part="image"
    data-tone=${tone(type)}
    aria-hidden="true"
    .textContent=${initial}
  ></div>`
}

interface RowAction {
  readonly act: 'archive' | 'read' | 'unarchive' | 'unread'
  readonly name: string
  readonly path: string
}

/** What can be done to one notification. */
export function actionsOf(words: Messages, item: Notif, unread: boolean): readonly RowAction[] {
  if (item.archived) return [{ act: 'unarchive', name: words.unarchive, path: UNARCHIVE }]
  return [
    unread
      ? { act: 'read', name: words.read, path: CHECK }
      : { act: 'unread', name: words.markUnread, path: MAIL },
    { act: 'archive', name: words.archive, path: ARCHIVE }
  ]
}

function buttons({ coarse, words }: Inbox, item: Notif, unread: boolean): TemplateResult {
  if (coarse) {
    const name = words.more
    return html`<button class="icon more" data-act="more" title=${name} aria-haspopup="true">
      ${icon(MORE)}
    </button>`
  }
  return html`<div class="actions" part="actions">
    ${actionsOf(words, item, unread).map(
      ({ act, name, path }) => html`<button class="icon" data-act=${act} title=${name}>${icon(path)}</button>`
    )}
  </div>`
}

/**
 * The title is text, whatever it holds. Text that is alone in its element is set as a property: a place in a template is
 * a node more, and there are as many as rows.
 *
 * Without a link it is an anchor that leads nowhere, which is no link.
 *
 * @param near - with its buttons
 */
export function itemTemplate(
  inbox: Inbox,
  { fresh, item, position, size, unread }: RowState,
  near: boolean
): TemplateResult {
  const { broken, clock, formats, words } = inbox
  const { body, date, id, title } = item
  // A space would part one name into two, and a list of the page has any keys.
  const name = id.replaceAll(/\s/g, '_')
  const url = safeUrl(item.redirectURL)
  const away = url !== undefined && inbox.host.newTab
  const age = date ? (formats.age(new Date(date), clock.now) ?? words.now) : ''
  const actions = near ? buttons(inbox, item, unread) : nothing
  return html`<article
    class="item"
    part=${unread ? 'item unread-item' : 'item'}
    id=${id}
    tabindex="0"
    ?data-unread=${unread}
    ?data-new=${fresh}
    aria-labelledby=${`t-${name}`}
    aria-describedby=${`m-${name} b-${name}`}
    aria-posinset=${position}
    aria-setsize=${size}
  >
    <span class="mark" part="unread"></span>${picture(item, broken)}<slot name=${`item-${id}`}
      ><a
        class="title"
        part="title"
        id=${`t-${name}`}
        href=${url ?? nothing}
        target=${away ? '_blank' : nothing}
        rel="noopener"
        >${away ? html`${title}<span class="sr"> ${words.newTab}</span>` : title}</a
      ><time class="time" part="time" id=${`m-${name}`} datetime=${date || nothing}
        ><span class="sr">${unread ? words.unreadFlag : ''} </span
        >${age}${away ? icon(EXTERNAL, 'small mirror') : nothing}</time
      >
      <div class="body" part="body" id=${`b-${name}`} .textContent=${body ?? ''}></div></slot
    >${inbox.extra ? html`<slot name=${`extra-${id}`}></slot>${actions}` : actions}
  </article>`
}
