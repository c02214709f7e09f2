// From the body of a log query to what the store looks for: filters, span of time, and the program of the free filters.

import type { Channel } from '#protocol'

import { parseInput, withoutEmptyMaps, wrongFields } from '../../http/parse-input.ts'
import type { FieldProblem } from '../../http/problem.ts'
import type { Status } from '../explain.ts'
import { PAGE, queryBody, type QueryBody } from '../schema.ts'
import type { Condition } from './condition.ts'
import { parseCustomFilter, type Column, type Custom } from './custom-filter.ts'
import type { Field } from './fields.ts'
import { compile, type Program } from './jsonpath.ts'
import { parseRequestFilter } from './request-filter.ts'
import { rangeOf, type Range } from './time-range.ts'

export interface LogQuery {
  readonly envId: string
  readonly range: Range
  /** When it was asked, milliseconds since 1970: nothing in the log is younger, but for clocks. */
  readonly now: number
  /** Undefined: any. */
  readonly ids?: readonly string[]
  readonly types?: readonly string[]
  readonly users?: readonly string[]
  readonly channels?: readonly Channel[]
  readonly statuses?: readonly Status[]
  readonly program?: Program
  /** Undefined: newest first, with a cursor. */
  readonly sort?: { readonly path: string; readonly descending: boolean }
  /** Oldest first; only without another sort. */
  readonly ascending: boolean
  readonly limit: number
  /** Only what comes after this record. */
  readonly after?: string
  readonly columns?: readonly Column[]
}

export interface QueryContext {
  readonly envId: string
  readonly retentionDays: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Clients send empty lists for "no filter". */
const some = <T>(values: readonly T[] | undefined): readonly T[] | undefined =>
  values === undefined || values.length === 0 ? undefined : [...new Set(values)]

/** @throws Problem naming every wrong field */
export function readQuery(value: unknown, { envId, now, retentionDays }: QueryContext): LogQuery {
  const given = withoutEmptyMaps(value ?? {}, { dateRangeFilter: {} })
  const body = parseInput(queryBody, given, { nulls: 'absent' })
  const errors: FieldProblem[] = []
  const range = rangeOf(body.dateRangeFilter, retentionDays, now)
  if ('pointer' in range) errors.push(range)
  const custom = customOf(body, errors)
  const conditions = custom ? [] : requestOf(body, errors)
  if (errors.length > 0 || 'pointer' in range) throw wrongFields(errors)
  return {
    envId,
    now,
    range,
    ...(custom ? customised(custom, body) : filtered(body, conditions, envId)),
    ...(body.cursor !== undefined && { after: body.cursor })
  }
}

function customOf({ customFilter = '', cursor }: QueryBody, errors: FieldProblem[]): Custom | undefined {
  if (customFilter.trim() === '') return undefined
  const read = parseCustomFilter(customFilter)
  if (!read.ok) {
    errors.push({ detail: read.detail, pointer: '#/customFilter' })
    return undefined
  }
  if (cursor !== undefined && read.value.sort !== undefined && !isByTime(read.value.sort.field)) {
    errors.push({ detail: 'Pages follow each other only when sorted by received_at.', pointer: '#/cursor' })
  }
  return read.value
}

const requestOf = ({ requestFilter = [] }: QueryBody, errors: FieldProblem[]): Condition<Field>[] =>
  requestFilter.flatMap((text, i) => {
    const read = parseRequestFilter(text)
    if (read.ok) return [read.value]
    errors.push({ detail: read.detail, pointer: `#/requestFilter/${i}` })
    return []
  })

/** Ids begin with their time. */
const isByTime = ({ path }: Field): boolean => path === '$."ms"' || path === '$."id"'

/** It overrides every other filter; environment, span of time and page stay. */
function customised({ columns, condition, limit, sort }: Custom, body: QueryBody) {
  const byTime = sort === undefined || isByTime(sort.field)
  return {
    ascending: byTime && sort?.descending === false,
    limit: Math.min(limit ?? body.limit ?? PAGE, body.limit ?? limit ?? PAGE),
    ...(condition && { program: compile(condition) }),
    ...(!byTime && { sort: { descending: sort.descending, path: sort.field.path! } }),
    ...(columns && { columns })
  }
}

function filtered(body: QueryBody, conditions: readonly Condition<Field>[], envId: string) {
  const ids = some(body.trackingIds)?.filter(id => id !== undefined)
  const environments = some(body.envIdFilter)
  const types = some(body.notificationFilter)
  const users = some(body.userFilter)
  const channels = some(body.channelFilter)
  const statuses = some(body.statusFilter)
  const isElsewhere = environments !== undefined && !environments.includes(envId)
  return {
    ascending: false,
    limit: body.limit ?? PAGE,
    ...(isElsewhere ? { ids: [] } : ids && { ids }),
    ...(types && { types }),
    ...(users && { users }),
    ...(channels && { channels }),
    ...(statuses && { statuses }),
    ...(conditions.length > 0 && { program: compile({ kind: 'and', of: conditions }) })
  }
}
