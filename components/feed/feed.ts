// `<notif-feed>`: the inbox as a part of a page.

import type { PropertyValues } from '@lit/reactive-element'
import type { TemplateResult } from 'lit/html.js'

import { setStyles } from '../core/css-values.ts'
import { either, object, param } from '../core/param.ts'
import { reset, tokens } from '../core/tokens.styles.ts'
import { validateChoice } from '../core/validate.ts'
import { InboxElement, type Content, type ListOptions } from '../inbox/base/inbox-element.ts'
import { readMarkOpened, validateNumber } from '../inbox/base/options.ts'
import { InboxController } from '../inbox/controller.ts'
import { inboxStyles, renderInbox } from '../inbox/frame.ts'
import { renderSkeleton } from '../inbox/list/empty-state.ts'
import type { Messages } from '../messages/en.ts'
import { attachTemplate } from '../view/render.ts'
import type { Extras } from './extras/extras.ts'
import type { Grid } from './extras/grid.ts'
import type { RowKey } from './extras/list-store.ts'
import type { PartStyles } from './extras/part-styles.ts'
import { styles } from './feed.styles.ts'

/**
 * A list of notifications as part of a page, newest first.
 *
 * A notification that was in sight counts as seen, and stays unread until the user follows it, acts on it or marks it. With
 * `mark-opened="open"` all count as opened as soon as the feed is visible.
 *
 * @tagname notif-feed
 * @summary Feed of notifications inside a page.
 * @slot header - Replaces the heading and its buttons.
 * @slot footer - Content below the list.
 * @slot empty - Shown if there are no notifications.
 * @slot error - Shown if the notifications could not be loaded.
 * @slot loading - Shown while the first notifications load.
 * @slot item-{id} - Content of the notification with this id.
 * @slot extra-{id} - Content below the notification with this id.
 * @slot load-more - Content at the end of the list, with `loadMore`; a click on a button in it loads more.
 * @fires notif-select - The user opens a notification. `preventDefault()` neither marks it nor follows its link.
 * @fires notif-action - The user archives a notification, marks it as read and so on. `preventDefault()` leaves it unchanged.
 * @fires notif-item-action - The user presses a button of a notification. `respondWith(promise)` says how it ended.
 * @fires notif-error - The server refused a change, which is undone already.
 * @csspart header - The heading, its buttons and the tabs.
 * @csspart heading - The heading.
 * @csspart tabs - The group of tabs.
 * @csspart tab - One tab.
 * @csspart list - The scrolling part.
 * @csspart feed - The notifications.
 * @csspart day - A heading of a day, such as "Today".
 * @csspart item - One notification.
 * @csspart unread-item - A notification that is not read.
 * @csspart unread - The mark of an unread notification.
 * @csspart image - The picture or initial of a notification.
 * @csspart title - The title of a notification.
 * @csspart body - The body of a notification.
 * @csspart time - The time of a notification.
 * @csspart item-action - A button that the sender gave a notification.
 * @csspart reply - The field for a reply.
 * @csspart said - What was answered, or that it failed.
 * @csspart progress - The bar of a notification about work that runs.
 * @csspart came-back - When a notification was snoozed that has come back.
 * @csspart people - The pictures of people, and how many more there are.
 * @csspart actions - The buttons of a notification.
 * @csspart menu - The menu of the header, or of a notification on touch screens.
 * @csspart help - The help about keys.
 * @csspart undo - The line that takes an action back.
 * @csspart pager - The controls that choose a page.
 * @csspart new-items-button - The button that scrolls to new notifications.
 * @csspart more-new - The button that scrolls to new notifications below the visible rows.
 * @csspart banner - The line about a lost connection or a refused change.
 * @csspart empty-state - The content of an empty list.
 * @csspart more - The place of `loadMore`.
 * @csspart end - The text at the end of the list.
 * @csspart paused - The line that says that notifications are paused.
 * @csspart push-prompt - The row that offers web push, in a feed only with `mark-opened="open"`.
 * @csspart footer - The footer.
 * @cssprop [--notif-surface] - Background of a bordered feed.
 * @cssstate busy - Notifications are loading.
 * @cssstate empty - There are no notifications.
 * @cssstate error - The notifications could not be loaded.
 */
export class NotifFeed extends InboxElement implements ListOptions {
  static override styles = [reset, tokens, ...inboxStyles, styles]

