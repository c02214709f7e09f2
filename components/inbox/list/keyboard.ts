// Keys of the list: arrows, Home, End, J and K move from row to row, PageDown and PageUp as well (WAI-ARIA feed pattern), the arrows to
// the sides go into a row and back, and letters act on it. Ctrl+Home and Ctrl+End leave the list to either side.

import { findBeside } from './focusable.ts'

/** What keys do. Each gets the row that has the focus. */
export interface KeyActions {
  readonly hasLetters: boolean
  /** Called for Enter on the row itself. */
  open(row: HTMLElement): void
  archive(row: HTMLElement): void
  toggleRead(row: HTMLElement): void
  focus(row: HTMLElement | undefined): void
}

/** Letters that click the button of a row with this `data-act`, if the row has one. */
const BUTTONS: Readonly<Record<string, string>> = { m: 'fewer', r: 'reply', s: 'snooze' }

export const isField = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName))

export const isPlain = ({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  !altKey && !ctrlKey && !metaKey

/** Links and buttons of a row in the order of the page; its own link is the row itself. */
const findParts = (row: Element): readonly HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>('.body a, .acts a, button')].filter(part => part.checkVisibility())

/** Arrows to the sides. Returns false if there is nothing in this direction. */
function moveInside(row: HTMLElement, target: Element, isForward: boolean): boolean {
  const parts = findParts(row)
  const index = parts.indexOf(target.closest<HTMLElement>('a, button')!)
  const next = parts[index + (isForward ? 1 : -1)] ?? (isForward ? undefined : row)
  next?.focus()
  return next !== undefined
}

/** @returns the index to which a key moves, from the row at `index`; it may be outside of the list */
function findTarget(key: string, index: number, count: number, hasLetters: boolean): number | undefined {
  if (/^(?:ArrowDown|PageDown)$/.test(key) || (hasLetters && key === 'j')) return index + 1
  if (/^(?:ArrowUp|PageUp)$/.test(key) || (hasLetters && key === 'k')) return index - 1
  return key === 'Home' ? 0 : key === 'End' ? count - 1 : undefined
}

export function onListKey(event: KeyboardEvent, actions: KeyActions): void {
  const feed = event.currentTarget as HTMLElement
  const target = event.target as Element
  const row = target.closest<HTMLElement>('article, .undo-line')
  if (!row || isField(event.composedPath()[0])) return
  const { key } = event
  if (event.ctrlKey && /^(?:Home|End)$/.test(key)) {
    event.preventDefault()
    findBeside(feed, key === 'End')?.focus()
    return
  }
  if (!isPlain(event)) return
  if (key === 'Enter' && target === row) {
    event.preventDefault()
    return actions.open(row)
  }
  const rows = [...feed.querySelectorAll<HTMLElement>('article.item')]
  // From a line between rows, the row above counts as the one that is left downwards, and the row below upwards.
  const below = rows.findIndex(one => row.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING)
  const isDown = /^(?:ArrowDown|PageDown|j)$/i.test(key)
  const lineIndex = (below === -1 ? rows.length : below) - (isDown ? 1 : 0)
  const index = row.matches('.item') ? rows.indexOf(row) : lineIndex
  const next = findTarget(key.length === 1 ? key.toLowerCase() : key, index, rows.length, actions.hasLetters)
  if (next !== undefined) {
    // Also at either end of the list, where the key would scroll the page.
    event.preventDefault()
    return actions.focus(rows[next])
  }
  if (key === 'ArrowRight' || key === 'ArrowLeft') {
    const isRtl = getComputedStyle(feed).direction === 'rtl'
    if (moveInside(row, target, (key === 'ArrowRight') !== isRtl)) event.preventDefault()
    return
  }
  if (actions.hasLetters && row.matches('.item')) onLetter(event, row, actions)
}

function onLetter(event: KeyboardEvent, row: HTMLElement, { archive, toggleRead }: KeyActions): void {
  const letter = event.key.toLowerCase()
  const button = BUTTONS[letter] && row.querySelector<HTMLElement>(`[data-act="${BUTTONS[letter]}"]`)
  if (!button && letter !== 'e' && letter !== 'u') return
  // Or the letter would be written into the field that opens.
  event.preventDefault()
  // A key that is held down would archive row after row.
  if (event.repeat) return
  if (button) button.click()
  else if (letter === 'e') archive(row)
  else toggleRead(row)
}
