// Where the panel stands: by CSS anchors, and by hand where a browser has none.

export interface PopoverPosition {
  readonly anchorOrigin?: {
    readonly vertical?: 'center' | 'bottom' | 'top'
    readonly horizontal?: 'center' | 'left' | 'right'
  }
}

const GAP = 8

type Origin = NonNullable<PopoverPosition['anchorOrigin']>

// "center" alone could be either; with another word it is whichever that one is not.
function parse(text: string): Origin {
  const words = text.toLowerCase().split(/[\s_-]+/)
  const vertical = words.find(word => word === 'top' || word === 'bottom')
  const horizontal = words.find(word => word === 'left' || word === 'right')
  return {
    horizontal: (horizontal as Origin['horizontal']) ?? 'center',
    vertical: (vertical as Origin['vertical']) ?? (words.includes('center') ? 'center' : 'bottom')
  }
}

/** `vertical horizontal`, e.g. `bottom right`; undefined: below the button, ends aligned. */
export function readPosition(position: PopoverPosition | string | undefined): string | undefined {
  if (!position) return undefined
  const { horizontal = 'right', vertical = 'bottom' } =
    (typeof position === 'string' ? parse(position) : position.anchorOrigin) ?? {}
  return `${vertical} ${horizontal}`
}

/** Only for browsers without anchor positioning: below or above the button, inside the window. */
export function place(panel: HTMLElement, button: HTMLElement): void {
  if (CSS.supports('position-area: block-end')) return
  const { bottom, left, right, top } = button.getBoundingClientRect()
  const set = (name: string, pixels: number | undefined): void =>
    panel.style.setProperty(name, pixels === undefined ? 'auto' : `${Math.max(GAP, pixels)}px`)
  const below = innerHeight - bottom > top
  set('--_top', below ? bottom + GAP : undefined)
  set('--_bottom', below ? undefined : innerHeight - top + GAP)
  const toLeft = getComputedStyle(button).direction !== 'rtl' && right > innerWidth / 2
  set('--_right', toLeft ? innerWidth - right : undefined)
  set('--_left', toLeft ? undefined : left)
}
