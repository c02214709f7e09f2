// The people of an item: their pictures in place of its own, and a line for more of them.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import type { ItemActor, Notif } from '../../../protocol/index.ts'
import { icon } from '../../../view/icons.ts'
import type { ItemView } from '../../base/inbox-view.ts'
import { colorIndex, renderAvatar } from '../avatar.ts'
import { GLYPHS } from './glyphs.ts'

const renderActor = ({ brokenImages }: ItemView, { imageURL, name }: ItemActor): TemplateResult =>
  renderAvatar(imageURL, name, colorIndex(name), brokenImages)

/** @param avatar - the picture or letter of the item */
export function renderPicture(
  inbox: ItemView,
  { actors = [], icon: name, imageURL, tone, type }: Notif,
  avatar: TemplateResult
): TemplateResult {
  const path = name && GLYPHS[name]
  const color = tone ?? colorIndex(type)
  const [first, second] = actors
  const hasPicture = imageURL !== undefined || first !== undefined
  if (path && !hasPicture) {
    return html`<div class="avatar" part="image" data-tone=${color} aria-hidden="true">${icon(path)}</div>`
  }
  const isTwo = !imageURL && second && actors.length === 2
  const own = imageURL || !first ? avatar : renderActor(inbox, first)
  if (!isTwo && !path) return own
  return html`<div class=${isTwo ? 'pic two' : 'pic'} aria-hidden="true">
    ${own}${isTwo ? renderActor(inbox, second) : nothing}${
      path && !isTwo ? html`<span class="kind" data-tone=${color}>${icon(path)}</span>` : nothing
    }
  </div>`
}

/** A line of pictures for a crowd, and words if the title names nobody. */
export function renderCrowd(
  inbox: ItemView,
  { actorCount, actors = [], title }: Notif
): TemplateResult | typeof nothing {
  const [first] = actors
  if (!first) return nothing
  const { messages } = inbox
  const count = Math.max(actorCount ?? 0, actors.length)
  const isNamed = title.includes(first.name)
  const isCrowd = actors.length > 2
  const hidden = count - actors.length
  const words = !isNamed
    ? count > 1
      ? messages.andOthers(first.name, count - 1)
      : first.name
    : isCrowd && hidden > 0
      ? messages.andMore(hidden)
      : ''
  if (!isCrowd && words === '') return nothing
  return html`<p class="people" part="people">
    ${isCrowd ? html`<span aria-hidden="true">${actors.map(actor => renderActor(inbox, actor))}</span>` : nothing}
    ${words ? html`<span>${words}</span>` : nothing}
  </p>`
}
