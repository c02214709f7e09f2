// Searches the log for one page: in steps, until the page is full or the time is over. An incomplete page has the cursor of the
// place where the search stopped, so a search for something rare ends too, however long the log is.

import { lowestIdAt, timeInId } from '../core/id.ts'
import { cancellableRead } from '../db/cancellable-read.ts'
import type { Db, DatabaseGroup, Tx } from '../db/db.ts'
import { isTooSlow } from '../db/failure.ts'
import { readDeliveryFacts } from './delivery-facts.sql.ts'
import type { DeliveryFacts } from './delivery-facts.ts'
import { readSearchStep, type IdRange } from './log-search.sql.ts'
import { findSends, setSearchLimits, type FoundSend } from './logs.sql.ts'
import type { LogQuery } from './query/parse-query.ts'
import { lowestTrackingIdAt } from './query/time-range.ts'

export interface PageLimits {
  readonly timeoutMs: number
  readonly maxBytes: number
  /** In milliseconds. */
  readonly clock: () => number
  /** Aborted if the client disconnects; cancels the search. */
  readonly signal: AbortSignal
}

export interface LogPage {
  readonly logs: readonly DeliveryFacts[]
  /** The next page begins behind this tracking id. Absent on the last page, and in an order without pages. */
  readonly next?: string
  readonly hasMore: boolean
  /** The time was over before the page was full. */
  readonly isIncomplete: boolean
}

type Position = Pick<FoundSend, 'id' | 'sortValue'>

interface GroupResult {
  readonly found: readonly FoundSend[]
  /** All matching sends up to here are in `found`; absent if there are none behind. */
  readonly searchedTo?: Position
}

/** Reads only. @throws the database's 57014 (query cancelled) if the time is over, or the client left, before the first step ended */
export async function searchLogs(db: Db, query: LogQuery, limits: PageLimits): Promise<LogPage> {
  const results = await Promise.all(db.groups.map(group => searchGroup(db, group, query, limits)))
  const compare = (a: Position, b: Position): number => comparePositions(query, a, b)
  // Sends of one group behind the end of another group's search may not be the next ones.
  const [searchedTo] = results.flatMap(result => result.searchedTo ?? []).toSorted(compare)
  const found = results
    .flatMap(result => result.found)
    .filter(row => searchedTo === undefined || compare(row, searchedTo) <= 0)
    .toSorted(compare)
  const sends = found.slice(0, query.limit)
  const isFull = found.length > sends.length
  const next = query.sort ? undefined : isFull ? sends.at(-1)!.id : searchedTo?.id
  const logs = await Promise.all(
    [...Map.groupBy(sends, send => db.of(send.bucket))].map(([{ buckets, searches }, own]) =>
      readDeliveryFacts({ buckets, sql: searches }, own)
    )
  )
  const byId = new Map(logs.flat().map(facts => [facts.send.id, facts]))
  return {
    hasMore: isFull || searchedTo !== undefined,
    isIncomplete: !isFull && searchedTo !== undefined && searchedTo.id !== sends.at(-1)?.id,
    logs: sends.map(({ id }) => byId.get(id)!),
    ...(next !== undefined && { next })
  }
}

async function searchGroup(
  db: Db,
  group: DatabaseGroup,
  query: LogQuery,
  limits: PageLimits
): Promise<GroupResult> {
  let result: GroupResult | undefined
  // The time-out of statements is not enough, because each step has several.
  const end = AbortSignal.any([limits.signal, AbortSignal.timeout(limits.timeoutMs)])
  try {
    await cancellableRead(group.searches, group, end, async tx => {
      if (query.sort) {
        await setSearchLimits(tx, limits.timeoutMs)
        const collected: Collected = { bytes: 0, found: [] }
        const isFull = await collect(collected, findSends(db, tx, group, query, query.limit + 1), limits)
        result = { found: collected.found, ...(isFull && { searchedTo: collected.found.at(-1)! }) }
        return
      }
      // A step may take half of the time, and no step begins in the second half.
      await setSearchLimits(tx, limits.timeoutMs / 2)
      for await (const partial of searchInSteps(db, tx, group, query, limits)) result = partial
    })
  } catch (error) {
    if (!result || !isTooSlow(error)) throw error
  }
  return result!
}

