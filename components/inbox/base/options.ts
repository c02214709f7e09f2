// Reads parameters of an inbox in all their forms. A wrong value is logged, and the default is used.

import { validateChoice, warnInvalid } from '../../core/validate.ts'
import type { Filter, InboxElement, Pagination } from './inbox-element.ts'

/** Returns a number in a range, also from a text, or else the fallback. */
export function validateNumber<T>(
  host: Element,
  name: string,
  value: unknown,
  [min, max]: readonly [number, number],
  fallback: T
): number | T {
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number === 'number' && number >= min && number <= max) return number
  if (value !== undefined && value !== null) warnInvalid(host, name, value, `${min} to ${max}`)
  return fallback
}

export function validateFunction<T>(host: Element, name: string, value: T | undefined): T | undefined {
  if (typeof value === 'function') return value
  if (value !== undefined && value !== null) warnInvalid(host, name, value, 'a function')
  return undefined
}

export interface Paging {
  readonly size: number
  readonly position: 'top' | 'bottom'
}

const FILTERS = ['ALL', 'UNARCHIVED'] as const

export function readFilter(host: InboxElement): Filter {
  const { filter } = host
  return typeof filter === 'function' ? filter : validateChoice(host, 'filter', filter, FILTERS)
}

const MODES = ['INFINITE_SCROLL', 'PAGINATED'] as const
const POSITIONS = ['top', 'bottom'] as const

/** @returns undefined if there are no pages */
export function readPaging(host: InboxElement, fallback: Pagination): Paging | undefined {
  const { pagePosition, pageSize, pagination } = host
  const pages = typeof pagination === 'object' ? pagination : undefined
  const mode =
    pages || pagination === true
      ? 'PAGINATED'
      : pagination === false
        ? 'INFINITE_SCROLL'
        : validateChoice(host, 'pagination', pagination, MODES, fallback)
  if (mode !== 'PAGINATED') return undefined
  return {
    position: validateChoice(host, 'pagePosition', pages?.position ?? pagePosition, POSITIONS),
    size: Math.floor(validateNumber(host, 'pageSize', pages?.pageSize ?? pageSize, [1, 1000], 10))
  }
}

const KEYBOARDS = ['on', 'off'] as const

/** Whether letters are keys of the list. */
export const readKeyboard = (host: InboxElement): boolean =>
  validateChoice(host, 'keyboard', host.keyboard, KEYBOARDS) === 'on'

const MARKS_OPENED = ['visible', 'open', 'never'] as const

/** What looking at the inbox marks. An attribute without a value means `open`. */
export function readMarkOpened(host: InboxElement): (typeof MARKS_OPENED)[number] {
  const { markOpened } = host
  if (markOpened === '' || markOpened === true) return 'open'
  return markOpened === false ? 'never' : validateChoice(host, 'markOpened', markOpened, MARKS_OPENED)
}

const UNREAD = ['read', 'seen'] as const

export const readUnread = (host: InboxElement): (typeof UNREAD)[number] =>
  validateChoice(host, 'unread', host.unread, UNREAD)
