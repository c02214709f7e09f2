// `<notif-toast>`: shows notifications that arrive live in a corner of the window.

import { param } from '../core/param.ts'
import { reset, tokens } from '../core/tokens.styles.ts'
import { validateChoice } from '../core/validate.ts'
import type { Notif } from '../protocol/index.ts'
import { TemplateElement } from '../view/template-element.ts'
import type { Stack } from './stack.ts'

const POSITIONS = ['BOTTOM_RIGHT', 'BOTTOM_LEFT', 'TOP_LEFT', 'TOP_RIGHT'] as const

/**
 * Shows notifications that arrive live, for six seconds and at most three at a time. One element serves the page: of several tabs of a
 * browser only one that is visible shows a notification. Nothing is shown while an inbox is open, or while the user pauses
 * notifications. A notification that was shown here stays new in the inbox.
 *
 * @tagname notif-toast
 * @summary Notifications that arrive live, in a corner of the window.
 * @fires notif-toast-show - A notification is about to be shown. `preventDefault()` leaves it out.
 * @fires notif-toast-hide - A notification was closed, followed or has left.
 * @fires notif-select - The user opens a notification. `preventDefault()` neither marks it nor follows its link.
 * @fires notif-item-action - The user presses a button of a notification. `respondWith(promise)` says how it ended.
 * @fires notif-error - The server refused a change, which is undone already.
 * @csspart toasts - All that is shown.
 * @csspart toast - One notification.
 * @csspart urgent-toast - A notification of an urgent type, which stays until it is closed.
 * @csspart image - The picture or initial of a notification.
 * @csspart title - The title of a notification.
 * @csspart body - The body of a notification.
 * @csspart time - The time of a notification.
 * @csspart item-action - A button that the sender gave a notification.
 * @csspart came-back - The line that says when a notification was snoozed that has come back.
 * @csspart said - What was answered, or that it failed.
 * @csspart progress - The bar of a notification about work that runs.
 * @csspart people - The pictures of people, and how many more there are.
 * @csspart close - The button that closes a notification.
 * @csspart more - The button that opens the inbox, with the number of notifications that were not shown.
 * @cssprop [--notif-toast-width=360px] - Width of a notification.
 * @cssprop [--notif-toast-offset=24px] - Distance from the edges of the window.
 * @cssprop [--notif-raised] - Background of a notification.
 * @cssprop [--notif-danger] - Colour of the edge of an urgent notification.
 */
export class NotifToast extends TemplateElement {
  static override styles = [reset, tokens]

  /** `TOP_LEFT`, `TOP_RIGHT`, `BOTTOM_LEFT` or `BOTTOM_RIGHT`; mirrored in right-to-left pages. On a phone it is always the top. */
  @param(undefined, true) position: (typeof POSITIONS)[number] = 'BOTTOM_RIGHT'
  /** Opens links in a new tab. */
  @param(Boolean) newTab = false

  #stack: Promise<Stack> | undefined

  constructor() {
    super()
    this.source.add(store => [
      // Keeps the connection open.
      store.$unopened.listen(() => {}),
      store.onNewNotifications(this.#onNew),
      () => void this.#stack?.then(stack => stack.clear())
    ])
  }

  protected override willUpdate(): void {
    // The styles need the attribute, also if the page sets undefined.
    this.position = validateChoice(this, 'position', this.position, POSITIONS)
  }

  /** Called when the user followed the link of a button in this tab. */
  onLinkFollowed(): void {}

  // Most pages show nothing for long, so the rest of the code is loaded when the first notification arrives.
  readonly #onNew = (items: readonly Notif[]): void => {
    this.#stack ??= import('./stack.ts').then(({ Stack }) => new Stack(this))
    this.#stack.then(
      stack => stack.add(items),
      // The next notification loads it again.
      () => (this.#stack = undefined)
    )
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-toast': NotifToast
  }
}
