// A menu that a button opens (WAI-ARIA menu button pattern): one Tab stop, arrow keys and first letters move within it, and the focus
// returns to the button.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { addEnglish } from '../../core/locale.ts'
import { actionMessages } from '../../messages/actions.en.ts'
import { CHECK, icon } from '../../view/icons.ts'
import { adoptStyles } from '../../view/render.ts'
import type { InboxView } from '../base/inbox-view.ts'
import { keyCap } from '../base/key.styles.ts'
import { menu as styles } from './menu.styles.ts'

export interface MenuItem {
  readonly name: string
  readonly path: string
  /** Quiet words at the end. */
  readonly hint?: string | undefined
  /** Quiet words below the name. */
  readonly text?: string | undefined
  /** The key that does the same. */
  readonly key?: string | undefined
  /** A choice that is on or off. */
  readonly isChecked?: boolean | undefined
  readonly isDisabled?: boolean | undefined
  /** A line above separates it from the items before. */
  readonly startsGroup?: boolean | undefined
  run(): void
}

export interface Menu {
  readonly label: string
  /** Visible words above the items. */
  readonly heading?: string | undefined
  /** Read at every update of the inbox, so that the menu has the newest names and states. */
  readonly items: () => readonly MenuItem[]
  /** Returns the button that opened the menu; after an update it may be another one. */
  readonly opener: () => HTMLElement | null | undefined
  readonly onClose?: () => void
}

const findItems = (menu: Element): readonly HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')
]

/** What opens beside a button: a menu, or a small dialog. */
interface Popover {
  /** Returns an element with the class `menu` and `popover`. */
  readonly render: () => TemplateResult
  readonly opener: Menu['opener']
  readonly onClose?: Menu['onClose']
}

/** A click on the button of an open menu closes the menu, which the browser has done by then, and does not open it again. */
function closeByOpener(opener: HTMLElement, closed: AbortSignal): void {
  const onPointerDown = (): void =>
    opener.addEventListener('click', event => event.stopImmediatePropagation(), { capture: true, once: true })
  opener.addEventListener('pointerdown', onPointerDown, { once: true, signal: closed })
}

export async function openMenu(inbox: InboxView, menu: Menu): Promise<void> {
  const { onClose, opener } = menu
  const element = await openPopover(inbox, { onClose, opener, render: () => renderMenu(menu) })
  if (element) findItems(element)[0]?.focus()
}

/** @returns undefined if its button is gone */
export async function openPopover(inbox: InboxView, popover: Popover): Promise<HTMLElement | undefined> {
  const { host } = inbox
  adoptStyles(host, keyCap, styles)
  addEnglish(actionMessages)
  inbox.renderMenu = popover.render
  host.requestUpdate()
  await host.updateComplete
  const element = host.renderRoot.querySelector<HTMLElement>('.menu')
  const opener = popover.opener()
  if (!element || !opener) {
    popover.onClose?.()
    return undefined
  }
  const closed = new AbortController()
  closeByOpener(opener, closed.signal)
  element.addEventListener('toggle', event => onToggle(event as ToggleEvent, popover, closed), closed)
  element.showPopover({ source: opener } as Parameters<HTMLElement['showPopover']>[0])
  place(element, opener)
  opener.ariaExpanded = 'true'
  return element
}

/** Where the browser has no anchors. */
function place(menu: HTMLElement, opener: HTMLElement): void {
  if (CSS.supports('position-area: self-block-end span-self-inline-start')) return
  const at = opener.getBoundingClientRect()
  const { offsetHeight, offsetWidth } = menu
  const isBelow = at.bottom + offsetHeight < innerHeight
  const left = getComputedStyle(menu).direction === 'rtl' ? at.left : at.right - offsetWidth
  menu.style.inset = `${isBelow ? at.bottom : at.top - offsetHeight}px auto auto ${Math.max(8, left)}px`
}

function onToggle({ newState }: ToggleEvent, { onClose, opener }: Popover, closed: AbortController): void {
  if (newState === 'open') return
  onClose?.()
  const button = opener()
  if (button) button.ariaExpanded = 'false'
  closed.abort()
}

// Chromium returns the focus, but not into a shadow root.
export function returnFocus(event: ToggleEvent, opener: HTMLElement | null | undefined): void {
  const menu = event.currentTarget as HTMLElement
  const root = menu.getRootNode() as ShadowRoot
  if (event.newState === 'closed' && menu.contains(root.activeElement)) opener?.focus()
}

function onKeydown(event: KeyboardEvent): void {
  const { altKey, ctrlKey, key, metaKey } = event
  const menu = event.currentTarget as HTMLElement
  // Keys of the list below do not hear of it.
  if (key !== 'Escape') event.stopPropagation()
  // Closing returns the focus to the button, and Tab continues from there.
  if (key === 'Tab') return menu.hidePopover()
  const items = findItems(menu)
  const index = items.indexOf(event.target as HTMLElement)
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    End: -1,
    Home: 0
  }
  if (key in targets) {
    event.preventDefault()
    items.at(targets[key]! % items.length)?.focus()
  } else if (key.length === 1 && key !== ' ' && !altKey && !ctrlKey && !metaKey) {
    const startsWith = (item: HTMLElement): boolean =>
      item.textContent!.trim().toLocaleLowerCase().startsWith(key.toLocaleLowerCase())
    const found = [...items.slice(index + 1), ...items.slice(0, index + 1)].find(startsWith)
    if (found) event.preventDefault()
    found?.focus()
  }
}

function renderItem({
  hint,
  isChecked,
  isDisabled,
  key,
  name,
  path,
  run,
  startsGroup,
  text
}: MenuItem): TemplateResult {
  const isChoice = isChecked !== undefined
  const onClick = (event: Event): void => {
    if (isDisabled) return
    ;(event.currentTarget as HTMLElement).closest<HTMLElement>('.menu')!.hidePopover()
    run()
  }
  return html`${startsGroup ? html`<hr />` : nothing}<button
      role=${isChoice ? 'menuitemcheckbox' : 'menuitem'}
      tabindex="-1"
      aria-checked=${isChoice ? isChecked : nothing}
      aria-disabled=${isDisabled ? 'true' : nothing}
      @click=${onClick}
    >
      ${icon(path)}<span class="menu-name"
        >${name}${text ? html`<span class="menu-text">${text}</span>` : nothing}</span
      >${
        hint ? html`<span class="menu-hint">${hint}</span>` : nothing
      }${isChecked ? icon(CHECK, 'tick') : nothing}${
        key ? html`<kbd class="key" aria-hidden="true">${key}</kbd>` : nothing
      }
    </button>`
}

const renderMenu = (menu: Menu): TemplateResult =>
  html`<div
    class="menu"
    part="menu"
    popover
    role="menu"
    aria-label=${menu.label}
    @keydown=${onKeydown}
    @beforetoggle=${(event: ToggleEvent) => returnFocus(event, menu.opener())}
  >
    ${menu.heading ? html`<div class="menu-heading" role="presentation">${menu.heading}</div>` : nothing}${menu.items().map(renderItem)}
  </div>`
