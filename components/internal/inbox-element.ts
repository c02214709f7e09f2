// What every element with an inbox in it has in common: its parameters and its store.

import { LitElement } from 'lit'

import type { Notif } from '../protocol/index.ts'
import type { NotifStore } from '../store/index.ts'
import type { Renderer } from './light-content.ts'
import { LocaleController } from './locale.ts'
import { converted, object, param } from './param.ts'
import { StoreController } from './store-controller.ts'

export type Filter = 'ALL' | 'UNARCHIVED' | ((notification: Notif) => boolean)
export type Pagination = 'INFINITE_SCROLL' | 'PAGINATED'

/** `title` replaces the heading's words; `false` leaves the whole header out. */
export type Header = { readonly title?: string } | false

export interface Renderers {
  /** Draws the content of one notification in light DOM. */
  readonly notification?: Renderer<Notif>
}

// As an attribute the header is its title, or `none`.
const header = {
  fromAttribute: (value: string | null): Header | undefined =>
    value === null ? undefined : value === 'none' ? false : { title: value }
}

/** Base of popup, launcher and feed. */
export abstract class InboxElement extends LitElement {
  /**
   * Which notifications there are: `ALL` (with a tab for the archived ones), `UNARCHIVED`, or a function that says of
   * each loaded one whether it is shown.
   */
  @param() filter: Filter = 'ALL'
  /** Heading of the list, `{ title }`; as an attribute the title itself, or `none`. */
  @converted(header) header: Header | undefined
  /** Shape of pictures: `circle` or `square`. */
  @param() imageShape: 'circle' | 'square' = 'circle'
  /** Opens links in a new tab. */
  @param(Boolean) newTab = false
  /** Where the pages are chosen: `top` or `bottom`. Only with `PAGINATED`. */
  @param() pagePosition: 'top' | 'bottom' = 'top'
  /** Notifications on one page. Only with `PAGINATED`. */
  @param(Number) pageSize = 10
  /** `INFINITE_SCROLL` or `PAGINATED`. */
  @param() pagination: Pagination = 'INFINITE_SCROLL'
  /** Draws the content of one notification: returns what to show, or draws into the element and returns a cleanup. */
  @object() renderItem: Renderer<Notif> | undefined
  /** Renderers by place; `notification` is the same as `renderItem`. */
  @object() renderers: Renderers | undefined
  /** Store to use instead of that of the closest provider. */
  @object() store: NotifStore | undefined

  readonly source: StoreController = new StoreController(this, (store, changed) =>
    this.subscribe(store, changed)
  )
  readonly locale: LocaleController = new LocaleController(this, () => this.source.scope)

  /** Called when a link was followed in this tab. */
  followed(): void {}

  protected abstract subscribe(store: NotifStore, changed: () => void): readonly (() => void)[]
}
