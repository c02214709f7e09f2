// Swipes a toast away by touch: to a side, and on a phone also upwards.

/** A longer swipe closes, or a faster one. */
const MIN_SWIPE_PX = 96
const MIN_SWIPE_PX_PER_MS = 0.5
/** A tap moves a little. */
const TAP_PX = 10

export const isSwipe = (px: number, ms: number): boolean =>
  px >= MIN_SWIPE_PX || (px > TAP_PX && px / ms >= MIN_SWIPE_PX_PER_MS)

interface Options {
  readonly canSwipeUp: () => boolean
  readonly onSwipe: (toast: HTMLElement) => void
}

export class Swipe {
  /** A finger is on a toast. */
  isTouched = false
  readonly #options: Options
  #start:
    | { readonly toast: HTMLElement; readonly x: number; readonly y: number; readonly at: number }
    | undefined

  constructor(options: Options) {
    this.#options = options
  }

  readonly onPointerDown = ({ clientX, clientY, pointerType, target, timeStamp }: PointerEvent): void => {
    const toast = (target as Element).closest<HTMLElement>('article')
    if (pointerType === 'mouse' || !toast) return
    this.isTouched = true
    this.#start = { at: timeStamp, toast, x: clientX, y: clientY }
  }

  readonly onPointerMove = (event: PointerEvent): void => {
    if (!this.#start) return
    const [x, y] = this.#measure(event)
    // The finger and its toast stay together.
    this.#start.toast.style.translate = `${x}px ${y}px`
  }

  readonly onPointerUp = (event: PointerEvent): void => {
    const start = this.#start
    if (!start) return
    const [x, y] = this.#measure(event)
    const isDone = event.type === 'pointerup' && isSwipe(Math.abs(x || y), event.timeStamp - start.at)
    this.#start = undefined
    this.isTouched = false
    if (isDone) this.#options.onSwipe(start.toast)
    else start.toast.style.translate = ''
  }

  /** Distance in the direction of the swipe. */
  #measure({ clientX, clientY }: PointerEvent): readonly [x: number, y: number] {
    const { x, y } = this.#start!
    const up = this.#options.canSwipeUp() ? Math.min(0, clientY - y) : 0
    return Math.abs(clientX - x) >= -up ? [clientX - x, 0] : [0, up]
  }
}
