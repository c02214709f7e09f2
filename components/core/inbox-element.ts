// What every element with an inbox in it has in common: its parameters and its store.

import { ReactiveElement } from '@lit/reactive-element'
import type { nothing, TemplateResult } from 'lit/html.js'

import type { Notif } from '../protocol/index.ts'
import type { NotifStore } from '../store/types.ts'
import { LocaleController } from './locale.ts'
import { either, object, param } from './param.ts'
import { StoreController } from './store-controller.ts'

/** A string is always text, never markup. */
export type Renderable = Node | TemplateResult | string | typeof nothing

/** What a renderer says: what to show, a cleanup of what it drew by itself, or `false` for what is shown without it. */
export type Drawing = Renderable | (() => void) | false | void

/** What a renderer may say later: until then there is what is shown without it, or what it said before. */
export type Drawings = Drawing | PromiseLike<Drawing>

/** Returns what to show, or draws into `element` itself and returns a cleanup. Called once for each state of an item. */
export type Renderer<Item> = (item: Item, element: HTMLElement) => Drawings

/** One piece of content: what to show, or what draws it and returns a cleanup. */
export type Content = Renderable | ((element: HTMLElement) => Drawings)

export type Filter = 'ALL' | 'UNARCHIVED' | ((notification: Notif) => boolean)
export type Pagination = 'INFINITE_SCROLL' | 'PAGINATED'
/** The list-style form: whether there are pages, or their size and place. */
export type Pages = boolean | { readonly pageSize?: number; readonly position?: 'top' | 'bottom' }

/** A title replaces the heading's words, a node or template the whole heading; `false` or `none`: no header. */
export type Header = { readonly title?: string } | string | Node | TemplateResult | false

export interface Renderers {
  /** Draws the content of one notification in light DOM. */
  readonly notification?: Renderer<Notif>
  /** Draws what stands below the content of one notification, for example its own buttons. */
  readonly extra?: Renderer<Notif>
}

/** What only a feed has, as its parameters are called. */
export interface ListOptions {
  readonly footer?: Content | undefined
  /** Columns: absent where rows stand in one list. */
  readonly grid?: unknown
  readonly loading?: boolean | undefined
  readonly loadMore?: Content | undefined
  /** What the page's own list holds by id, where it has one. */
  readonly given?: ReadonlyMap<string, unknown> | undefined
}

/** Base of popup, launcher and feed. */
export abstract class InboxElement extends ReactiveElement {
  /**
   * Which notifications the list shows: `ALL` (with a tab for archived ones), `UNARCHIVED`, or a function that is called for each
   * loaded notification and returns whether it is shown.
   */
  @either() filter: Filter = 'ALL'
  /** Heading of the list: `{ title }`, a node or a template. The attribute is the title, or `none` for no header. */
  @either() header: Header | undefined
  /** Shape of pictures: `circle` or `square`. */
  @param() imageShape: 'circle' | 'square' = 'circle'
  /** Opens links in a new tab. */
  @param(Boolean) newTab = false
  /** Place of the page controls: `top` or `bottom`. Only with `PAGINATED`. */
  @param() pagePosition: 'top' | 'bottom' = 'top'
  /** Number of notifications on one page. Only with `PAGINATED`. */
  @param(Number) pageSize = 10
  /** `INFINITE_SCROLL` or `PAGINATED`; also `true`, `false` or `{ pageSize, position }`. */
  @either() pagination: Pagination | Pages = 'INFINITE_SCROLL'
  /**
   * Renders the content of one notification. Returns what to show, or renders into the element and returns a cleanup function, or
   * returns `false` for the default content, which is also shown if the function throws. A promise is shown when it resolves. Make
   * content above the page, such as a menu, a `popover` or a `dialog`, because `position: fixed` is relative to the list.
   */
  @object() renderItem: Renderer<Notif> | undefined
  /** Renderers by place: `notification` is the same as `renderItem`, and `extra` renders below it. */
  @object() renderers: Renderers | undefined
  /** Store to use instead of the store of the closest provider. */
  @object() store: NotifStore | undefined

  readonly source: StoreController = new StoreController(this, (store, changed) =>
    this.subscribe(store, changed)
  )
  readonly language: LocaleController = new LocaleController(this, () => this.source.scope)

  /** Called when a link was followed in this tab. */
  followed(): void {}

  protected abstract subscribe(store: NotifStore, changed: () => void): readonly (() => void)[]
}
