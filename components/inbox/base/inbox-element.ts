// Base of popup, launcher and feed: the parameters of their inbox.

import type { nothing, TemplateResult } from 'lit/html.js'

import { either, object, param } from '../../core/param.ts'
import type { Notif } from '../../protocol/index.ts'
import { TemplateElement } from '../../view/template-element.ts'

/** A string is always text, never markup. */
export type Renderable = Node | TemplateResult | string | typeof nothing

/** What to show, a cleanup of what the renderer rendered into the element itself, or `false` for the default content. */
export type RenderResult = Renderable | (() => void) | false | void

/** A promise may return the result later. Until then the previous content stays, or else the default content. */
export type EventualResult = RenderResult | PromiseLike<RenderResult>

/** Returns what to show, or renders into `element` itself and returns a cleanup. Called once for each state of an item. */
export type Renderer<Item> = (item: Item, element: HTMLElement) => EventualResult

/** Custom content: what to show, or a function that renders it and returns a cleanup. */
export type Content = Renderable | ((element: HTMLElement) => EventualResult)

export type Filter = 'ALL' | 'UNARCHIVED' | ((notification: Notif) => boolean)
export type Pagination = 'INFINITE_SCROLL' | 'PAGINATED'
/** Whether there are pages, or their size and the position of their controls. */
export type Pages = boolean | { readonly pageSize?: number; readonly position?: 'top' | 'bottom' }

/** A title replaces the text of the heading, a node or template the whole heading; `false` or `none`: no header. */
export type Header = { readonly title?: string } | string | Node | TemplateResult | false

/** A tab for some types. It shows how many of them are unread. */
export interface InboxTab {
  readonly label: string
  readonly types?: readonly string[] | undefined
  /** Also the types that have one of these tags. */
  readonly tags?: readonly string[] | undefined
}

export interface Renderers {
  /** Renders the content of one notification in light DOM. */
  readonly notification?: Renderer<Notif>
  /** Renders below the content of one notification, for example buttons of the page. */
  readonly extra?: Renderer<Notif>
}

/** Parameters of an inbox that only a feed has, by the names of its properties. */
export interface ListOptions {
  readonly footer?: Content | undefined
  readonly grid?: unknown
  readonly loading?: boolean | undefined
  readonly loadMore?: Content | undefined
  /** Items of `dataSource` by key. Without `dataSource` undefined. */
  readonly sourceItems?: ReadonlyMap<string, unknown> | undefined
}

export abstract class InboxElement extends TemplateElement {
  /**
   * Which notifications the list shows: `ALL` (with a tab for archived ones), `UNARCHIVED`, or a function that is called for each
   * loaded notification and returns whether it is shown.
   */
  @either() filter: Filter = 'ALL'
  /** Heading of the list: `{ title }`, a node or a template. The attribute is the title, or `none` for no header. */
  @either() header: Header | undefined
  /** Shape of pictures: `circle` or `square`. */
  @param() imageShape: 'circle' | 'square' = 'circle'
  /** `on`, or `off`: letters do nothing in the list (J, K, E, U, S, M, R, Z and ?). Arrows and other keys move the focus either way. */
  @param() keyboard: 'off' | 'on' = 'on'
  /**
   * What looking at the inbox marks. `visible`: as seen, the rows of which half was in sight for a second; they stay unread. `open` or
   * true: opening marks all as opened. `never` or false: nothing. Default: `visible`.
   */
  @either() markOpened: 'never' | 'open' | 'visible' | boolean | '' | undefined
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
  /**
   * Tabs for some types beside All and Unread, at most 20: `[{ label, types, tags }]`, also as JSON in the attribute. What does not
   * fit is in a menu, with the snoozed and archived ones.
   */
  @either() tabs: readonly InboxTab[] | string | undefined

  /** What marks and the tab Unread follow: `read` (followed, acted on or marked) or `seen` (was in sight). Default: `read`. */
  @param() unread: 'read' | 'seen' | undefined

  /** Called when the user followed a link in this tab. */
  onLinkFollowed(): void {}
}
