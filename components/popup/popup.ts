// The bell with its inbox.

import type { PropertyValues } from '@lit/reactive-element'

import { drawBadge, tally, type BadgeOptions, type CountMode } from '../core/badge.ts'
import { bellIcon } from '../core/bell-icon.ts'
import { badge, bell } from '../core/bell.styles.ts'
import { createElement, setAttributes } from '../core/dom.ts'
import { InboxElement } from '../core/inbox-element.ts'
import { preloadInbox } from '../core/load-store.ts'
import { either, object, param } from '../core/param.ts'
import { fit, setStyles } from '../core/sizes.ts'
import { reset, tokens } from '../core/tokens.styles.ts'
import { validateObject } from '../core/validate.ts'
import type { Panel } from '../inbox/panel/panel.ts'
import type { PopoverPosition } from '../inbox/panel/position.ts'
import type { NotifStore } from '../store/types.ts'

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
 * @fires notif-error - The server refused a change, which is undone already.
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
 * @csspart actions - The buttons of a notification.
 * @csspart menu - The menu of a notification on touch screens.
 * @csspart pager - The controls that choose a page.
 * @csspart new-items-button - The button that scrolls to new notifications.
 * @csspart banner - The line about a lost connection or a refused change.
 * @csspart empty-state - The content of an empty list.
 * @csspart end - The text at the end of the list.
 * @csspart push-prompt - The prompt for web push.
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

  readonly #internals = this.attachInternals()
  readonly #bell = createElement(
    'button',
    { 'aria-haspopup': 'dialog', part: 'button', popovertarget: 'panel' },
    createElement('slot', {}, bellIcon())
  )
  #loading: Promise<Panel | undefined> | undefined
  #own = false
  #text = ''
  #panel: Panel | undefined
  #rung = false
  /** Its code may still be on the way. */
  #wanted = false

  protected override subscribe(store: NotifStore, changed: () => void): readonly (() => void)[] {
    return [
      store.$counts.listen(changed),
      store.onNewNotifications(() => {
        this.#rung = true
        changed()
      })
    ]
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot()
    Object.assign(this.#bell, {
      onanimationend: this.#still,
      onclick: this.#clicked,
      onfocus: this.#load,
      onpointerenter: this.#load
    })
    this.#bell.addEventListener('slotchange', this.#slotted)
    root.append(this.#bell)
    return root
  }

  protected override update(changed: PropertyValues): void {
    const panel = this.#panel
    const content = panel?.render()
    super.update(changed)
    this.#draw()
    panel?.draw(content)
    if (panel?.open) this.#internals.states.add('open')
    else this.#internals.states.delete('open')
  }

  #draw(): void {
    const bell = this.#bell
    const words = this.language.messages
    const badgeProps = validateObject(this, 'unreadBadgeProps', this.unreadBadgeProps) ?? {}
    const count = tally(this, this.source, badgeProps.count ?? this.count)
    const digits = this.language.digits(count.n)
    const counted = count.unread
      ? badgeProps.dot
        ? words.bellDot
        : words.bellUnread(digits)
      : words.bell(digits)
    const name = count.n > 0 ? counted : words.title
    const panel = this.#panel
    setAttributes(bell, {
      'aria-expanded': `${panel?.open ?? false}`,
      'aria-label': this.#text + name,
      class: this.#own ? 'bell own' : 'bell',
      lang: this.#text ? undefined : this.language.fallbackLang,
      'data-new': this.#rung && count.n > 0 ? '' : undefined,
      title: this.#own ? undefined : name
    })
    setStyles(bell, {
      '--_height': fit(this, 'buttonHeight', 'width'),
      '--_icon': fit(this, 'buttonIconSize', 'width'),
      '--_icon-color': fit(this, 'iconColor', 'color'),
      '--_width': fit(this, 'buttonWidth', 'width')
    })
    drawBadge(this, bell, count, badgeProps, this.language)
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

  // From the second click on the browser opens and closes by itself.
  readonly #clicked = (): void => {
    if (!this.#panel) void this.show()
  }

  readonly #slotted = (event: Event): void => {
    const nodes = (event.target as HTMLSlotElement).assignedNodes()
    const text = nodes
      .map(node => node.textContent)
      .join('')
      .trim()
    // What is read on the button is in its name, for whoever speaks to his computer.
    this.#text = text && `${text}, `
    this.#own = text !== '' || nodes.some(node => node instanceof Element)
    this.requestUpdate()
  }

  readonly #still = (event: AnimationEvent): void => {
    if (event.animationName !== 'pop') return
    this.#rung = false
    this.requestUpdate()
  }

  /** Opens the inbox. */
  async show(): Promise<void> {
    this.#wanted = true
    const panel = await this.#load()
    if (this.isConnected && this.#wanted) panel?.show()
    this.#wanted = false
  }

  /** Closes the inbox. */
  hide(): void {
    this.#wanted = false
    this.#panel?.hide()
  }

  /** Opens or closes the inbox. */
  async toggle(): Promise<void> {
    if (this.#panel?.open || this.#wanted) this.hide()
    else await this.show()
  }

  override followed(): void {
    this.hide()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-popup': NotifPopup
  }
}
