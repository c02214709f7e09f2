// `<notif-launcher>`: the bell in a corner of the window.

import { toCssValue, setStyles } from '../core/css-values.ts'
import { param } from '../core/param.ts'
import { validateChoice } from '../core/validate.ts'
import { NotifPopup } from '../popup/popup.ts'
import { styles } from './launcher.styles.ts'

const CORNERS = ['BOTTOM_RIGHT', 'BOTTOM_LEFT', 'TOP_LEFT', 'TOP_RIGHT'] as const
export type Corner = (typeof CORNERS)[number]

/**
 * A round button in a corner of the window that opens the inbox, away from the edge. It has the slots, parts
 * and events of `<notif-popup>`.
 *
 * @tagname notif-launcher
 * @summary Fixed corner button that opens the inbox.
 * @slot - Content of the button, instead of the bell.
 * @fires notif-select - The user opens a notification. `preventDefault()` neither marks it nor follows its link.
 * @fires notif-action - The user archives a notification, marks it as read and so on. `preventDefault()` leaves it unchanged.
 * @fires notif-error - The server refused a change, which is undone already.
 * @fires notif-show - The inbox opens. `preventDefault()` keeps it closed.
 * @fires notif-after-show - The inbox is open.
 * @fires notif-hide - The inbox closes. `preventDefault()` keeps it open.
 * @fires notif-after-hide - The inbox is closed.
 * @csspart button - The round button.
 * @csspart badge - The badge of the button.
 * @csspart panel - The popover.
 * @cssprop [--notif-raised] - Background of the button and the panel.
 * @cssstate open - The panel is open.
 */
export class NotifLauncher extends NotifPopup {
  static override styles = [...NotifPopup.styles, styles]

  /** Distance from the left or right edge: pixels or any CSS length. Default: 24. */
  @param() offsetX: number | string | undefined
  /** Distance from the top or bottom edge: pixels or any CSS length. Default: 24. */
  @param() offsetY: number | string | undefined
  /** `TOP_LEFT`, `TOP_RIGHT`, `BOTTOM_LEFT` or `BOTTOM_RIGHT`. */
  @param(undefined, true) position: Corner = 'BOTTOM_RIGHT'

  protected override willUpdate(): void {
    // The styles need the attribute, also if the page sets undefined.
    this.position = validateChoice(this, 'position', this.position, CORNERS)
    setStyles(this, {
      '--_dx': toCssValue(this, 'offsetX', 'left'),
      '--_dy': toCssValue(this, 'offsetY', 'left'),
      '--_z': toCssValue(this, 'popupZIndex', 'z-index')
    })
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-launcher': NotifLauncher
  }
}
