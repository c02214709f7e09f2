// The inbox as a part of a page.

import type { PropertyValues } from '@lit/reactive-element'
import type { TemplateResult } from 'lit/html.js'

import { InboxElement, type ListOptions } from '../core/inbox-element.ts'
import type { Content } from '../core/inbox-element.ts'
import { either, object, param } from '../core/param.ts'
import { setStyles } from '../core/sizes.ts'
import { reset, tokens } from '../core/tokens.styles.ts'
import { oneOf } from '../core/validate.ts'
import { Inbox } from '../inbox/controller.ts'
import { inboxStyles } from '../inbox/inbox.styles.ts'
import { bones } from '../inbox/list/states.ts'
import { inboxTemplate } from '../inbox/template.ts'
import type { Messages } from '../messages/en.ts'
import { draw } from '../view/render.ts'
import { within } from '../view/validate-numbers.ts'
import type { Extras } from './extras/extras.ts'
import { styles } from './feed.styles.ts'
import type { Grid, PartStyles, RowKey } from './options.ts'

/**
 * A larger list of notifications, newest first. Its items link to where they lead.
 *
 * It lies on a page for as long as the page does, so being there says nothing about being read: a notification counts
 * as opened when it is followed or marked, or at once with `mark-opened`.
 *
 * @tagname notif-feed
 * @summary Feed of notifications inside a page.
 * @slot header - Instead of the heading and its buttons.
 * @slot footer - Below the list.
 * @slot empty - Shown when there are no notifications.
 * @slot error - Shown when they could not be loaded.
 * @slot loading - Shown while the first ones are loaded.
 * @slot item-{id} - Content of one notification.
 * @slot extra-{id} - Below the content of one notification.
 * @slot load-more - At the end of the list, with `loadMore`; a click on a button in it loads more.
 * @fires notif-select - A notification was chosen; prevent it to follow nothing.
 * @fires notif-action - A notification is to be archived, read and so on; prevent it to leave it as it is.
 * @fires notif-error - A change was refused and is already taken back.
 * @csspart header - Heading, buttons and tabs.
 * @csspart heading - The heading.
 * @csspart tabs - The group of tabs.
 * @csspart tab - One tab.
 * @csspart list - The scrolling part.
 * @csspart feed - The notifications themselves.
 * @csspart day - "Today" and its like.
 * @csspart item - One notification.
 * @csspart unread-item - The same, until it is read.
 * @csspart unread - The mark of an unread one.
 * @csspart image - Its picture or initial.
 * @csspart title - Its title.
 * @csspart body - Its text.
 * @csspart time - Its time.
 * @csspart actions - The buttons of a row.
 * @csspart menu - The menu of a row on touch screens.
 * @csspart pager - The pages.
 * @csspart pill - The button that leads back to new ones.
 * @csspart note - A line about the connection or a refused change.
 * @csspart blank - What stands in place of an empty list.
 * @csspart more - Place of `loadMore`.
 * @csspart end - The sentence at the end.
 * @csspart opt-in - The card that asks for web push.
 * @csspart footer - The footer.
 * @cssprop [--notif-surface] - Colour behind a bordered feed.
 * @cssstate busy - Notifications are being loaded.
 * @cssstate empty - There are none.
 * @cssstate error - They could not be loaded.
 */
export class NotifFeed extends InboxElement implements ListOptions {
  static override styles = [reset, tokens, ...inboxStyles, styles]

