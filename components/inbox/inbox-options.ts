// How an inbox reads its parameters: pages in all their forms, and what the page draws by itself.

import { ask } from '../internal/ask.ts'
import { mistaken, oneOf, record } from '../internal/check.ts'
import { callable, within } from '../internal/range.ts'
import type { Filter, InboxElement, ListOptions, Pagination } from './inbox-element.ts'
import { pieceOf, type Piece, type Renderer } from './light-content.ts'
import type { Answer } from './rows.ts'

export interface Paging {
  readonly size: number
  readonly position: 'top' | 'bottom'
}

const FILTERS = ['ALL', 'UNARCHIVED'] as const

export function filterOf(host: InboxElement): Filter {
  const { filter } = host
  return typeof filter === 'function' ? filter : oneOf(host, 'filter', filter, FILTERS, 'ALL')
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
        : oneOf(host, 'pagination', pagination, MODES, fallback)
  if (mode !== 'PAGINATED') return undefined
  return {
    position: oneOf(host, 'pagePosition', own?.position ?? pagePosition, POSITIONS, 'top'),
    size: Math.floor(within(host, 'pageSize', own?.pageSize ?? pageSize, [1, 1000], 10))
  }
}

interface Shown {
  readonly host: InboxElement
  readonly options: ListOptions
  readonly view: Pick<Answer, 'rows'> | undefined
}

/** What is drawn into the light DOM of an element now. */
export function pieces({ host, options, view }: Shown): readonly Piece[] {
  const { header, renderItem, renderers } = host
  const { footer, given, loadMore } = options
  const list: Piece[] = []
  if (header && typeof header === 'object') {
    if (header instanceof Node || '_$litType$' in header) list.push(pieceOf('header', header))
  } else if (header && typeof header !== 'string') mistaken(host, 'header', header, 'an object')
  if (footer) list.push(pieceOf('footer', footer))
  if (loadMore) list.push(pieceOf('load-more', loadMore))
  record(host, 'renderers', renderers)
  const rows = (place: string, renderer: Renderer<never> | undefined): void => {
    if (!renderer || !view) return
    for (const item of view.rows) {
      const drawn = given?.get(item.id) ?? item
      list.push({
        // Where it throws the row is as usual: nobody misses a notification by a mistake of the page.
        draw: element => ask(false, renderer, drawn as never, element),
        item,
        renderer,
        slot: `${place}-${item.id}`
      })
    }
  }
  rows('item', callable(host, 'renderItem', renderItem ?? renderers?.notification))
  rows('extra', callable(host, 'renderers.extra', renderers?.extra))
  return list
}

/** Whether rows have a place for what stands below their content. */
export const hasExtra = (host: InboxElement): boolean =>
  typeof host.renderers?.extra === 'function' || host.querySelector(':scope > [slot^="extra-"]') !== null