interface Collected {
  readonly found: FoundSend[]
  bytes: number
}

/** @returns true if the byte limit was reached before the last row */
async function collect(
  collected: Collected,
  rows: AsyncIterable<FoundSend>,
  limits: Pick<PageLimits, 'maxBytes'>
): Promise<boolean> {
  for await (const row of rows) {
    collected.bytes += row.bytes
    if (collected.found.length > 0 && collected.bytes > limits.maxBytes) return true
    collected.found.push(row)
  }
  return false
}

/** Sends that one step looks at. */
const MIN_STEP_SIZE = 100
const MAX_STEP_SIZE = 50_000
/** The step size adapts to this duration. */
const STEP_TARGET_MS = 150

const DAY_MS = 86_400_000
/**
 * Days that the first step looks at, and the factor if they contained too few sends. Postgres plans a statement over all daily
 * partitions that it may read, which takes longer than reading: most searches find their page in the last month.
 */
const FIRST_STEP_DAYS = 32
const DAYS_FACTOR = 4

/** Yields after each step everything that was found until then. */
async function* searchInSteps(
  db: Db,
  tx: Tx,
  group: DatabaseGroup,
  query: LogQuery,
  limits: PageLimits
): AsyncGenerator<GroupResult, void, void> {
  const startedAt = limits.clock()
  const collected: Collected = { bytes: 0, found: [] }
  const { found } = collected
  let range: IdRange = { high: lowestIdAt(query.range.to), low: lowestIdAt(query.range.from) }
  if (query.after !== undefined) range = rangeBehind(query, range, query.after)
  // Enough if every send matches; otherwise the next steps grow.
  let stepSize = query.limit + 1
  let days = FIRST_STEP_DAYS
  for (;;) {
    const stepStartedAt = limits.clock()
    const first = firstDays(query, range, days)
    const step = await readSearchStep(tx, group, query, first.range, stepSize)
    const { ids, lastSearched = first.end } = step
    if (step.lastSearched === undefined) days *= DAYS_FACTOR
    const rows = findSends(db, tx, group, query, query.limit + 1 - found.length, ids)
    if (await collect(collected, rows, limits)) {
      yield { found, searchedTo: found.at(-1)! }
      return
    }
    yield { found, ...(lastSearched !== undefined && { searchedTo: { id: lastSearched, sortValue: null } }) }
    const now = limits.clock()
    const isOver = now - startedAt > limits.timeoutMs / 2 || limits.signal.aborted
    if (lastSearched === undefined || found.length > query.limit || isOver) return
    range = rangeBehind(query, range, lastSearched)
    const factor = Math.min(4, Math.max(0.25, STEP_TARGET_MS / Math.max(1, now - stepStartedAt)))
    stepSize = Math.round(Math.min(MAX_STEP_SIZE, Math.max(MIN_STEP_SIZE, stepSize * factor)))
  }
}

const rangeBehind = ({ ascending }: LogQuery, { low, high }: IdRange, id: string): IdRange =>
  ascending ? { high, low: id > low ? id : low } : { high: id < high ? id : high, low }

/** The first days of a range in the order of the search. `end` is absent if these are all of its days. */
function firstDays(
  { ascending }: LogQuery,
  range: IdRange,
  days: number
): { readonly range: IdRange; readonly end?: string } {
  const end = ascending
    ? lowestTrackingIdAt(timeInId(range.low) + days * DAY_MS)
    : lowestTrackingIdAt(Math.max(0, timeInId(range.high) - days * DAY_MS))
  if (end <= range.low || end >= range.high) return { range }
  return { end, range: ascending ? { ...range, high: end } : { ...range, low: end } }
}

const compareIds = (ascending: boolean, a: Position, b: Position): number =>
  (a.id === b.id ? 0 : a.id < b.id ? -1 : 1) * (ascending ? 1 : -1)

function comparePositions({ ascending, sort }: LogQuery, a: Position, b: Position): number {
  if (!sort) return compareIds(ascending, a, b)
  if (a.sortValue === b.sortValue) return compareIds(!sort.descending, a, b)
  if (a.sortValue === null || b.sortValue === null) return a.sortValue === null ? 1 : -1
  return (a.sortValue as string | number) < (b.sortValue as string | number) === sort.descending ? 1 : -1
}
