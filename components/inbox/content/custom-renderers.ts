// What the page draws into an inbox by itself: heading, footer, rows, and what stands below their content.

import type { InboxElement, ListOptions, Renderer } from '../../core/inbox-element.ts'
import { callSafely } from '../../core/safe-call.ts'
import { warnInvalid, validateObject } from '../../core/validate.ts'
import { callable } from '../../view/validate-numbers.ts'
import type { Answer } from '../list/select-rows.ts'
import { pieceOf, type Piece } from './slotted-content.ts'

interface Shown {
  readonly host: InboxElement
  readonly options: ListOptions
  readonly view: Pick<Answer, 'rows'> | undefined
}

/** What is drawn into the light DOM of an element now. */
export function pieces({ host, options, view }: Shown): readonly Piece[] {
  const { header, renderItem, renderers } = host
  const { footer, given, loadMore } = options
  const list: Piece[] = []
  if (header && typeof header === 'object') {
    if (header instanceof Node || '_$litType$' in header) list.push(pieceOf('header', header))
  } else if (header && typeof header !== 'string') warnInvalid(host, 'header', header, 'an object')
  if (footer) list.push(pieceOf('footer', footer))
  if (loadMore) list.push(pieceOf('load-more', loadMore))
  validateObject(host, 'renderers', renderers)
  const rows = (place: string, renderer: Renderer<never> | undefined): void => {
    if (!renderer || !view) return
    for (const item of view.rows) {
      const drawn = given?.get(item.id) ?? item
      list.push({
        // Where it throws the row is as usual: nobody misses a notification by a mistake of the page.
        draw: element => callSafely(false, renderer, drawn as never, element),
        item,
        renderer,
        slot: `${place}-${item.id}`
      })
    }
  }
  rows('item', callable(host, 'renderItem', renderItem ?? renderers?.notification))
  rows('extra', callable(host, 'renderers.extra', renderers?.extra))
  return list
}

/** Whether rows have a place for what stands below their content. */
export const hasExtra = (host: InboxElement): boolean =>
  typeof host.renderers?.extra === 'function' || host.querySelector(':scope > [slot^="extra-"]') !== null
