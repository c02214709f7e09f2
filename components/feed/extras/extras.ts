// What few feeds need: a list of the page's own, cards in columns, text below the picture, styles by part.

import type { PropertyValues } from '@lit/reactive-element'

import type { InboxElement } from '../../core/inbox-element.ts'
import { callSafely } from '../../core/safe-call.ts'
import { warnInvalid, validateChoice, validateObject, warnBy } from '../../core/validate.ts'
import { callable } from '../../view/validate-numbers.ts'
import type { Grid, PartStyles, RowKey } from '../options.ts'
import { arrange, layout } from './grid.ts'
import { createListStore, type List } from './list-store.ts'
import { sheetOf } from './part-styles.ts'

interface Host extends InboxElement {
  readonly dataSource: readonly unknown[] | undefined
  readonly grid: Grid | string | undefined
  readonly itemLayout: 'horizontal' | 'vertical'
  readonly rowKey: RowKey | undefined
  readonly styles: PartStyles | undefined
}

export class Extras {
  given: ReadonlyMap<string, unknown> | undefined
  /** Classes of the list. */
  look = ''
  readonly #feed: Host
  #list: List | undefined
  #sheet: CSSStyleSheet | undefined

  constructor(feed: Host) {
    this.#feed = feed
    this.#root.adoptedStyleSheets.push(layout.styleSheet!)
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

  /** @param changed - absent: everything is new */
  update(changed?: PropertyValues<Host>): void {
    const feed = this.#feed
    const vertical = validateChoice(feed, 'itemLayout', feed.itemLayout, ['horizontal', 'vertical'])
    // What a page draws into a card may reach beyond it.
    const plain = feed.renderItem || feed.renderers ? '' : 'plain'
    this.look = [this.#grid ? `grid ${plain}` : '', vertical === 'vertical' ? vertical : ''].join(' ').trim()
    if (!changed || changed.has('dataSource') || changed.has('rowKey')) this.#readList()
    if (!changed || changed.has('styles')) this.#style()
  }

  /** After the list is drawn. */
  updated(): void {
    arrange(this.#feed, this.#root.querySelector('.list'), this.#grid ?? {})
  }

  #readList(): void {
    const feed = this.#feed
    const { dataSource, rowKey } = feed
    const items = Array.isArray(dataSource) ? (dataSource as readonly unknown[]) : undefined
    if (!items && dataSource) warnInvalid(feed, 'dataSource', dataSource, 'an array')
    const own = typeof rowKey === 'string' ? undefined : callable(feed, 'rowKey', rowKey)
    const key =
      typeof rowKey === 'string' ? rowKey : own && ((item: never) => callSafely(undefined, own, item))
    this.#list = items && createListStore(items, key, undefined, this.#list)
    const unreadable = this.#list?.unreadable
    if (unreadable?.size) warnBy(({ warnUnreadable }) => warnUnreadable(feed, 'dataSource', unreadable))
    this.given = this.#list?.given
    feed.source.own = this.#list?.store
  }

  #style(): void {
    const styles = validateObject(this.#feed, 'styles', this.#feed.styles)
    const others = this.#root.adoptedStyleSheets.filter(sheet => sheet !== this.#sheet)
    this.#sheet = styles && sheetOf(this.#feed, styles)
    this.#root.adoptedStyleSheets = this.#sheet ? [...others, this.#sheet] : others
  }
}
