// What the templates of an inbox read and call. The controller implements it; templates do not import the controller.

import type { TemplateResult } from 'lit/html.js'

import type { Messages } from '../../messages/en.ts'
import type { Notif, NotifId } from '../../protocol/index.ts'
import type { Loading, NotifStore, Scope } from '../../store/types.ts'
import type { NotifAction } from '../../view/emit.ts'
import type { TemplateElement } from '../../view/template-element.ts'
import type { Formats } from './formats.ts'
import type { InboxElement, ListOptions } from './inbox-element.ts'
import type { Paging } from './options.ts'
import type { ListView, Tab } from './select-rows.ts'

/** What an action left behind: the line that takes it back. */
export interface UndoLine {
  /** Of the action in the store. */
  readonly key: string
  /** The row that left; absent: the action was on all rows. */
  readonly item: Notif | undefined
  /** Height of that row in pixels. */
  readonly height: number
  readonly icon: string
  readonly words: string
  readonly text?: string | undefined
  /** By `performance.now()`. */
  readonly bornAt: number
  /** `spent`: blank until the pointer leaves the list. */
  readonly state: 'closing' | 'failed' | 'live' | 'spent'
  retry(): void
}

export interface UndoLines {
  readonly all: readonly UndoLine[]
  render(line: UndoLine): unknown
}

/** What an item shows beside its texts. */
export interface ExtrasView {
  /** Grows when a row has to be rendered again. */
  readonly revision: number
  /** @param avatar - the picture or letter of the item */
  renderPicture(item: Notif, avatar: TemplateResult): TemplateResult
  /** When a snoozed item comes back, which it says instead of its age; undefined for others. */
  renderTime(item: Notif): TemplateResult | undefined
  /** Between title and body. @param id - of its element */
  renderNote(item: Notif, id: string): TemplateResult | undefined
  /** Below the texts. */
  renderBelow(item: Notif): TemplateResult
}

/** The tabs of the page, with the menu of those that do not fit. */
export interface TabRowView {
  count(tab: Tab): number
  render(unreadCount: number): TemplateResult
  renderEmpty(tab: Tab): TemplateResult | undefined
}

/** What shows items: an inbox, or toasts. */
export interface ItemView {
  readonly host: TemplateElement & {
    readonly newTab: boolean
    /** Called when the user followed a link in this tab. */
    onLinkFollowed(): void
  }
  readonly store: NotifStore | undefined
  readonly messages: Messages
  readonly formats: Formats
  /** Time of the server, in milliseconds. */
  readonly now: number
  /** Addresses of pictures that did not load. */
  readonly brokenImages: Set<string | null>
  /** Renders what items have beside their texts; undefined until an item has that and its code is loaded. */
  extras: ExtrasView | undefined
  /** Shows items as read before the store says so. */
  readonly readState: { markRead(...ids: readonly NotifId[]): void }
  /** Tab reaches the buttons of an item. In a list arrow keys do. */
  readonly hasTabStops?: boolean
}

export interface InboxView extends ItemView {
  readonly host: InboxElement
  readonly options: ListOptions
  readonly loading: Loading

  readonly tabs: {
    readonly all: readonly Tab[]
    /** Tabs of the page, and the menu of the tabs; undefined: there are none, or their code is not loaded. */
    readonly row: TabRowView | undefined
    /** Types of the chosen tab; undefined: all types. */
    readonly scope: Scope | undefined
    loadMore(minItems?: number): void
    reload(store: NotifStore): void
  }
  readonly tab: Tab
  /** Undefined: no pages. */
  readonly paging: Paging | undefined
  /** What was rendered last. */
  readonly view: ListView | undefined
  /** More rows of the view are rendered when the browser is idle. */
  readonly hasRowsToRender: boolean

  /** Arrived live and not rendered as new to their end yet. */
  readonly arrived: Set<NotifId>
  /** Number of notifications that arrived while the list was scrolled down. */
  readonly newAboveCount: number
  /** The server refused an action; shown until the next one. */
  readonly isRefused: boolean
  /** Time of the server when the connection was lost. */
  readonly offlineSince: number | undefined
  /** Rows have a slot below their content. */
  readonly hasExtra: boolean
  /** One button that opens a menu, instead of buttons that appear below the pointer. */
  readonly hasCoarsePointer: boolean
  /** Renders the menu that was opened last: of the header or of a row. */
  renderMenu: (() => unknown) | undefined
  /** Renders the help about keys, if it was opened. */
  renderHelp: (() => unknown) | undefined

  /** Says which notifications came since the last look. */
  readonly lookLine: { isAfter(item: Notif): boolean }
  /** Knows how many new notifications lie below the visible rows. */
  readonly seen: { readonly belowCount: number }
  readonly undoing: {
    readonly canUndo: boolean
    /** Undefined until the first action. */
    readonly lines: UndoLines | undefined
    /** Loads the code of the lines, so that the first action has its line at once. */
    load(): Promise<unknown>
  }

  readonly isUnread: (item: Notif) => boolean
  /** Takes the last action back. */
  undo(): void
  /** @param apply - default: what the name of the action says */
  act(action: NotifAction, item?: Notif, apply?: (store: NotifStore) => Promise<unknown>): void
  /** Opens a notification. Returns false if the page prevented it. */
  select(item: Notif): boolean
  showTab(tab: Tab): void
  showPage(page: number): void
  /** Scrolls to the newest notification and focuses it. */
  showNewest(): void
  onScroll(): void
  /** Shows that a change was refused. The store has undone it by then. */
  reportRefusal(change: Promise<unknown> | undefined): void
}