  /**
   * Paints a surface with an edge around the list. Without it rows reach 16 px into the margins of the page: in a column at the
   * very edge of the window, which has none, the marks of unread ones would be cut.
   */
  @param(Boolean, true) bordered = false
  /**
   * A list of the page's own instead of the store: notifications, or anything that `renderItem` draws, in their order. One
   * with a field that throws is left out. What a person does to them stays on the page; listen to `notif-action` and
   * `notif-select`.
   */
  @object() dataSource: readonly unknown[] | undefined
  /** Below the list: a text, a node, a template, or a function that draws. As an attribute a text. */
  @either() footer: Content | undefined
  /** Cards in columns: `{ column, gutter, xs, sm, md, lg, xl, xxl }`; as an attribute the number of columns or empty. */
  @either() grid: Grid | string | undefined
  /** Height in pixels after which the list scrolls by itself. Default: it grows with the page. */
  @param(Number) infiniteScrollHeight: number | undefined
  /** `horizontal`: picture beside the text; `vertical`: above it. */
  @param() itemLayout: 'horizontal' | 'vertical' = 'horizontal'
  /** Shows that something is being loaded, whatever the store says. */
  @param(Boolean) loading = false
  /** At the end of the list, while there is more, instead of loading by itself; a click on a button in it loads more. */
  @object() loadMore: Content | undefined
  /** Own words of this list, for example `{ emptyText }`. */
  @object() locale: Partial<Messages> | undefined
  /**
   * Counts notifications as opened as soon as the list is in sight, as the popup does. What has `visibility: hidden` or
   * `opacity: 0` is in sight; a feed with `display: contents` never is.
   */
  @param(Boolean) markOpened = false
  /** What tells items of `dataSource` apart: the name of a field, or a function. Default: `id`. */
  @either() rowKey: RowKey | undefined
  /** `small`, `default` or `large`. */
  @param(undefined, true) size: 'small' | 'default' | 'large' = 'default'
  /** Draws lines between notifications. */
  @param(Boolean, true) split = false
  /** CSS properties by part: `{ title: { color: 'teal' } }`. */
  @object() styles: PartStyles | undefined

  readonly #inbox: Inbox
  readonly #internals = this.attachInternals()
  #extras: Extras | undefined

  // A feed may lie in a closed dialog, or far below the window.
  readonly #sight = new IntersectionObserver(entries => {
    if (entries.at(-1)!.isIntersecting) this.#inbox.enter()
    else this.#inbox.seen.pause()
  })

  constructor() {
    super()
    this.pagination = 'PAGINATED'
    this.#inbox = new Inbox(this, this, 'PAGINATED')
  }

  /** The items of `dataSource` by their key. */
  get given(): ReadonlyMap<string, unknown> | undefined {
    return this.#extras?.given
  }

  get #height(): number | undefined {
    return within(this, 'infiniteScrollHeight', this.infiniteScrollHeight, [1, 100_000], undefined)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#sight.disconnect()
  }

  protected override subscribe(): readonly (() => void)[] {
    return []
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // Lit cannot write every wrong value as an attribute.
    this.size = oneOf(this, 'size', this.size, ['default', 'small', 'large'])
    const { dataSource, grid = null, itemLayout, styles } = this
    if (dataSource || grid !== null || styles || itemLayout !== 'horizontal') void this.#fetch()
    this.#extras?.update(changed)
    if (!changed.has('markOpened') || this.markOpened) return
    this.#sight.disconnect()
    if (changed.get('markOpened')) this.#inbox.leave()
  }

  protected override update(changed: PropertyValues): void {
    const content = this.#render()
    super.update(changed)
    draw(this, content, this.language)
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    const height = this.#height
    setStyles(this.#inbox.list, { '--_list-height': height === undefined ? undefined : `${height}px` })
    this.#extras?.updated()
    this.#tellStates()
    if (this.markOpened) this.#sight.observe(this)
  }

  #render(): TemplateResult {
    // What the page gave comes with the code for it; nothing else may be seen before.
    if (this.dataSource && !this.#extras) return bones(6)
    return inboxTemplate(this.#inbox, { look: this.#extras?.look, scrolls: this.#height !== undefined })
  }

  // Few lists are grids or bring their own items.
  async #fetch(): Promise<void> {
    if (this.#extras) return
    const { Extras } = await import('./extras/extras.ts')
    this.#extras ??= new Extras(this)
    this.#extras.update()
    this.requestUpdate()
  }

  #tellStates(): void {
    const { state } = this.#inbox.loading
    const rows = this.#inbox.view?.rows.length ?? 0
    const now = { busy: state === 'busy', empty: state === 'ready' && rows === 0, error: state === 'failed' }
    for (const [name, on] of Object.entries(now)) {
      if (on) this.#internals.states.add(name)
      else this.#internals.states.delete(name)
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-feed': NotifFeed
  }
}
