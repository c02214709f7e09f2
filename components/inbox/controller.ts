// The inbox inside popup, launcher and feed: what is shown, and what a person does to it. The templates draw it.

import type { ReactiveController } from '@lit/reactive-element'

import type { InboxElement, ListOptions, Pagination } from '../core/inbox-element.ts'
import type { Messages } from '../messages/en.ts'
import type { Notif, NotifId } from '../protocol/index.ts'
import type { Loading, NotifStore } from '../store/types.ts'
import { emit, type NotifAction } from '../view/emit.ts'
import { addViewMessages } from '../view/render.ts'
import { actOn, actOnAll, seenIn } from './actions.ts'
import { ClockController } from './clock.ts'
import { hasExtra, pieces } from './content/custom-renderers.ts'
import { LightContent } from './content/slotted-content.ts'
import { formatsOf, type Formats } from './formats.ts'
import { Numbers } from './list/aria-positions.ts'
import { FocusKeeper } from './list/focus.ts'
import { Slices } from './list/incremental-render.ts'
import { Endless } from './list/infinite-scroll.ts'
import type { Entry } from './list/list-entries.ts'
import { Blocks } from './list/row-groups.ts'
import { answer, tabsOf, type Answer, type Tab } from './list/select-rows.ts'
import { filterOf, paging, type Paging } from './options.ts'
import { Seen } from './read-state.ts'
import { hear, TOP } from './subscribe.ts'

export class Inbox implements ReactiveController {
  readonly host: InboxElement
  readonly options: ListOptions
  readonly clock: ClockController
  readonly seen = new Seen()
  readonly slices: Slices
  readonly blocks = new Blocks<Entry>()
  /** Came live and have not been greeted yet. */
  readonly arrived = new Set<NotifId>()
  /** Addresses of pictures that did not load. */
  readonly broken = new Set<string | null>()
  /** How many came while the list was scrolled away from its top. */
  above = 0
  /** An action was refused; shown until the next one. */
  refused = false
  /** When the connection was lost. */
  offlineSince: number | undefined
  menuFor: NotifId | undefined
  /** One button that opens a menu in place of buttons that need a pointer to appear. */
  coarse = matchMedia('(pointer: coarse)').matches
  view: Answer | undefined
  /** Rows have a place below their content. */
  extra = false
  /** Asks for web push; fetched where it can be asked. */
  card: (() => unknown) | undefined

  readonly #pagination: Pagination
  /** Whose notifications these are. */
  #known: NotifStore | undefined
  #page = 0
  #tab: Tab = 'all'

