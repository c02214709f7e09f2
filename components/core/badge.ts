// The badge of a bell or a counter: counts notifications, and renders the number.

import type { Notif } from '../protocol/index.ts'
import { toCssValue, setStyles } from './css-values.ts'
import { createElement, setAttributes, setText } from './dom.ts'
import type { LocaleController } from './locale.ts'
import { callSafely, tryTo } from './safe-call.ts'
import type { StoreController, Subscribe } from './store-controller.ts'
import { warnInvalid, validateChoice, validateObject } from './validate.ts'

const COUNTS = ['COUNT_UNOPENED_NOTIFICATIONS', 'COUNT_UNARCHIVED_NOTIFICATIONS'] as const

/** A mode uses the exact counters of the server; a function is called for every loaded notification. */
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
  /** A larger number is shown as this number with a `+`. Default: 99. */
  max?: number | undefined
  /** Also shows the badge for zero. */
  showZero?: boolean | undefined
}

interface NotificationCount {
  readonly value: number
  /** The number is that of new notifications. */
  readonly isNew: boolean
  /** Notifications are paused, so no number is shown. */
  readonly isPaused: boolean
}

/** Counting by a function needs the notifications, and so the whole inbox; a mode needs only the counters. */
const subscribeToNotifications: Subscribe = (store, onChange) => [store.$notifications.listen(onChange)]

/** A store that the page wrote itself may have no pause. */
const subscribeToPause: Subscribe = ({ $pause }, onChange) => ($pause ? [$pause.listen(onChange)] : [])

export function countNotifications(
  host: Element,
  source: StoreController,
  count: CountMode | undefined
): NotificationCount {
  const { store } = source
  source.add(subscribeToPause)
  const isPaused = store?.$pause?.get()?.isOn === true
  if (!store || isPaused) return { isNew: !isPaused, isPaused, value: 0 }
  if (typeof count === 'function') {
    source.add(subscribeToNotifications)
    const counted = store.$notifications.get().filter(item => callSafely(false, count, item))
    return { isNew: false, isPaused, value: counted.length }
  }
  const { unarchived, unseen } = store.$counts.get()
  const isNew = validateChoice(host, 'count', count, COUNTS) === COUNTS[0]
  return { isNew, isPaused, value: isNew ? unseen : unarchived }
}

/** Renders the badge into a part of the host, or removes it. Returns the badge if there is one. */
export function renderBadge(
  host: Element,
  parent: Element,
  { isPaused, value }: NotificationCount,
  options: BadgeOptions,
  locale: LocaleController
): HTMLElement | undefined {
  const { bubbleColor, dot, fontColor, max, offset, showZero } = options
  const sides = validateObject(host, 'offset', offset)
  const { bottom = 0, left = 0, right = 0, top = 0 } = sides ?? {}
  const styles = {
    '--_bubble': toCssValue(host, 'bubbleColor', 'color', bubbleColor),
    '--_bubble-text': toCssValue(host, 'fontColor', 'color', fontColor),
    '--_offset': toCssValue(
      host,
      'offset',
      'translate',
      sides ? (tryTo(() => `${left - right}px ${top - bottom}px`) ?? sides) : null
    )
  }
  const limit = tryTo(() => max! > 0) ? max! : 99
  if (limit !== (max ?? 99)) warnInvalid(host, 'max', max, 'above 0')
  const before = parent.querySelector<HTMLElement>('.badge')
  if (isPaused || (value === 0 && !showZero)) {
    before?.remove()
    return undefined
  }
  const badge = before ?? parent.appendChild(createElement('span', { 'aria-hidden': 'true', part: 'badge' }))
  const text = dot ? '' : value > limit ? `${locale.formatNumber(limit)}+` : locale.formatNumber(value)
  setText(badge, text)
  setAttributes(badge, { class: dot ? 'badge dot' : 'badge' })
  setStyles(badge, styles)
  return badge
}
