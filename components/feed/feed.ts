// The inbox as a part of a page.

import { type PropertyValues, type TemplateResult } from 'lit'

import { InboxElement } from '../internal/inbox-element.ts'
import { Inbox } from '../internal/inbox.ts'
import { inboxStyles } from '../internal/inbox-styles.ts'
import { inboxTemplate } from '../internal/inbox-template.ts'
import { param } from '../internal/param.ts'
import { length, setStyles } from '../internal/sizes.ts'
import { tokens } from '../internal/tokens.styles.ts'
import { styles } from './feed.styles.ts'

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
 * @csspart item - One notification; has the part `unread-item` as well until it is read.
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
 * @csspart end - The sentence at the end.
 * @csspart opt-in - The card that asks for web push.
 * @csspart footer - The footer.
 * @cssprop [--notif-surface] - Colour behind a bordered feed.
 * @cssstate busy - Notifications are being loaded.
 * @cssstate empty - There are none.
 * @cssstate error - They could not be loaded.
 */
export class NotifFeed extends InboxElement {
  static override styles = [tokens, ...inboxStyles, styles]

  /** Paints a surface with an edge around the list. */
  @param(Boolean, true) bordered = false
  /** Height in pixels after which the list scrolls by itself. Default: it grows with the page. */
  @param(Number) infiniteScrollHeight: number | undefined
  /** Counts notifications as opened as soon as they are shown, as the popup does. */
  @param(Boolean) markOpened = false
  /** `small`, `default` or `large`. */
  @param(undefined, true) size: 'small' | 'default' | 'large' = 'default'
  /** Draws lines between notifications. */
  @param(Boolean, true) split = false

  readonly #inbox: Inbox
  readonly #internals = this.attachInternals()

  constructor() {
    super()
    this.pagination = 'PAGINATED'
    this.#inbox = new Inbox(this)
  }

  protected override subscribe(): readonly (() => void)[] {
    return []
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('markOpened')) return
    if (this.markOpened) this.#inbox.enter()
    else if (changed.get('markOpened')) this.#inbox.leave()
  }

  protected override render(): TemplateResult {
    return inboxTemplate(this.#inbox, { scrolls: this.infiniteScrollHeight !== undefined })
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    setStyles(this.renderRoot.querySelector<HTMLElement>('.list'), {
      '--_list-height': length(this.infiniteScrollHeight)
    })
    this.#tellStates()
  }

  #tellStates(): void {
    const state = this.source.store?.$loading.get().state
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
