// The number on a bell, a launcher or anything else: what is counted, and how it is written.

import { html, nothing, type TemplateResult } from 'lit'

import type { Notif } from '../protocol/index.ts'
import type { NotifStore } from '../store/index.ts'
import { oneOf } from './check.ts'
import type { LocaleController } from './locale.ts'
import { length, setStyles } from './sizes.ts'
import type { StoreController } from './store-controller.ts'

const COUNTS = ['COUNT_UNOPENED_NOTIFICATIONS', 'COUNT_UNARCHIVED_NOTIFICATIONS'] as const

/** A mode is exact by the server's counters; a function is asked for every loaded notification. */
export type CountMode = (typeof COUNTS)[number] | ((notification: Notif) => boolean)

export interface BadgeOptions {
  /** Any CSS colour. Default: `--notif-bubble`, else the accent. */
  bubbleColor?: string | undefined
  /** Any CSS colour. Default: `--notif-bubble-text`. */
  fontColor?: string | undefined
  count?: CountMode | undefined
  /** A dot instead of a number. */
  dot?: boolean | undefined
  /** Pixels by which the badge moves inwards from each side. */
  offset?: { top?: number; bottom?: number; left?: number; right?: number } | undefined
  /** Above it the number is cut off with a `+`. Default: 99. */
  max?: number | undefined
  /** Shows a zero, too. */
  showZero?: boolean | undefined
}

export interface Tally {
  readonly n: number
  /** Whether the number means "not opened yet". */
  readonly unread: boolean
}

/** Sources whose notifications a function counts: from the first time on they are listened to. */
const counting = new WeakSet<StoreController>()

/** A function needs the notifications themselves, and so the whole inbox; a mode does not. */
function matches(source: StoreController, store: NotifStore, count: (item: Notif) => boolean): number {
  if (!counting.has(source)) {
    counting.add(source)
    source.add((store, changed) => [store.$notifications.listen(changed)])
  }
  return store.$notifications.get().filter(count).length
}

export function tally(host: Element, source: StoreController, count: CountMode | undefined): Tally {
  const { store } = source
  if (!store) return { n: 0, unread: true }
  if (typeof count === 'function') return { n: matches(source, store, count), unread: false }
  const mode = oneOf(host, 'count', count, COUNTS, COUNTS[0])
  const { unarchived, unopened } = store.$counts.get()
  return mode === COUNTS[1] ? { n: unarchived, unread: false } : { n: unopened, unread: true }
}

export function badgeTemplate(
  { n }: Tally,
  { dot, max = 99, showZero }: BadgeOptions,
  locale: LocaleController,
  around = ''
): TemplateResult | typeof nothing {
  if (n === 0 && !showZero) return nothing
  const text = dot ? nothing : n > max ? `${locale.digits(max)}+` : locale.digits(n)
  return html`<span class="badge ${dot ? 'dot' : ''} ${around}" part="badge" aria-hidden="true"
    >${text}</span
  >`
}

export function styleBadge(
  element: HTMLElement | null,
  { bubbleColor, fontColor, offset = {} }: BadgeOptions
): void {
  const { bottom = 0, left = 0, right = 0, top = 0 } = offset
  setStyles(element, {
    '--_bubble': bubbleColor,
    '--_bubble-text': fontColor,
    '--_offset-x': left - right ? length(left - right) : undefined,
    '--_offset-y': top - bottom ? length(top - bottom) : undefined
  })
}
