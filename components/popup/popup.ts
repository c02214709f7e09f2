// `<notif-popup>`: the bell, whose inbox opens as a popover.

import type { PropertyValues } from '@lit/reactive-element'

import { countNotifications, renderBadge, type BadgeOptions, type CountMode } from '../core/badge.ts'
import { nameBell } from '../core/bell-name.ts'
import { BELL_PATH, PAUSED_BELL_PATH } from '../core/bell-path.ts'
import { badge, bell } from '../core/bell.styles.ts'
import { toCssValue, setStyles } from '../core/css-values.ts'
import { createElement, createSvg, setAttributes } from '../core/dom.ts'
import { preloadInbox } from '../core/load-store.ts'
import { either, object, param } from '../core/param.ts'
import { reset, tokens } from '../core/tokens.styles.ts'
import { validateObject } from '../core/validate.ts'
import { InboxElement } from '../inbox/base/inbox-element.ts'
import type { Panel } from '../inbox/panel/panel.ts'
import type { PopoverPosition } from '../inbox/panel/position.ts'

/**
 * A bell that shows the number of new notifications, and opens the inbox.
 *
 * @tagname notif-popup
 * @summary Bell button with a badge and the inbox as a popover.
 * @slot - Content of the button, instead of the bell.
 * @slot header - Replaces the heading and its buttons.
 * @slot footer - Content below the list, such as a link to all notifications.
 * @slot empty - Shown if there are no notifications.
 * @slot error - Shown if the notifications could not be loaded.
 * @slot loading - Shown while the first notifications load.
 * @slot item-{id} - Content of the notification with this id.
 * @slot extra-{id} - Content below the notification with this id.
 * @fires notif-select - The user opens a notification. `preventDefault()` neither marks it nor follows its link.
 * @fires notif-action - The user archives a notification, marks it as read and so on. `preventDefault()` leaves it unchanged.
 * @fires notif-item-action - The user presses a button of a notification. `respondWith(promise)` says how it ended.
 * @fires notif-error - The server refused a change, which is undone already.
 * @fires notif-show - The inbox opens. `preventDefault()` keeps it closed.
 * @fires notif-after-show - The inbox is open.
 * @fires notif-hide - The inbox closes. `preventDefault()` keeps it open.
 * @fires notif-after-hide - The inbox is closed.
 * @csspart button - The bell.
 * @csspart badge - The badge of the button.
 * @csspart panel - The popover.
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
 * @csspart end - The text at the end of the list.
 * @csspart paused - The line that says that notifications are paused.
 * @csspart push-prompt - The row that offers web push.
 * @csspart footer - The footer.
 * @cssprop [--notif-popup-width=420px] - Width of the panel.
 * @cssprop [--notif-popup-height=600px] - Height of the panel.
 * @cssprop [--notif-accent] - Colour of unread, chosen and focused things.
 * @cssprop [--notif-bubble] - Colour of the badge. Default: the accent.
 * @cssstate open - The panel is open.
 */
export class NotifPopup extends InboxElement {
  static override styles = [reset, tokens, badge, bell]

  /** Size of the icon in pixels. */
  @param(Number) buttonIconSize: number | undefined
  /** Height of the button in pixels. */
  @param(Number) buttonHeight: number | undefined
  /** Width of the button in pixels. */
  @param(Number) buttonWidth: number | undefined
  /** Colour of the icon. */
  @param() iconColor: string | undefined
  /** What the badge counts: `COUNT_UNOPENED_NOTIFICATIONS`, `COUNT_UNARCHIVED_NOTIFICATIONS`, or a function that is called for each notification. */
  @either() count: CountMode = 'COUNT_UNOPENED_NOTIFICATIONS'
  /** Width of the panel: pixels or any CSS length. */
  @param() popupWidth: number | string | undefined
  /** Height of the panel: pixels or any CSS length. */
  @param() popupHeight: number | string | undefined
  /** Stacking order of a launcher. The panel is in the top layer of the browser, above everything. */
  @param(Number) popupZIndex = 1030
  /** Where the panel opens: `{ anchorOrigin: { vertical, horizontal } }`. The attribute is a text such as `bottom right`. */
  @either() popoverPosition: PopoverPosition | string | undefined
  /** Appearance of the badge. */
  @object() unreadBadgeProps: BadgeOptions | undefined
  /** Whether the inbox is open. The first time its code is loaded before. */
  @param(Boolean, true) open = false

