// How an inbox reads what it is told of filters and pages, in all their forms.

import type { Filter, InboxElement, Pagination } from '../core/inbox-element.ts'
import { validateChoice } from '../core/validate.ts'
import { within } from '../view/validate-numbers.ts'

export interface Paging {
  readonly size: number
  readonly position: 'top' | 'bottom'
}

const FILTERS = ['ALL', 'UNARCHIVED'] as const

export function filterOf(host: InboxElement): Filter {
  const { filter } = host
  return typeof filter === 'function' ? filter : validateChoice(host, 'filter', filter, FILTERS)
}

const MODES = ['INFINITE_SCROLL', 'PAGINATED'] as const
const POSITIONS = ['top', 'bottom'] as const

/** Undefined: no pages, everything in one list. */
export function paging(host: InboxElement, fallback: Pagination): Paging | undefined {
  const { pagePosition, pageSize, pagination } = host
  const own = typeof pagination === 'object' ? pagination : undefined
  const mode =
    own || pagination === true
      ? 'PAGINATED'
      : pagination === false
        ? 'INFINITE_SCROLL'
        : validateChoice(host, 'pagination', pagination, MODES, fallback)
  if (mode !== 'PAGINATED') return undefined
  return {
    position: validateChoice(host, 'pagePosition', own?.position ?? pagePosition, POSITIONS),
    size: Math.floor(within(host, 'pageSize', own?.pageSize ?? pageSize, [1, 1000], 10))
  }
}
