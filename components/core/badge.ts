// The number on a bell, a launcher or anything else: what is counted, and how it is written.

import type { Notif } from '../protocol/index.ts'
import { createElement, setAttributes, setText } from './dom.ts'
import type { LocaleController } from './locale.ts'
import { callSafely, tryTo } from './safe-call.ts'
import { fit, setStyles } from './sizes.ts'
import type { StoreController, Subscribe } from './store-controller.ts'
import { warnInvalid, validateChoice, validateObject } from './validate.ts'

const COUNTS = ['COUNT_UNOPENED_NOTIFICATIONS', 'COUNT_UNARCHIVED_NOTIFICATIONS'] as const

/** A mode is exact by the server's counters; a function is asked for every loaded notification. */
export type CountMode = (typeof COUNTS)[number] | ((notification: Notif) => boolean)

export interface BadgeOptions {
  /** Any CSS colour. Default: `--notif-bubble`, else the accent. */
  bubbleColor?: string | undefined
  /** Any CSS colour. Default: `--notif-bubble-text`. */
  fontColor?: string | undefined
  count?: CountMode | undefined
  /** Shows a dot instead of a number. */
  dot?: boolean | undefined
  /** Pixels by which the badge moves inwards from each side. */
  offset?: { top?: number; bottom?: number; left?: number; right?: number } | undefined
  /** Above it the number is cut off with a `+`. Default: 99. */
  max?: number | undefined
  /** Also shows the badge for zero. */
  showZero?: boolean | undefined
}

interface Tally {
  readonly n: number
  /** Whether the number means "not opened yet". */
  readonly unread: boolean
}

/** A function needs the notifications themselves, and so the whole inbox; a mode does not. */
const all: Subscribe = (store, changed) => [store.$notifications.listen(changed)]

export function tally(host: Element, source: StoreController, count: CountMode | undefined): Tally {
  const { store } = source
  if (!store) return { n: 0, unread: true }
  if (typeof count === 'function') {
    source.add(all)
    return {
      n: store.$notifications.get().filter(item => callSafely(false, count, item)).length,
      unread: false
    }
  }
  const mode = validateChoice(host, 'count', count, COUNTS)
  const { unarchived, unopened } = store.$counts.get()
  return mode === COUNTS[1] ? { n: unarchived, unread: false } : { n: unopened, unread: true }
}

/** Puts the badge into a part of an element of ours, or takes it away. Gives it where there is one. */
export function drawBadge(
  host: Element,
  seat: Element,
  { n }: Tally,
  options: BadgeOptions,
  locale: LocaleController
): HTMLElement | undefined {
  const { bubbleColor, dot, fontColor, max, offset, showZero } = options
  const moved = validateObject(host, 'offset', offset)
  const { bottom = 0, left = 0, right = 0, top = 0 } = moved ?? {}
  const styles = {
    '--_bubble': fit(host, 'bubbleColor', 'color', bubbleColor),
    '--_bubble-text': fit(host, 'fontColor', 'color', fontColor),
    '--_offset': fit(
      host,
      'offset',
      'translate',
      moved ? (tryTo(() => `${left - right}px ${top - bottom}px`) ?? moved) : null
    )
  }
  const most = tryTo(() => max! > 0) ? max! : 99
  if (most !== (max ?? 99)) warnInvalid(host, 'max', max, 'above 0')
  const old = seat.querySelector<HTMLElement>('.badge')
  if (n === 0 && !showZero) {
    old?.remove()
    return undefined
  }
  const badge = old ?? seat.appendChild(createElement('span', { 'aria-hidden': 'true', part: 'badge' }))
  const text = dot ? '' : n > most ? `${locale.digits(most)}+` : locale.digits(n)
  setText(badge, text)
  setAttributes(badge, { class: dot ? 'badge dot' : 'badge' })
  setStyles(badge, styles)
  return badge
}