  /**
   * Draws a background with a border around the list. Without it, rows extend 16 px into the margins of the page; at the edge of the
   * window, where there is no margin, the marks of unread notifications would be cut off.
   */
  @param(Boolean, true) bordered = false
  /**
   * Your own list instead of the store: notifications, or anything that `renderItem` renders, in order. An item with a field that
   * throws is left out. Actions of the user are not sent to the server: listen to `notif-action` and `notif-select`.
   */
  @object() dataSource: readonly unknown[] | undefined
  /** Content below the list: a text, a node, a template, or a function that renders. The attribute is a text. */
  @either() footer: Content | undefined
  /** Shows cards in columns: `{ column, gutter, xs, sm, md, lg, xl, xxl }`. The attribute is the number of columns, or empty. */
  @either() grid: Grid | string | undefined
  /** Height in pixels above which the list scrolls. Default: the list grows with the page. */
  @param(Number) infiniteScrollHeight: number | undefined
  /** `horizontal` puts the picture beside the text, `vertical` above it. */
  @param() itemLayout: 'horizontal' | 'vertical' = 'horizontal'
  /** Shows the loading state, whatever the state of the store is. */
  @param(Boolean) loading = false
  /** Content at the end of the list while there are more notifications. They load when the user clicks a button in it, not by scrolling. */
  @object() loadMore: Content | undefined
  /** Texts that replace those of this list, such as `{ emptyText }`. */
  @object() locale: Partial<Messages> | undefined
  /** Key of the items of `dataSource`: the name of a field, or a function. Default: `id`. */
  @either() rowKey: RowKey | undefined
  /** `small`, `default` or `large`. */
  @param(undefined, true) size: 'small' | 'default' | 'large' = 'default'
  /** Draws lines between notifications. */
  @param(Boolean, true) split = false
  /** CSS properties by part: `{ title: { color: 'teal' } }`. */
  @object() styles: PartStyles | undefined

  readonly #inbox: InboxController
  readonly #internals = this.attachInternals()
  #extras: Extras | undefined

  // A feed may be in a closed dialog, or far below the window.
  readonly #visibility = new IntersectionObserver(entries => {
    if (entries.at(-1)!.isIntersecting) this.#inbox.startViewing(readMarkOpened(this) === 'open')
    else this.#inbox.readState.isViewed = false
  })

  constructor() {
    super()
    this.pagination = 'PAGINATED'
    this.#inbox = new InboxController(this, this, 'PAGINATED')
    attachTemplate(this, () => this.#render())
  }

  /** The items of `dataSource` by their key. */
  get sourceItems(): ReadonlyMap<string, unknown> | undefined {
    return this.#extras?.sourceItems
  }

  get #height(): number | undefined {
    return validateNumber(this, 'infiniteScrollHeight', this.infiniteScrollHeight, [1, 100_000], undefined)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#visibility.disconnect()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // A wrong value, such as a symbol, may not be reflectable to the attribute.
    this.size = validateChoice(this, 'size', this.size, ['default', 'small', 'large'])
    const { dataSource, grid = null, itemLayout, styles } = this
    if (dataSource || grid !== null || styles || itemLayout !== 'horizontal') void this.#loadExtras()
    this.#extras?.update(changed)
    if (!changed.has('markOpened')) return
    // It is observed again after the update, because a feed that is in sight already has to mark what the new value says.
    this.#visibility.disconnect()
    if (readMarkOpened(this) === 'never') this.#inbox.stopViewing()
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    const height = this.#height
    setStyles(this.#inbox.list, { '--_list-height': height === undefined ? undefined : `${height}px` })
    this.#extras?.updated()
    this.#updateStates()
    this.#visibility.observe(this)
  }

  #render(): TemplateResult {
    // The list of the page needs the code of the extras, and nothing else may be shown before.
    if (this.dataSource && !this.#extras) return renderSkeleton()
    return renderInbox(this.#inbox, {
      listClass: this.#extras?.listClass,
      scrolls: this.#height !== undefined
    })
  }

  // Few feeds need this code.
  async #loadExtras(): Promise<void> {
    if (this.#extras) return
    const { Extras } = await import('./extras/extras.ts')
    this.#extras ??= new Extras(this)
    this.#extras.update()
    this.requestUpdate()
  }

  #updateStates(): void {
    const { state } = this.#inbox.loading
    const isEmpty = state === 'ready' && !this.#inbox.view?.rows.length
    const states = { busy: state === 'busy', empty: isEmpty, error: state === 'failed' }
    for (const [name, isOn] of Object.entries(states)) this.#internals.states[isOn ? 'add' : 'delete'](name)
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-feed': NotifFeed
  }
}