  // Without a template, because a page needs it at first.
  readonly #icon = createSvg('path', {})
  readonly #bell = createElement(
    'button',
    { 'aria-haspopup': 'dialog', part: 'button', popovertarget: 'panel' },
    createElement('slot', {}, createSvg('svg', { 'aria-hidden': 'true', viewBox: '0 0 20 20' }, this.#icon)),
    // Separates the text of the page from the number in the badge for programs that read the text of the button.
    document.createTextNode(' ')
  )
  #loading: Promise<Panel | undefined> | undefined
  #panel: Panel | undefined
  /** The page replaced the icon. */
  #hasOwnContent = false
  /** Text of the page on the button. */
  #text = ''
  #isRinging = false

  constructor() {
    super()
    this.source.add((store, onChange) => [
      store.$counts.listen(onChange),
      store.onNewNotifications(() => {
        this.#isRinging = true
        onChange()
      })
    ])
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot()
    Object.assign(this.#bell, {
      onanimationend: this.#onAnimationEnd,
      onclick: this.#onClick,
      onfocus: this.#load,
      onpointerenter: this.#load
    })
    this.#bell.addEventListener('slotchange', this.#onSlotChange)
    root.append(this.#bell)
    return root
  }

  protected override update(changed: PropertyValues): void {
    super.update(changed)
    if (this.open) void this.#load()
    this.#renderBell()
  }

  #renderBell(): void {
    const bell = this.#bell
    const { fallbackLang } = this.language
    const badgeProps = validateObject(this, 'unreadBadgeProps', this.unreadBadgeProps) ?? {}
    const count = countNotifications(this, this.source, badgeProps.count ?? this.count)
    const badge = renderBadge(this, bell, count, badgeProps, this.language)
    const shown = badge?.textContent ?? ''
    const name = nameBell(this.language, { ...count, shown, text: this.#text })
    setAttributes(this.#icon, { d: count.isPaused ? PAUSED_BELL_PATH : BELL_PATH })
    setAttributes(bell, {
      'aria-expanded': `${this.#panel?.isOpen ?? false}`,
      'aria-label': name,
      class: this.#hasOwnContent ? 'bell own' : 'bell',
      'data-new': this.#isRinging && count.value > 0 ? '' : undefined,
      lang: this.#text ? undefined : fallbackLang,
      title: this.#hasOwnContent ? undefined : name
    })
    setStyles(bell, {
      '--_height': toCssValue(this, 'buttonHeight', 'width'),
      '--_icon': toCssValue(this, 'buttonIconSize', 'width'),
      '--_icon-color': toCssValue(this, 'iconColor', 'color'),
      '--_width': toCssValue(this, 'buttonWidth', 'width')
    })
  }

  // The inbox is most of the code, so it is loaded when the pointer or the focus reaches the bell.
  readonly #load = (): Promise<Panel | undefined> =>
    (this.#loading ??= this.#fetch().catch(() => (this.#loading = undefined)))

  async #fetch(): Promise<Panel> {
    preloadInbox(import('../view/render.ts'))
    const { Panel } = await import('../inbox/panel/panel.ts')
    this.#panel = new Panel(this)
    this.requestUpdate()
    await this.updateComplete
    return this.#panel
  }

  // Once the panel is there, the browser opens and closes it by `popovertarget`.
  readonly #onClick = (): void => {
    if (!this.#panel) void this.show()
  }

  readonly #onSlotChange = (event: Event): void => {
    const nodes = (event.target as HTMLSlotElement).assignedNodes()
    const text = nodes
      .map(node => node.textContent)
      .join('')
      .trim()
    this.#text = text
    this.#hasOwnContent = text !== '' || nodes.some(node => node instanceof Element)
    this.requestUpdate()
  }

  readonly #onAnimationEnd = (event: AnimationEvent): void => {
    if (event.animationName !== 'pop') return
    this.#isRinging = false
    this.requestUpdate()
  }

  /** Opens the inbox. */
  async show(): Promise<void> {
    this.open = true
    ;(await this.#load())?.sync()
  }

  /** Closes the inbox. */
  hide(): void {
    this.open = false
    this.#panel?.sync()
  }

  /** Opens or closes the inbox. */
  async toggle(): Promise<void> {
    if (this.open) this.hide()
    else await this.show()
  }

  override onLinkFollowed(): void {
    this.hide()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-popup': NotifPopup
  }
}
