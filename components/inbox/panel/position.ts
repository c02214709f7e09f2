// Where the panel stands: by CSS anchors, and by hand where a browser has none.

import { warnInvalid, validateChoice } from '../../core/validate.ts'

export interface PopoverPosition {
  readonly anchorOrigin?: {
    readonly vertical?: 'center' | 'bottom' | 'top'
    readonly horizontal?: 'center' | 'left' | 'right'
  }
}

const GAP = 8

type Origin = NonNullable<PopoverPosition['anchorOrigin']>

const VERTICAL = ['center', 'bottom', 'top'] as const
const HORIZONTAL = ['center', 'left', 'right'] as const

// "center" alone could be either; with another word it is whichever that one is not.
function parse(text: string): Origin | undefined {
  const words = text.toLowerCase().split(/[\s_-]+/)
  const known = [...VERTICAL, ...HORIZONTAL] as readonly string[]
  if (words.some(word => !known.includes(word))) return undefined
  const vertical = VERTICAL.find(word => word !== 'center' && words.includes(word))
  return {
    horizontal: HORIZONTAL.find(word => word !== 'center' && words.includes(word)) ?? 'center',
    vertical: vertical ?? (words.includes('center') ? 'center' : 'bottom')
  }
}

/** `vertical horizontal`, e.g. `bottom right`; undefined: below the button, ends aligned. */
export function readPosition(
  host: Element & { readonly popoverPosition: PopoverPosition | string | undefined }
): string | undefined {
  const { popoverPosition: position } = host
  if (!position) return undefined
  const origin = typeof position === 'string' ? parse(position) : position.anchorOrigin
  if (!origin) {
    warnInvalid(host, 'popoverPosition', position, '{ anchorOrigin: { vertical, horizontal } } or two words')
    return undefined
  }
  const vertical = validateChoice(host, 'popoverPosition.vertical', origin.vertical, VERTICAL, 'bottom')
  return `${vertical} ${validateChoice(host, 'popoverPosition.horizontal', origin.horizontal, HORIZONTAL, 'right')}`
}

/** Only for browsers without anchor positioning: below or above the button, inside the window; the panel is shown. */
export function place(panel: HTMLElement, button: HTMLElement): void {
  if (CSS.supports('position-area: block-end')) return
  const { bottom, left, right, top } = button.getBoundingClientRect()
  const set = (name: string, pixels: number | undefined): void =>
    panel.style.setProperty(name, pixels === undefined ? 'auto' : `${Math.max(GAP, pixels)}px`)
  const below = innerHeight - bottom > top
  const used = (below ? bottom : innerHeight - top) + GAP
  set('--_top', below ? used : undefined)
  set('--_bottom', below ? undefined : used)
  set('--_used', used + GAP)
  // What is as wide as its content takes the room that is left.
  set('--_left', GAP)
  const { clientWidth: room } = document.documentElement
  const { offsetWidth: width } = panel
  set('--_left', Math.min(right > room / 2 ? right - width : left, room - width - GAP))
}
