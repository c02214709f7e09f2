// Where the panel opens: by CSS anchor positioning, or by measuring in a browser without it.

import { warnInvalid, validateChoice } from '../../core/validate.ts'

export interface PopoverPosition {
  readonly anchorOrigin?: {
    readonly vertical?: 'center' | 'bottom' | 'top'
    readonly horizontal?: 'center' | 'left' | 'right'
  }
}

const GAP_PX = 8

type Origin = NonNullable<PopoverPosition['anchorOrigin']>

const VERTICAL = ['center', 'bottom', 'top'] as const
const HORIZONTAL = ['center', 'left', 'right'] as const

// "center" is the direction that the other word does not name; alone it is both.
function parseOrigin(text: string): Origin | undefined {
  const words = text.toLowerCase().split(/[\s_-]+/)
  const known = [...VERTICAL, ...HORIZONTAL] as readonly string[]
  if (words.some(word => !known.includes(word))) return undefined
  const vertical = VERTICAL.find(word => word !== 'center' && words.includes(word))
  return {
    horizontal: HORIZONTAL.find(word => word !== 'center' && words.includes(word)) ?? 'center',
    vertical: vertical ?? (words.includes('center') ? 'center' : 'bottom')
  }
}

/** @returns `vertical horizontal`, such as `bottom right`; undefined: below the button, with aligned ends */
export function readPosition(
  host: Element & { readonly popoverPosition: PopoverPosition | string | undefined }
): string | undefined {
  const { popoverPosition: position } = host
  if (!position) return undefined
  const origin = typeof position === 'string' ? parseOrigin(position) : position.anchorOrigin
  if (!origin) {
    warnInvalid(host, 'popoverPosition', position, '{ anchorOrigin: { vertical, horizontal } } or two words')
    return undefined
  }
  const vertical = validateChoice(host, 'popoverPosition.vertical', origin.vertical, VERTICAL, 'bottom')
  return `${vertical} ${validateChoice(host, 'popoverPosition.horizontal', origin.horizontal, HORIZONTAL, 'right')}`
}

/** Places a shown panel below or above the button and inside the window, in browsers without anchor positioning. */
export function placePanel(panel: HTMLElement, button: HTMLElement): void {
  if (CSS.supports('position-area: block-end')) return
  const { bottom, left, right, top } = button.getBoundingClientRect()
  const set = (name: string, pixels: number | undefined): void =>
    panel.style.setProperty(name, pixels === undefined ? 'auto' : `${Math.max(GAP_PX, pixels)}px`)
  const isBelow = innerHeight - bottom > top
  const used = (isBelow ? bottom : innerHeight - top) + GAP_PX
  set('--_top', isBelow ? used : undefined)
  set('--_bottom', isBelow ? undefined : used)
  set('--_used', used + GAP_PX)
  // From the left edge, a panel that is as wide as its content can use the whole window.
  set('--_left', GAP_PX)
  const { clientWidth } = document.documentElement
  const { offsetWidth } = panel
  set(
    '--_left',
    Math.min(right > clientWidth / 2 ? right - offsetWidth : left, clientWidth - offsetWidth - GAP_PX)
  )
}
