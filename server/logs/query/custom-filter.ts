// `customFilter`: commands joined by `|`, in any order; a later sort, limit or list of fields replaces an earlier one.
//
//   fields received_at, request.to.id | filter type like /^order/ and email_routing = "SEND" | sort received_at desc | limit 20

import { CHANNELS } from '#protocol'

import { INLINE } from '../../types/templates/inline-content.ts'
import { parseCondition, Reader, type Condition } from './condition.ts'
import { fieldOf, RECORD_WORDS, requestPath, type Field, type Path } from './fields.ts'
import { guarded, Misfit, scan, type Token, type Wrong } from './tokens.ts'

/** One field of the answer. */
export interface Column {
  readonly name: string
  /** Undefined: the field of a log record with that name. */
  readonly path?: Path
}

export interface Custom {
  /** Undefined: the whole record. */
  readonly columns?: readonly Column[]
  readonly condition?: Condition<Field>
  /** Undefined: newest first. */
  readonly sort?: { readonly field: Field; readonly descending: boolean }
  readonly limit?: number
}

const LONGEST = 4096
const LIMIT = 1000
const COLUMNS = 50

const PLAIN = [
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
const OF_CHANNEL = ['routing', 'routing_reason', 'sent_at', 'sent_after', 'failed_at', 'failed_code']
const NAMES = new Set([
  ...PLAIN,
  ...CHANNELS.flatMap(channel => OF_CHANNEL.map(field => `${INLINE[channel]}_${field}`))
])
const ALIAS: ReadonlyMap<string, string> = new Map([
  ['@message', 'request'],
  ['@timestamp', 'received_at']
])

export const parseCustomFilter = (text: string): { readonly ok: true; readonly value: Custom } | Wrong =>
  guarded(() => {
    const reader = new Reader(scan(text, LONGEST))
    const custom: { -readonly [K in keyof Custom]: Custom[K] } = {}
    const conditions: Condition<Field>[] = []
    do {
      if (reader.has('fields') || reader.has('display')) custom.columns = columnsOf(reader)
      else if (reader.has('filter')) conditions.push(parseCondition(reader, RECORD_WORDS))
      else if (reader.has('sort')) custom.sort = sortOf(reader)
      else if (reader.has('limit')) custom.limit = limitOf(reader)
      else throw reader.misfit('expected fields, filter, sort or limit')
    } while (reader.has('|'))
    if (reader.token.kind !== 'end') throw reader.misfit('expected |')
    const [only] = conditions
    if (only !== undefined)
      custom.condition = conditions.length === 1 ? only : { kind: 'and', of: conditions }
    return custom
  })

function columnsOf(reader: Reader): Column[] {
  const columns: Column[] = []
  do {
    if (reader.token.kind !== 'word') throw reader.misfit('expected a field')
    columns.push(columnOf(reader.take()))
    if (columns.length > COLUMNS) throw new Misfit(reader.token.at, `expected at most ${COLUMNS} fields.`)
  } while (reader.has(','))
  return columns
}

function columnOf(token: Token): Column {
  const name = ALIAS.get(token.text) ?? token.text
  if (NAMES.has(name)) return { name }
  if (/^(?:\$\.)?request[.[]/.test(name)) return { name: token.text, path: requestPath(token, false) }
  throw new Misfit(token.at, `${JSON.stringify(token.text)} is no field of a log record.`)
}

function sortOf(reader: Reader): NonNullable<Custom['sort']> {
  if (reader.token.kind !== 'word') throw reader.misfit('expected a field')
  const token = reader.take()
  const field = fieldOf(token)
  if (field.path === undefined || field.state || field.text) {
    throw new Misfit(token.at, 'logs are sorted by received_at, type, user_id, trackingId or request.<path>.')
  }
  if (reader.has('asc')) return { descending: false, field }
  reader.has('desc')
  return { descending: true, field }
}

function limitOf(reader: Reader): number {
  const { at, text } = reader.token
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > LIMIT) throw new Misfit(at, `expected a whole number from 1 to ${LIMIT}.`)
  reader.take()
  return limit
}
