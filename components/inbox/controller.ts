// The inbox of a popup, launcher or feed: its state, and the actions of the user. The templates render it.

import type { ReactiveController } from '@lit/reactive-element'

import type { Messages } from '../messages/en.ts'
import type { Notif, NotifId } from '../protocol/index.ts'
import type { Loading, NotifStore } from '../store/types.ts'
import { emit, type NotifAction } from '../view/emit.ts'
import { applyAction } from './actions.ts'
import { getFormats, type Formats } from './base/formats.ts'
import type { InboxElement, ListOptions, Pagination } from './base/inbox-element.ts'
import type { InboxView } from './base/inbox-view.ts'
import { readFilter, readPaging, readUnread, type Paging } from './base/options.ts'
import { selectRows, type ListView, type Tab } from './base/select-rows.ts'
import { ClockController } from './clock.ts'
import { collectCustomContent, ExtraContent, hasExtraContent } from './content/custom-renderers.ts'
import { SlottedContent } from './content/slotted-content.ts'
import { AriaPositions } from './list/aria-positions.ts'
import { RowFocus } from './list/focus.ts'
import { IncrementalRender } from './list/incremental-render.ts'
import { InfiniteScroll } from './list/infinite-scroll.ts'
import type { ListEntry } from './list/list-entries.ts'
import { RowGroups } from './list/row-groups.ts'
import { Shortcuts } from './list/shortcuts.ts'
import type { LookLine } from './look-line.ts'
import { NotesController } from './notes-controller.ts'
import { ReadState } from './read-state.ts'
import { SeenController } from './seen.ts'
import { subscribeInbox, TOP_TOLERANCE_PX } from './subscribe.ts'
import { TabsController } from './tabs-controller.ts'
import { UndoController } from './undo-controller.ts'
import { Viewing } from './viewing.ts'

export class InboxController implements ReactiveController, InboxView {
  readonly host: InboxElement
  readonly options: ListOptions
  readonly readState = new ReadState()
  readonly isUnread = this.readState.isUnread
  readonly rowGroups = new RowGroups<ListEntry>()
  readonly rowFocus: RowFocus
  readonly arrived = new Set<NotifId>()
  readonly brokenImages = new Set<string | null>()
  newAboveCount = 0
  isRefused = false
  offlineSince: number | undefined
  renderMenu: InboxView['renderMenu']
  extras: InboxView['extras']
  renderHelp: (() => unknown) | undefined
  readonly hasCoarsePointer = matchMedia('(pointer: coarse)').matches
  view: ListView | undefined
  hasExtra = false
  readonly notes: NotesController
  readonly seen: SeenController = new SeenController(this)
  readonly #clock: ClockController
  readonly undoing: UndoController
  readonly tabs: TabsController
  readonly #viewing: Viewing
  readonly #incrementalRender: IncrementalRender
  readonly #defaultPagination: Pagination
  #lastStore: NotifStore | undefined
  #page = 0

