// Parses the two filters of a query that are texts.
//
// `requestFilter`: a condition on the body of the send:
//   request.mergeTags.item = "sneaker*" && (request.to.email NOT EXISTS || $.parameters.price >= 10)
//
// `customFilter`: commands separated by `|`, in any order. A later sort, limit or field list replaces an earlier one.
//
//   fields received_at, request.to.id | filter type like /^order/ and email_routing = "SEND" | sort received_at desc | limit 20

import { CHANNELS } from '#protocol'

import { CONTENT_FIELDS } from '../../types/templates/content.ts'
import { parseCondition, Reader, type Condition } from './condition.ts'
import {
  parseField,
  RECORD_VOCABULARY,
  parseRequestPath,
  REQUEST_VOCABULARY,
  type Field,
  type Path
} from './fields.ts'
import { catchFilterError, FilterError, tokenize, type Token, type FilterFailure } from './tokens.ts'

export interface Column {
  readonly name: string
  /** Path in the request; undefined for the field of the log record with this name. */
  readonly path?: Path
}

export interface CustomFilter {
  /** Undefined for the whole record. */
  readonly columns?: readonly Column[]
  readonly condition?: Condition<Field>
  /** Undefined for newest first. */
  readonly sort?: { readonly field: Field; readonly descending: boolean }
  readonly limit?: number
}

const MAX_CHARACTERS = 4096
const MAX_LIMIT = 1000
const MAX_COLUMNS = 50

const RECORD_FIELDS = [
  'trackingId',
  'clientId',
  'envId',
  'type',
  'subNotificationId',
  'received_at',
  'status',
  'user_id',
  'user_email',
  'user_number',
  'scheduled_for',
  'ignored',
  'request',
  'messages',
  'channels'
]
const CHANNEL_FIELDS = ['routing', 'routing_reason', 'sent_at', 'sent_after', 'failed_at', 'failed_code']
const COLUMN_NAMES = new Set([
  ...RECORD_FIELDS,
  ...CHANNELS.flatMap(channel => CHANNEL_FIELDS.map(field => `${CONTENT_FIELDS[channel]}_${field}`))
])
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['@message', 'request'],
  ['@timestamp', 'received_at']
])

export const parseCustomFilter = (
  text: string
): { readonly ok: true; readonly value: CustomFilter } | FilterFailure =>
  catchFilterError(() => {
    const reader = new Reader(tokenize(text, MAX_CHARACTERS))
    const custom: { -readonly [K in keyof CustomFilter]: CustomFilter[K] } = {}
    const conditions: Condition<Field>[] = []
    do {
      if (reader.has('fields') || reader.has('display')) custom.columns = parseColumns(reader)
      else if (reader.has('filter')) conditions.push(parseCondition(reader, RECORD_VOCABULARY))
      else if (reader.has('sort')) custom.sort = parseSort(reader)
      else if (reader.has('limit')) custom.limit = parseLimit(reader)
      else throw reader.misfit('expected fields, filter, sort or limit')
    } while (reader.has('|'))
    if (reader.token.kind !== 'end') throw reader.misfit('expected |')
    const [only] = conditions
    if (only !== undefined)
      custom.condition = conditions.length === 1 ? only : { kind: 'and', of: conditions }
    return custom
  })

function parseColumns(reader: Reader): Column[] {
  const columns: Column[] = []
  do {
    if (reader.token.kind !== 'word') throw reader.misfit('expected a field')
    columns.push(parseColumn(reader.take()))
    if (columns.length > MAX_COLUMNS)
      throw new FilterError(reader.token.at, `expected at most ${MAX_COLUMNS} fields.`)
  } while (reader.has(','))
  return columns
}

function parseColumn(token: Token): Column {
  const name = ALIASES.get(token.text) ?? token.text
  if (COLUMN_NAMES.has(name)) return { name }
  if (/^(?:\$\.)?request[.[]/.test(name)) return { name: token.text, path: parseRequestPath(token, false) }
  throw new FilterError(token.at, `${JSON.stringify(token.text)} is not a field of a log record.`)
}

function parseSort(reader: Reader): NonNullable<CustomFilter['sort']> {
  if (reader.token.kind !== 'word') throw reader.misfit('expected a field')
  const token = reader.take()
  const field = parseField(token)
  if (field.path === undefined || field.needsAttempts || field.needsText) {
    throw new FilterError(
      token.at,
      'expected received_at, type, user_id, trackingId or request.<path> to sort by.'
    )
  }
  if (reader.has('asc')) return { descending: false, field }
  reader.has('desc')
  return { descending: true, field }
}

function parseLimit(reader: Reader): number {
  const { at, text } = reader.token
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > MAX_LIMIT)
    throw new FilterError(at, `expected a whole number from 1 to ${MAX_LIMIT}.`)
  reader.take()
  return limit
}

const MAX_CONDITION_CHARACTERS = 1024

/** @param text - one condition, which may be in braces */
export const parseRequestFilter = (
  text: string
): { readonly ok: true; readonly value: Condition<Field> } | FilterFailure =>
  catchFilterError(() => {
    const reader = new Reader(tokenize(text, MAX_CONDITION_CHARACTERS))
    const hasBraces = reader.has('{')
    const condition = parseCondition(reader, REQUEST_VOCABULARY)
    if (hasBraces) reader.need('}')
    if (reader.token.kind !== 'end') throw reader.misfit('expected && or ||')
    return condition
  })
