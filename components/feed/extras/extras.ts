// Parameters that few feeds use: a list of the page, cards in columns, text below the picture, styles by part.

import type { PropertyValues } from '@lit/reactive-element'

import { callSafely } from '../../core/safe-call.ts'
import { warnInvalid, validateChoice, validateObject, warnBy } from '../../core/validate.ts'
import type { InboxElement } from '../../inbox/base/inbox-element.ts'
import { validateFunction } from '../../inbox/base/options.ts'
import { adoptStyles } from '../../view/render.ts'
import { setColumns, gridStyles, type Grid } from './grid.ts'
import { createListStore, type List, type RowKey } from './list-store.ts'
import { createSheet, type PartStyles } from './part-styles.ts'

interface Host extends InboxElement {
  readonly dataSource: readonly unknown[] | undefined
  readonly grid: Grid | string | undefined
  readonly itemLayout: 'horizontal' | 'vertical'
  readonly rowKey: RowKey | undefined
  readonly styles: PartStyles | undefined
}

export class Extras {
  sourceItems: ReadonlyMap<string, unknown> | undefined
  listClass = ''
  readonly #feed: Host
  #list: List | undefined
  #sheet: CSSStyleSheet | undefined

  constructor(feed: Host) {
    this.#feed = feed
    adoptStyles(feed, gridStyles)
  }

  get #root(): ShadowRoot {
    return this.#feed.renderRoot as ShadowRoot
  }

  get #grid(): Grid | undefined {
    const { grid } = this.#feed
    if (grid === '') return {}
    if (typeof grid === 'string' && /^\d+$/.test(grid)) return { column: Number(grid) }
    return validateObject(this.#feed, 'grid', grid as Grid | undefined)
  }

  /** @param changed - undefined: everything */
  update(changed?: PropertyValues<Host>): void {
    const feed = this.#feed
    const layout = validateChoice(feed, 'itemLayout', feed.itemLayout, ['horizontal', 'vertical'])
    // Custom content may be larger than its card, and the browser would clip it.
    const plain = feed.renderItem || feed.renderers ? '' : 'plain'
    this.listClass = [this.#grid ? `grid ${plain}` : '', layout === 'vertical' ? layout : ''].join(' ').trim()
    if (!changed || changed.has('dataSource') || changed.has('rowKey')) this.#readList()
    if (!changed || changed.has('styles')) this.#applyStyles()
  }

  /** Called after the list is rendered. */
  updated(): void {
    setColumns(this.#feed, this.#root.querySelector('.list'), this.#grid ?? {})
  }

  #readList(): void {
    const feed = this.#feed
    const { dataSource, rowKey } = feed
    const items = Array.isArray(dataSource) ? (dataSource as readonly unknown[]) : undefined
    if (!items && dataSource) warnInvalid(feed, 'dataSource', dataSource, 'an array')
    const getKey = typeof rowKey === 'string' ? undefined : validateFunction(feed, 'rowKey', rowKey)
    const key =
      typeof rowKey === 'string' ? rowKey : getKey && ((item: never) => callSafely(undefined, getKey, item))
    this.#list = items && createListStore(items, key, undefined, this.#list)
    const unreadable = this.#list?.unreadable
    if (unreadable?.size) warnBy(({ warnUnreadable }) => warnUnreadable(feed, 'dataSource', unreadable))
    this.sourceItems = this.#list?.sourceItems
    feed.source.listStore = this.#list?.store
  }

  #applyStyles(): void {
    const styles = validateObject(this.#feed, 'styles', this.#feed.styles)
    const others = this.#root.adoptedStyleSheets.filter(sheet => sheet !== this.#sheet)
    this.#sheet = styles && createSheet(this.#feed, styles)
    this.#root.adoptedStyleSheets = this.#sheet ? [...others, this.#sheet] : others
  }
}