  constructor(host: InboxElement, options: ListOptions = {}, pagination: Pagination = 'INFINITE_SCROLL') {
    this.host = host
    this.options = options
    this.undoing = new UndoController(this, error => this.#onRefused(error))
    this.#defaultPagination = pagination
    this.#clock = new ClockController(host, () => this.store)
    this.tabs = new TabsController(this)
    this.notes = new NotesController(this)
    this.#incrementalRender = new IncrementalRender(this)
    host.addController(new SlottedContent(host, () => collectCustomContent(this)))
    host.addController(new ExtraContent(this))
    host.addController((this.rowFocus = new RowFocus(host)))
    host.addController(this.seen)
    host.addController((this.#viewing = new Viewing(this)))
    host.addController(new Shortcuts(this))
    host.addController(new InfiniteScroll(this))
    host.addController(new AriaPositions(this))
    host.source.add((store, onChange) => this.#subscribe(store, onChange))
    host.addController(this)
    if (this.hasCoarsePointer) import('./menu/row-menu.ts').catch(() => {})
  }

  get store(): NotifStore | undefined {
    return this.host.source.store
  }

  get now(): number {
    return this.#clock.now
  }

  get messages(): Messages {
    return this.host.language.messages as Messages
  }

  get formats(): Formats {
    return getFormats(this.host.language.lang)
  }

  get lookLine(): LookLine {
    return this.#viewing.lookLine
  }
  get tab(): Tab {
    return this.tabs.current
  }
  get paging(): Paging | undefined {
    return readPaging(this.host, this.#defaultPagination)
  }
  get loading(): Loading {
    return (!this.options.loading && (this.tabs.view ?? this.store)?.$loading.get()) || { state: 'busy' }
  }
  get hasRowsToRender(): boolean {
    return this.#incrementalRender.hasMore
  }

  get list(): HTMLElement | null {
    return this.host.renderRoot.querySelector('.list')
  }

  hostUpdate(): void {
    if (!this.store) this.#resetFor(undefined)
  }

  readView(store: NotifStore): ListView {
    const items = store.$notifications.get()
    const { loading } = this
    this.hasExtra = hasExtraContent(this.host)
    const view = selectRows({
      counts: store.$counts.get(),
      fact: (this.readState.fact = readUnread(this.host)),
      filter: readFilter(this.host),
      hasOlder: loading.state !== 'ready' || loading.more,
      isUnread: this.isUnread,
      items,
      newlyOpenedCount: this.readState.countNewlyOpened(items),
      page: this.#page,
      pageSize: this.paging?.size,
      tab: this.tab,
      viewItems: this.tabs.viewItems
    })
    return (this.view = this.#incrementalRender.limit(view))
  }

  startViewing(offersPush = true): void {
    this.#viewing.start()
    this.tabs.start()
    this.host.requestUpdate()
    if (offersPush) this.notes.startViewing()
  }

  stopViewing(): void {
    this.#viewing.stop()
    this.tabs.stop()
    this.notes.stopViewing()
    this.#reset()
  }

  #reset(): void {
    this.arrived.clear()
    this.undoing.lines?.clear()
    this.newAboveCount = 0
    this.isRefused = false
    // A closed panel renders no rows, so its view would stay short and load more for ever.
    if (this.view) this.view = { ...this.view, isShort: false }
    this.showTab('all')
  }

  showTab(tab: Tab): void {
    this.undoing.lines?.clear()
    this.tabs.choose(tab)
    this.showPage(0)
  }

  showPage(page: number): void {
    this.#page = page
    this.list?.scrollTo(0, 0)
    this.host.requestUpdate()
  }

  onScroll(): void {
    if (this.newAboveCount === 0 || (this.list?.scrollTop ?? 0) > TOP_TOLERANCE_PX) return
    this.newAboveCount = 0
    this.host.requestUpdate()
  }

  showNewest(): void {
    this.newAboveCount = 0
    this.showPage(0)
    this.rowFocus.focus(this.rowFocus.rows[0])
  }

  select(item: Notif): boolean {
    if (!emit(this.host, 'notif-select', { item })) return false
    this.readState.markRead(item.id)
    this.host.requestUpdate()
    this.reportRefusal(this.store?.markAsClicked(item.id))
    return true
  }

  act(action: NotifAction, item?: Notif, apply?: (store: NotifStore) => Promise<unknown>): void {
    const { host, readState, store } = this
    if (!store || !emit(host, 'notif-action', item ? { action, item } : { action })) return
    this.isRefused = false
    host.requestUpdate()
    const { scope } = this.tabs
    const run =
      apply ?? (() => applyAction(store, readState, action, { filter: host.filter, id: item?.id, scope }))
    this.undoing.perform(action, item, () => run(store), apply)
  }

  undo(): void {
    this.undoing.undoLast()
  }

  reportRefusal(change: Promise<unknown> | undefined): void {
    change?.catch(this.#onRefused)
  }

  readonly #onRefused = (error: unknown): void => {
    this.isRefused = emit(this.host, 'notif-error', { error })
    this.host.requestUpdate()
  }

  /** The inbox of another user starts at its top, and without a user nothing of the last one is left. */
  #resetFor(store: NotifStore | undefined): void {
    if (store === this.#lastStore || this.options.sourceItems) return
    this.#lastStore = store
    this.view = this.offlineSince = undefined
    this.#viewing.forget()
    this.readState.reset()
    this.#reset()
  }

  #subscribe(store: NotifStore, onChange: () => void): readonly (() => void)[] {
    this.#resetFor(store)
    return subscribeInbox(this, store, {
      onChange,
      onNotifications: this.#viewing.update,
      onRefused: this.#onRefused
    })
  }
}