  /** @param pagination - what an element does that is told nothing or nonsense */
  constructor(host: InboxElement, options: ListOptions = {}, pagination: Pagination = 'INFINITE_SCROLL') {
    this.host = host
    this.options = options
    this.#pagination = pagination
    this.clock = new ClockController(host, () => this.store)
    addViewMessages()
    this.slices = new Slices(this)
    host.addController(new LightContent(host, () => pieces(this)))
    host.addController(new FocusKeeper(host))
    host.addController(new Endless(this))
    host.addController(new Numbers(this))
    host.source.add((store, changed) => this.#subscribe(store, changed))
    host.addController(this)
  }

  get store(): NotifStore | undefined {
    return this.host.source.store
  }

  get words(): Messages {
    return this.host.language.messages as Messages
  }

  get formats(): Formats {
    return formatsOf(this.host.language.lang)
  }

  get tabs(): readonly Tab[] {
    return tabsOf(filterOf(this.host))
  }

  get tab(): Tab {
    return this.tabs.includes(this.#tab) ? this.#tab : 'all'
  }

  /** Undefined: no pages, everything in one list. */
  get paging(): Paging | undefined {
    return paging(this.host, this.#pagination)
  }

  /** The page may know better than the store. */
  get loading(): Loading {
    return (!this.options.loading && this.store?.$loading.get()) || { state: 'busy' }
  }

  /** The part that scrolls. */
  get list(): HTMLElement | null {
    return this.host.renderRoot.querySelector('.list')
  }

  hostConnected(): void {
    this.#children.observe(this.host, { childList: true })
    document.addEventListener('visibilitychange', this.#look)
  }

  hostUpdate(): void {
    if (!this.store) this.#begin(undefined)
  }

  hostDisconnected(): void {
    this.#children.disconnect()
    document.removeEventListener('visibilitychange', this.#look)
  }

  /** Reads the store once for a whole render. */
  read(store: NotifStore): Answer {
    const items = store.$notifications.get()
    const loading = store.$loading.get()
    this.extra = hasExtra(this.host)
    const view = answer({
      counts: store.$counts.get(),
      filter: filterOf(this.host),
      fresh: this.seen.count(items),
      isUnread: this.seen.isUnread,
      items,
      more: loading.state !== 'ready' || loading.more,
      page: this.#page,
      pageSize: this.paging?.size,
      tab: this.tab
    })
    return (this.view = this.slices.cut(view))
  }

  /** Somebody looks at it: what is in it counts as opened. */
  enter(): void {
    this.seen.start()
    this.#look()
    this.#ask()
  }

  leave(): void {
    this.seen.end()
    this.#reset()
  }

  #reset(): void {
    this.arrived.clear()
    this.above = 0
    this.refused = false
    // What nobody looks at is drawn no more, and so would be too short for ever.
    if (this.view) this.view = { ...this.view, short: false }
    this.choose('all')
  }

  choose(tab: Tab): void {
    this.#tab = tab
    this.goTo(0)
  }

  goTo(page: number): void {
    this.#page = page
    this.list?.scrollTo(0, 0)
    this.host.requestUpdate()
  }

  scrolled(): void {
    if (this.above === 0 || (this.list?.scrollTop ?? 0) > TOP) return
    this.above = 0
    this.host.requestUpdate()
  }

  /** Back to the newest. */
  toTop(): void {
    this.above = 0
    this.goTo(0)
    this.host.renderRoot.querySelector<HTMLElement>('article')?.focus({ preventScroll: true })
  }

  /** A notification was chosen. Returns false when the page wants to do something else with it. */
  select(item: Notif): boolean {
    if (!emit(this.host, 'notif-select', { item })) return false
    this.seen.read(item.id)
    this.host.requestUpdate()
    this.attempt(this.store?.markAsClicked(item.id))
    return true
  }

  act(action: NotifAction, item?: Notif): void {
    const { host, seen, store } = this
    if (!store || !emit(host, 'notif-action', item ? { action, item } : { action })) return
    this.refused = false
    host.requestUpdate()
    this.attempt(item ? actOn(store, seen, action, item.id) : actOnAll(store, seen, action, host.filter))
  }

  #ask(): void {
    if (globalThis.Notification?.permission !== 'default') return
    if (!this.store || /off|false/.test(`${this.host.source.scope?.webPushOptInMessage}`)) return
    // Without it nothing is missing.
    import('./push-prompt/push-prompt.ts').then(({ offer }) => offer(this)).catch(() => {})
  }

  /** The store has already taken back what was refused. */
  attempt(change: Promise<unknown> | undefined): void {
    change?.catch(this.#tell)
  }

  readonly #tell = (error: unknown): void => {
    this.refused = emit(this.host, 'notif-error', { error })
    this.host.requestUpdate()
  }

  // Frameworks fill rows when they like, also after they are drawn.
  readonly #children = new MutationObserver(() => {
    if (this.extra !== hasExtra(this.host)) this.host.requestUpdate()
  })

  readonly #look = (): void => {
    const { host, store } = this
    if (store) this.attempt(this.seen.look(store, seenIn(host, store)))
  }

  /** Another user's inbox begins at its top, and as one that nobody has seen. Of one that nobody has nothing is left. */
  #begin(store: NotifStore | undefined): void {
    if (store === this.#known || this.options.given) return
    this.#known = store
    this.view = this.offlineSince = undefined
    this.seen.renew()
    this.#reset()
  }

  #subscribe(store: NotifStore, changed: () => void): readonly (() => void)[] {
    this.#begin(store)
    // Whoever looks already could not be asked before there was a store.
    if (this.seen.looking) this.#ask()
    return hear(this, store, { changed, look: this.#look, refused: this.#tell })
  }
}
