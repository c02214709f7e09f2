// How tests look at elements: by what a person or a screen reader would find, never by how it was made.

import { nextFrame, waitUntil as waitUntilFor } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'

import '../../../components/all.ts'
import type { NotifFeed, NotifPopup } from '../../../components/index.ts'

// Whoever has answered is not asked again: the card of web push has tests of its own.
localStorage.setItem('hideWebPushOptInMessage', 'true')

export type Kit = keyof HTMLElementTagNameMap & `notif-${string}`

/** Milliseconds. What is waited for is there at once, or after a timer of seconds; a busy machine takes many times as long. */
const PATIENCE = 20_000

/** Until it is true. */
export const waitUntil = (is: () => unknown, what?: string): Promise<void> =>
  waitUntilFor(() => Boolean(is()), what, { timeout: PATIENCE })

/** Adds markup to the page; it goes away after the test. */
export async function show<T extends HTMLElement>(html: string, before?: (element: T) => void): Promise<T> {
  const place = document.createElement('div')
  place.className = 'test-place'
  const range = document.createRange()
  range.selectNodeContents(document.body)
  place.append(document.importNode(range.createContextualFragment(html), true))
  const element = place.firstElementChild as T
  before?.(element)
  document.body.append(place)
  await settled(element)
  return element
}

afterEach(() => {
  for (const place of document.querySelectorAll('.test-place')) place.remove()
})

/** Until the element has drawn what it knows. */
export async function settled(element: Element): Promise<void> {
  await nextFrame()
  await (element as Partial<NotifPopup>).updateComplete
  await nextFrame()
}

export const inside = <T extends HTMLElement = HTMLElement>(element: Element, selector: string): T | null =>
  element.shadowRoot!.querySelector<T>(selector)

export const allInside = <T extends HTMLElement = HTMLElement>(element: Element, selector: string): T[] => [
  ...element.shadowRoot!.querySelectorAll<T>(selector)
]

export const rows = (element: Element): HTMLElement[] => allInside(element, 'article')
export const titles = (element: Element): string[] =>
  allInside(element, 'article [part=title]').map(title => title.textContent!.trim())

/** What a button is called aloud. */
export const nameOf = (button: HTMLElement): string =>
  button.ariaLabel ?? (button.textContent!.trim() || button.title)

/** A button inside by its accessible name. */
export function button(element: Element, name: string): HTMLButtonElement {
  const found = allInside<HTMLButtonElement>(element, 'button').find(candidate => nameOf(candidate) === name)
  if (!found) throw new Error(`No button "${name}"`)
  return found
}

/** Opens the menu in the header, and chooses from it. */
export async function chooseInMenu(element: Element, name: string): Promise<void> {
  button(element, 'Menu').click()
  const item = (): HTMLElement | undefined =>
    allInside(element, '.menu:popover-open button').find(({ textContent }) => textContent!.includes(name))
  await waitUntil(item, `“${name}” in the menu`)
  item()!.click()
}

export const focused = (element: Element): Element | null => element.shadowRoot!.activeElement

/** Until the focus is where it should be. Elements are never compared by an assertion: to print them takes for ever. */
export async function focusOn(element: Element, place: () => Element | null | undefined): Promise<void> {
  const where = (): string => (focused(element)?.outerHTML ?? 'nowhere').slice(0, 200)
  await waitUntil(() => focused(element) === place()).catch(() => {
    throw new Error(`The focus is on ${where()}, not on ${place()?.outerHTML.slice(0, 200)}`)
  })
}

export async function rowsShown(element: Element, count: number): Promise<void> {
  await waitUntil(() => rows(element).length === count, `${count} rows, not ${rows(element).length}`)
}

export async function open(popup: NotifPopup): Promise<void> {
  await popup.show()
  await waitUntil(
    () => inside(popup, '.panel')?.matches(':popover-open') && inside(popup, '.list'),
    'panel opens'
  )
  await settled(popup)
}

/** The page's own errors while something is done: they are its code's, so the test does not fail of them. */
export async function hearing(what: (heard: readonly string[]) => Promise<void>): Promise<void> {
  const heard: string[] = []
  const { onerror } = window
  // The test runner has its handler there, and none of ours comes before it.
  const hear: OnErrorEventHandler = (...[, , , , error]) => heard.push(String(error)) > 0
  Object.assign(window, { onerror: hear })
  try {
    await what(heard)
  } finally {
    Object.assign(window, { onerror })
  }
}

/** A key pressed together with Ctrl. */
export async function sendControl(press: string): Promise<void> {
  await sendKeys({ down: 'Control' })
  await sendKeys({ press })
  await sendKeys({ up: 'Control' })
}

export type { NotifFeed, NotifPopup }
