// A page of the log: steps of a search until the page is full or its time is over. What was found is shown then, and the
// next page goes on where this one stopped, so a search for something rare ends too, however long the log is.

import { lowestIdAt, timeInId } from '../core/id.ts'
import type { Db, Group, Tx } from '../db/db.ts'
import { isTooSlow } from '../db/failure.ts'
import { readFacts } from './delivery-facts.sql.ts'
import type { Facts } from './facts.ts'
import { readPlaces, type Span } from './log-search.sql.ts'
import { bound, find, type Found } from './logs.sql.ts'
import type { LogQuery } from './query/parse-query.ts'
import { edgeOf } from './query/time-range.ts'

export interface PageLimits {
  /** Milliseconds that the database may take. */
  readonly timeout: number
  /** Bytes of requests after which a page ends. */
  readonly bytes: number
  /** In milliseconds. */
  readonly clock: () => number
  /** Aborts when nobody waits for the page any more: its time is over then. */
  readonly signal: AbortSignal
}

export interface Page {
  readonly logs: readonly Facts[]
  /** Tracking id behind which the next page begins; absent: this is the last one, or the order has no pages. */
  readonly next?: string
  /** There are more behind the last one. */
  readonly more: boolean
  /** The time was over before the page was full. */
  readonly stopped: boolean
}

type Spot = Pick<Found, 'id' | 'sort'>

interface Part {
  readonly found: readonly Found[]
  /** All that matches up to here was found; absent: there is nothing behind it. */
  readonly edge?: Spot
}

/** Reads without writing, within the time. @throws the database's 57014 after it, where nothing can be said yet */
export async function readPage(db: Db, query: LogQuery, limits: PageLimits): Promise<Page> {
  const parts = await Promise.all(db.groups.map(group => readPart(group, query, limits)))
  const inOrder = (a: Spot, b: Spot): number => orderOf(query, a, b)
  // What another part has behind this place is not known to be next.
  const [edge] = parts.flatMap(part => part.edge ?? []).toSorted(inOrder)
  const found = parts
    .flatMap(part => part.found)
    .filter(row => edge === undefined || inOrder(row, edge) <= 0)
    .toSorted(inOrder)
  const sends = found.slice(0, query.limit)
  const isFull = found.length > sends.length
  const next = query.sort ? undefined : isFull ? sends.at(-1)!.id : edge?.id
  const logs = await Promise.all(
    [...Map.groupBy(sends, send => db.of(send.bucket))].map(([group, own]) => readFacts(group, own))
  )
  const byId = new Map(logs.flat().map(facts => [facts.send.id, facts]))
  return {
    logs: sends.map(({ id }) => byId.get(id)!),
    more: isFull || edge !== undefined,
    stopped: !isFull && edge !== undefined && edge.id !== sends.at(-1)?.id,
    ...(next !== undefined && { next })
  }
}

async function readPart(group: Group, query: LogQuery, limits: PageLimits): Promise<Part> {
  let part: Part | undefined
  try {
    await group.sql.begin('read only', async tx => {
      if (query.sort) {
        await bound(tx, limits.timeout)
        const basket: Basket = { bytes: 0, found: [] }
        const cut = await fill(basket, find(tx, group, query, query.limit + 1), limits)
        part = { found: basket.found, ...(cut && { edge: basket.found.at(-1)! }) }
        return
      }
      // What one step takes beyond the time is not more than the half that no step begins in.
      await bound(tx, limits.timeout / 2)
      for await (const seen of search(tx, group, query, limits)) part = seen
    })
  } catch (error) {
    if (!part || !isTooSlow(error)) throw error
  }
  return part!
}

interface Basket {
  readonly found: Found[]
  bytes: number
}

/** @returns whether it is too heavy for the rest */
async function fill(
  basket: Basket,
  rows: AsyncIterable<Found>,
  limits: Pick<PageLimits, 'bytes'>
): Promise<boolean> {
  for await (const row of rows) {
    basket.bytes += row.size
    if (basket.found.length > 0 && basket.bytes > limits.bytes) return true
    basket.found.push(row)
  }
  return false
}

/** Places of one step. */
const LEAST = 100
const MOST = 50_000
/** Milliseconds that a step should take. */
const STEP = 150

const DAY = 86_400_000
/**
 * Days that a step may look at, and how many times more where there was too little in them. A statement is planned over all
 * days that it may look at, which takes longer than looking: of a log of a year, most searches find their page in its last month.
 */
const DAYS = 32
const WIDER = 4

/** After each step all that was found until then. */
async function* search(
  tx: Tx,
  group: Group,
  query: LogQuery,
  limits: PageLimits
): AsyncGenerator<Part, void, void> {
  const began = limits.clock()
  const basket: Basket = { bytes: 0, found: [] }
  const { found } = basket
  let span: Span = { high: lowestIdAt(query.range.to), low: lowestIdAt(query.range.from) }
  if (query.after !== undefined) span = behind(query, span, query.after)
  // Enough where everything is meant; where not, the pace tells how many more.
  let count = query.limit + 1
  let days = DAYS
  for (;;) {
    const start = limits.clock()
    const near = nearest(query, span, days)
    const places = await readPlaces(tx, group, query, near.span, count)
    const { edge = near.edge, ids } = places
    if (places.edge === undefined) days *= WIDER
    const rows = find(tx, group, query, query.limit + 1 - found.length, ids)
    if (await fill(basket, rows, limits)) {
      yield { edge: found.at(-1)!, found }
      return
    }
    yield { found, ...(edge !== undefined && { edge: { id: edge, sort: null } }) }
    const now = limits.clock()
    const isOver = now - began > limits.timeout / 2 || limits.signal.aborted
    if (edge === undefined || found.length > query.limit || isOver) return
    span = behind(query, span, edge)
    const pace = STEP / Math.max(1, now - start)
    count = Math.round(Math.min(MOST, Math.max(LEAST, count * Math.min(4, Math.max(0.25, pace)))))
  }
}

const behind = ({ ascending }: LogQuery, { low, high }: Span, id: string): Span =>
  ascending ? { high, low: id > low ? id : low } : { high: id < high ? id : high, low }

/** The days of a span that come first in the order of the search. `edge`: the end of them, where they are not all. */
function nearest({ ascending }: LogQuery, span: Span, days: number): { span: Span; edge?: string } {
  const edge = ascending
    ? edgeOf(timeInId(span.low) + days * DAY)
    : edgeOf(Math.max(0, timeInId(span.high) - days * DAY))
  if (edge <= span.low || edge >= span.high) return { span }
  return { edge, span: ascending ? { ...span, high: edge } : { ...span, low: edge } }
}

const byTime = (ascending: boolean, a: Spot, b: Spot): number =>
  (a.id === b.id ? 0 : a.id < b.id ? -1 : 1) * (ascending ? 1 : -1)

function orderOf({ ascending, sort }: LogQuery, a: Spot, b: Spot): number {
  if (!sort) return byTime(ascending, a, b)
  if (a.sort === b.sort) return byTime(!sort.descending, a, b)
  if (a.sort === null || b.sort === null) return a.sort === null ? 1 : -1
  return (a.sort as string | number) < (b.sort as string | number) === sort.descending ? 1 : -1
}
