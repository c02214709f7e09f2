// Custom content of the page for an inbox: heading, footer, rows, and content below a row.

import type { ReactiveController } from '@lit/reactive-element'

import { callSafely } from '../../core/safe-call.ts'
import { validateObject, warnInvalid } from '../../core/validate.ts'
import type { Content, EventualResult, InboxElement, Renderer } from '../base/inbox-element.ts'
import type { InboxView } from '../base/inbox-view.ts'
import { validateFunction } from '../base/options.ts'
import type { SlotContent } from './slotted-content.ts'

const createSlotContent = (slot: string, content: Content): SlotContent => ({
  item: content,
  render: element =>
    typeof content === 'function'
      ? callSafely<[HTMLElement], EventualResult>(false, content, element)
      : content,
  renderer: slot,
  slot
})

/** Returns the custom content that the host should have now. */
export function collectCustomContent({ host, options, view }: InboxView): readonly SlotContent[] {
  const { header, renderItem, renderers } = host
  const { footer, loadMore, sourceItems } = options
  const contents: SlotContent[] = []
  if (header && typeof header === 'object') {
    if (header instanceof Node || '_$litType$' in header) contents.push(createSlotContent('header', header))
  } else if (header && typeof header !== 'string') warnInvalid(host, 'header', header, 'an object')
  if (footer) contents.push(createSlotContent('footer', footer))
  if (loadMore) contents.push(createSlotContent('load-more', loadMore))
  validateObject(host, 'renderers', renderers)
  const addRows = (prefix: string, renderer: Renderer<never> | undefined): void => {
    if (!renderer || !view) return
    for (const item of view.rows) {
      const sourceItem = sourceItems?.get(item.id) ?? item
      contents.push({
        item,
        // If the renderer throws, the row has its default content.
        render: element => callSafely(false, renderer, sourceItem as never, element),
        renderer,
        slot: `${prefix}-${item.id}`
      })
    }
  }
  addRows('item', validateFunction(host, 'renderItem', renderItem ?? renderers?.notification))
  addRows('extra', validateFunction(host, 'renderers.extra', renderers?.extra))
  return contents
}

/** Whether rows need a slot below their content. */
export const hasExtraContent = (host: InboxElement): boolean =>
  typeof host.renderers?.extra === 'function' || host.querySelector(':scope > [slot^="extra-"]') !== null

/** Renders again when content of rows comes after the rows: frameworks add it then. */
export class ExtraContent implements ReactiveController {
  readonly #inbox: InboxView

  constructor(inbox: InboxView) {
    this.#inbox = inbox
  }

  hostConnected(): void {
    this.#children.observe(this.#inbox.host, { childList: true })
  }

  hostDisconnected(): void {
    this.#children.disconnect()
  }

  readonly #children = new MutationObserver(() => {
    const { hasExtra, host } = this.#inbox
    if (hasExtra !== hasExtraContent(host)) host.requestUpdate()
  })
}
