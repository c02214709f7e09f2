// One notification as a row. A thousand rows may be rendered at once, so a row is one template.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { createElement } from '../../core/dom.ts'
import type { Notif } from '../../protocol/index.ts'
import { ARCHIVE, CHECK, CLOCK, EXTERNAL, FEWER, icon, MAIL, MORE, UNARCHIVE } from '../../view/icons.ts'
import type { InboxView } from '../base/inbox-view.ts'
import { colorIndex, LINK_SCHEMES, renderAvatar, safeUrl } from './avatar.ts'
import { findAddress } from './find-address.ts'
import { findExtras } from './find-extras.ts'
import { renderRuns } from './runs.ts'

export interface RowState {
  readonly item: Notif
  readonly isUnread: boolean
  /** Came since the last look. */
  readonly isSinceLook: boolean
  /** Arrived live, and its animation still runs. */
  readonly isNew: boolean
  /** From 1. */
  readonly position: number
  /** -1 if the size of the list is unknown. */
  readonly size: number
}

interface RowAction {
  readonly action: 'archive' | 'fewer' | 'read' | 'snooze' | 'unarchive' | 'unread' | 'unsnooze'
  readonly name: string
  readonly path: string
  readonly hasMenu?: true
}

export function getRowActions(
  { messages, options }: InboxView,
  item: Notif,
  isUnread: boolean
): readonly RowAction[] {
  if (item.archived) return [{ action: 'unarchive', name: messages.unarchive, path: UNARCHIVE }]
  const archive: RowAction = { action: 'archive', name: messages.archive, path: ARCHIVE }
  const snooze = (name: string): RowAction => ({ action: 'snooze', hasMenu: true, name, path: CLOCK })
  if (item.snoozedUntil)
    return [
      { action: 'unsnooze', name: messages.unsnooze, path: UNARCHIVE },
      snooze(messages.snoozeAgain),
      archive
    ]
  return [
    isUnread
      ? { action: 'read', name: messages.read, path: CHECK }
      : { action: 'unread', name: messages.markUnread, path: MAIL },
    // Items of the page have no type, and the server cannot bring them back.
    ...(options.sourceItems
      ? [archive]
      : [
          snooze(messages.snooze),
          archive,
          { action: 'fewer', hasMenu: true, name: messages.fewer, path: FEWER } as const
        ])
  ]
}

function renderButtons(inbox: InboxView, item: Notif, isUnread: boolean): TemplateResult {
  const { hasCoarsePointer, messages } = inbox
  if (hasCoarsePointer) {
    const name = messages.more
    return html`<button
      class="icon more"
      data-act="more"
      title=${name}
      aria-haspopup="menu"
      aria-expanded="false"
    >
      ${icon(MORE)}
    </button>`
  }
  return html`<div class="actions" part="actions">
    ${getRowActions(inbox, item, isUnread).map(
      ({ action, hasMenu, name, path }) =>
        html`<button
          class="icon"
          data-act=${action}
          tabindex="-1"
          title=${name}
          aria-haspopup=${hasMenu ? 'menu' : nothing}
          aria-expanded=${hasMenu ? 'false' : nothing}
        >
          ${icon(path)}
        </button>`
    )}
  </div>`
}

/**
 * Title and body are text, or runs of text, whatever they contain. Without a link, the anchor has no `href`. It cannot contain other
 * links, so those of the title are text; those of the body are above it.
 */
export function renderItem(
  inbox: InboxView,
  { isNew, isSinceLook, isUnread, item, position, size }: RowState,
  hasButtons: boolean
): TemplateResult {
  const { brokenImages, formats, messages, now } = inbox
  const { body, bodyRuns, date, id, imageShape, titleRuns } = item
  const extras = findExtras(inbox, item)
  const avatar = renderAvatar(item.imageURL, item.title, item.tone ?? colorIndex(item.type), brokenImages)
  // A space would split an id reference into two, and keys of a list of the page may contain any character.
  const reference = id.replaceAll(/\s/g, '_')
  const url = safeUrl(findAddress(item), LINK_SCHEMES)
  const target = inbox.host.newTab ? '_blank' : undefined
  const opensTab = url !== undefined && inbox.host.newTab
  const title = titleRuns ? renderRuns(titleRuns, node => node) : item.title
  const wrapLink = (node: Node, href?: string): Node =>
    safeUrl(href, LINK_SCHEMES)
      ? createElement('a', { href, rel: 'noopener', tabindex: '-1', target }, node)
      : node
  const age = date ? (formats.age(new Date(date), now) ?? messages.now) : ''
  const note = extras?.renderNote(item, `n-${reference}`)
  const buttons = hasButtons ? renderButtons(inbox, item, isUnread) : nothing
  return html`<article
    class="item"
    part=${isUnread ? 'item unread-item' : 'item'}
    id=${id}
    tabindex="-1"
    ?data-unread=${isUnread}
    ?data-new=${isNew}
    data-shape=${imageShape ?? nothing}
    aria-labelledby=${`t-${reference}`}
    aria-describedby=${`m-${reference} ${note ? `n-${reference} ` : ''}b-${reference}`}
    aria-posinset=${position}
    aria-setsize=${size}
  >
    <span class="mark" part="unread"></span>${extras ? extras.renderPicture(item, avatar) : avatar}<slot
      name=${`item-${id}`}
      ><a
        class="title"
        part="title"
        id=${`t-${reference}`}
        tabindex="-1"
        href=${url ?? nothing}
        target=${(url && target) || nothing}
        rel="noopener"
        >${opensTab ? html`${title}<span class="sr"> ${messages.newTab}</span>` : title}</a
      ><time class="time" part="time" id=${`m-${reference}`} datetime=${item.snoozedUntil || date || nothing}
        ><span class="sr"
          >${[isSinceLook ? messages.newFlag : '', isUnread ? messages.unreadFlag : ''].filter(Boolean).join(' ')} </span
        >${extras?.renderTime(item) ?? age}${opensTab ? icon(EXTERNAL, 'small mirror') : nothing}</time
      >${note ?? nothing}
      <span class="body" part="body" id=${`b-${reference}`}
        >${bodyRuns ? renderRuns(bodyRuns, wrapLink) : body || nothing}</span
      ></slot
    >${extras ? extras.renderBelow(item) : nothing}${inbox.hasExtra ? html`<slot name=${`extra-${id}`}></slot>${buttons}` : buttons}
  </article>`
}
