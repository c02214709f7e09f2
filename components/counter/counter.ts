// `<notif-counter>`: the number of notifications, alone or as a badge on other content.

import { ReactiveElement, type PropertyValues } from '@lit/reactive-element'

import { countNotifications, renderBadge, type BadgeOptions, type CountMode } from '../core/badge.ts'
import { badge } from '../core/bell.styles.ts'
import { createElement, setAttributes, setText } from '../core/dom.ts'
import { LocaleController } from '../core/locale.ts'
import { either, object, param } from '../core/param.ts'
import { StoreController } from '../core/store-controller.ts'
import { tokens } from '../core/tokens.styles.ts'
import { countMessages } from '../messages/count.en.ts'
import type { NotifStore } from '../store/types.ts'
import { styles } from './counter.styles.ts'

/**
 * Shows the number of notifications.
 *
 * @tagname notif-counter
 * @summary Number of new notifications, alone or as a badge on its child.
 * @slot - The content that the badge is attached to. Without it the badge stands alone.
 * @csspart badge - The badge.
 * @cssprop [--notif-bubble] - Colour of the badge. Default: the accent.
 * @cssprop [--notif-bubble-text] - Colour of the number in the badge.
 */
export class NotifCounter extends ReactiveElement {
  // Without the reset, which would change content of the page inside the element.
  static override styles = [tokens, badge, styles]

  /** Colour of the badge. */
  @param() bubbleColor: string | undefined
  /** Colour of the number. */
  @param() fontColor: string | undefined
  /** What the badge counts: `COUNT_UNOPENED_NOTIFICATIONS`, `COUNT_UNARCHIVED_NOTIFICATIONS`, or a function that is called for each notification. */
  @either() count: CountMode = 'COUNT_UNOPENED_NOTIFICATIONS'
  /** Shows a dot instead of a number. */
  @param(Boolean) dot = false
  /** Distance in pixels that moves the badge inwards: `{ top, bottom, left, right }`. */
  @object() offset: BadgeOptions['offset']
  /** Largest number that is shown; a larger one is shown as this number with a `+`. */
  @param(Number) max = 99
  /** Also shows the badge for zero. */
  @param(Boolean) showZero = false
  /** Store to use instead of the store of the closest provider. */
  @object() store: NotifStore | undefined

  readonly #source = new StoreController(this, (store, onChange) => [store.$counts.listen(onChange)])
  readonly #locale = new LocaleController(this, () => this.#source.context)
  readonly #badgeBox = createElement('span', {})
  readonly #text = createElement('span', { class: 'sr' })
  #hasContent = false

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot()
    root.addEventListener('slotchange', this.#onSlotChange)
    root.append(createElement('slot', {}), this.#badgeBox, this.#text)
    return root
  }

  protected override update(changed: PropertyValues): void {
    super.update(changed)
    const count = countNotifications(this, this.#source, this.count)
    const badge = renderBadge(this, this.#badgeBox, count, this, this.#locale)
    setAttributes(this.#badgeBox, { class: this.#hasContent ? 'seat around' : 'seat' })
    this.#badgeBox.hidden = this.#text.hidden = !badge
    setAttributes(this.#text, { lang: this.#locale.fallbackLang })
    // The messages of another language contain these as well.
    const messages = { ...countMessages, ...this.#locale.messages }
    // With the visible number, such as 99+: WCAG 2.5.3, label in name.
    const say = count.isNew ? messages.counterNew : messages.counter
    setText(this.#text, say(count.value, badge?.textContent))
  }

  readonly #onSlotChange = (event: Event): void => {
    this.#hasContent = (event.target as HTMLSlotElement).assignedElements().length > 0
    this.requestUpdate()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-counter': NotifCounter
  }
}
