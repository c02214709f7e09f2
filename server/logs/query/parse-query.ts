// Parses the body of a log query: filters, time range, and the compiled program of request and custom filters.

import type { Channel } from '#protocol'

import type { LogStatus } from '../../client/logs.ts'
import { parseInput, withoutEmptyMaps, invalidFields } from '../../http/parse-input.ts'
import type { FieldProblem } from '../../http/problem.ts'
import type { Decision } from '../../send/plan/decision.ts'
import { DEFAULT_PAGE_SIZE, queryBody, type QueryBody } from '../schema.ts'
import type { Condition } from './condition.ts'
import { parseCustomFilter, parseRequestFilter, type Column, type CustomFilter } from './custom-filter.ts'
import type { Field } from './fields.ts'
import { compileFilter, type FilterProgram } from './jsonpath.ts'
import { resolveTimeRange, type TimeRange } from './time-range.ts'

export interface LogQuery {
  readonly envId: string
  readonly range: TimeRange
  /** Time of the request in milliseconds since 1970. Except for clock skew, no send is younger. */
  readonly now: number
  readonly ids?: readonly string[]
  readonly types?: readonly string[]
  readonly users?: readonly string[]
  /** Email addresses and numbers that a message went to. */
  readonly addresses?: readonly string[]
  readonly channels?: readonly Channel[]
  readonly statuses?: readonly LogStatus[]
  readonly decisions?: readonly Decision[]
  readonly program?: FilterProgram
  /** Undefined for the order by time, which has pages. */
  readonly sort?: { readonly path: string; readonly descending: boolean }
  /** Oldest first; only without another sort. */
  readonly ascending: boolean
  readonly limit: number
  /** The page begins behind this tracking id. */
  readonly after?: string
  readonly columns?: readonly Column[]
}

export interface QueryContext {
  readonly envId: string
  readonly retentionDays: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Clients send empty lists for absent filters. */
const nonEmpty = <T>(values: readonly T[] | undefined): readonly T[] | undefined =>
  values === undefined || values.length === 0 ? undefined : [...new Set(values)]

/** @throws Problem naming every wrong field */
export function parseLogQuery(value: unknown, { envId, now, retentionDays }: QueryContext): LogQuery {
  const given = withoutEmptyMaps(value ?? {}, { dateRangeFilter: {} })
  const body = parseInput(queryBody, given, { nulls: 'absent' })
  const errors: FieldProblem[] = []
  const range = resolveTimeRange(body.dateRangeFilter, retentionDays, now)
  if ('pointer' in range) errors.push(range)
  const custom = parseCustom(body, errors)
  const conditions = custom ? [] : parseRequestFilters(body, errors)
  if (errors.length > 0 || 'pointer' in range) throw invalidFields(errors)
  return {
    envId,
    now,
    range,
    ...(custom ? fromCustomFilter(custom, body) : fromFilters(body, conditions, envId)),
    ...(body.cursor !== undefined && { after: body.cursor })
  }
}

function parseCustom(
  { customFilter = '', cursor }: QueryBody,
  errors: FieldProblem[]
): CustomFilter | undefined {
  if (customFilter.trim() === '') return undefined
  const read = parseCustomFilter(customFilter)
  if (!read.ok) {
    errors.push({ detail: read.detail, pointer: '#/customFilter' })
    return undefined
  }
  if (cursor !== undefined && read.value.sort !== undefined && !isByTime(read.value.sort.field)) {
    errors.push({ detail: 'A cursor requires the order by received_at.', pointer: '#/cursor' })
  }
  return read.value
}

const parseRequestFilters = ({ requestFilter = [] }: QueryBody, errors: FieldProblem[]): Condition<Field>[] =>
  requestFilter.flatMap((text, i) => {
    const read = parseRequestFilter(text)
    if (read.ok) return [read.value]
    errors.push({ detail: read.detail, pointer: `#/requestFilter/${i}` })
    return []
  })

/** Tracking ids begin with their time, so they sort by time too. */
const isByTime = ({ path }: Field): boolean => path === '$."ms"' || path === '$."id"'

/** The custom filter overrides all other filters, but not environment, time range and page. */
function fromCustomFilter({ columns, condition, limit, sort }: CustomFilter, body: QueryBody) {
  const byTime = sort === undefined || isByTime(sort.field)
  return {
    ascending: byTime && sort?.descending === false,
    limit: Math.min(limit ?? body.limit ?? DEFAULT_PAGE_SIZE, body.limit ?? limit ?? DEFAULT_PAGE_SIZE),
    ...(condition && { program: compileFilter(condition) }),
    ...(!byTime && { sort: { descending: sort.descending, path: sort.field.path! } }),
    ...(columns && { columns })
  }
}

function fromFilters(body: QueryBody, conditions: readonly Condition<Field>[], envId: string) {
  const ids = nonEmpty(body.trackingIds)?.filter(id => id !== undefined)
  const environments = nonEmpty(body.envIdFilter)
  const types = nonEmpty(body.notificationFilter)
  const users = nonEmpty(body.userFilter)
  const addresses = nonEmpty(body.addressFilter)
  const channels = nonEmpty(body.channelFilter)
  const statuses = nonEmpty(body.statusFilter)
  const decisions = nonEmpty(body.decisionFilter)
  const isElsewhere = environments !== undefined && !environments.includes(envId)
  return {
    ascending: false,
    limit: body.limit ?? DEFAULT_PAGE_SIZE,
    ...(isElsewhere ? { ids: [] } : ids && { ids }),
    ...(types && { types }),
    ...(users && { users }),
    ...(addresses && { addresses }),
    ...(channels && { channels }),
    ...(statuses && { statuses }),
    ...(decisions && { decisions }),
    ...(conditions.length > 0 && { program: compileFilter({ kind: 'and', of: conditions }) })
  }
}
