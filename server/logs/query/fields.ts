// The fields that a filter may use, and their paths in the document that the database compares. Other names are rejected.

import { CHANNELS, type Channel } from '#protocol'

import { parseInstant, toMillis } from '../../core/instant.ts'
import { CONTENT_FIELDS } from '../../types/templates/content.ts'
import { STATUS_LABELS, type StatusLabels } from '../status-labels.ts'
import type { Vocabulary } from './condition.ts'
import { isDigits, FilterError, type Token } from './tokens.ts'

export interface Field {
  readonly kind: 'value' | 'time' | 'label'
  /** jsonpath into the document that logs.sql.ts builds from a row; undefined if only the decision has the value. */
  readonly path?: string
  readonly needsAttempts: boolean
  /** The field is the request as text. */
  readonly needsText?: true
  /** The value is a status label of the channel's decision. */
  readonly label?: { readonly channel: Channel; readonly name: keyof StatusLabels }
}

const value = (path: string): Field => ({ kind: 'value', path, needsAttempts: false })
const RECEIVED: Field = { kind: 'time', path: '$."ms"', needsAttempts: false }
const REQUEST: Field = { kind: 'value', path: '$."text"', needsAttempts: false, needsText: true }

const SEND_FIELDS: Readonly<Record<string, Field>> = {
  '@message': REQUEST,
  '@timestamp': RECEIVED,
  broadcastId: value('$."request"."broadcastId"'),
  clientId: value('$."env"'),
  envId: value('$."env"'),
  received_at: RECEIVED,
  request: REQUEST,
  resendOf: value('$."request"."resendOf"'),
  scheduled_for: value('$."request"."schedule"'),
  status: { kind: 'value', path: '$."status"', needsAttempts: true },
  subNotificationId: value('$."sub"'),
  trackingId: value('$."id"'),
  type: value('$."type"'),
  user_email: value('$."request"."to"."email"'),
  user_id: value('$."user"'),
  user_number: value('$."request"."to"."number"')
}

const channelFields = (channel: Channel): [string, Field][] => {
  const prefix = CONTENT_FIELDS[channel]
  const attempts = `$."attempts"."${channel}"`
  return [
    [`${prefix}_routing`, { kind: 'label', label: { channel, name: 'routing' }, needsAttempts: false }],
    [`${prefix}_routing_reason`, { kind: 'label', label: { channel, name: 'reason' }, needsAttempts: false }],
    [
      `${prefix}_failed_code`,
      { kind: 'label', label: { channel, name: 'failed' }, path: `${attempts}."code"`, needsAttempts: true }
    ],
    [`${prefix}_failed_at`, { kind: 'time', path: `${attempts}."failed"`, needsAttempts: true }],
    [`${prefix}_sent_at`, { kind: 'time', path: `${attempts}."sent"`, needsAttempts: true }]
  ]
}

const FIELDS: ReadonlyMap<string, Field> = new Map([
  ...Object.entries(SEND_FIELDS),
  ...CHANNELS.flatMap(channelFields)
])

/** Names of fields, without their old names. */
export const FIELD_NAMES: readonly string[] = [...FIELDS.keys()].filter(name => !name.startsWith('@'))

/** Old names of fields that are stored under new ones. */
const RENAMED_FIELDS: ReadonlyMap<string | number, string> = new Map([
  ['mergeTags', 'parameters'],
  ['notificationId', 'type'],
  ['secondaryId', 'subNotificationId'],
  ['user', 'to']
])

export type Path = readonly (string | number)[]

/** `a.b[0].\`c.d\`` as its parts. @throws FilterError */
function splitPath({ at, text }: Token): Path {
  const parts: (string | number)[] = []
  let from = 0
  while (from <= text.length) {
    if (text[from] === '`') {
      const end = text.indexOf('`', from + 1)
      parts.push(text.slice(from + 1, end))
      from = end + 1
    } else {
      let end = from
      while (end < text.length && !'.[`'.includes(text[end]!)) end += 1
      if (end === from) throw new FilterError(at + from, 'expected a name.')
      parts.push(text.slice(from, end))
      from = end
    }
    while (text[from] === '[') {
      const end = text.indexOf(']', from)
      const index = text.slice(from + 1, end)
      if (!isDigits(index)) throw new FilterError(at + from, 'expected a number in brackets.')
      parts.push(Number(index))
      from = end + 1
    }
    if (from < text.length && text[from] !== '.') throw new FilterError(at + from, 'expected a dot.')
    from += 1
  }
  return parts
}

/** @returns the path in the stored request, with the current names of its fields */
export function parseRequestPath(token: Token, isBare: boolean): Path {
  const all = splitPath(token)
  const inside = all[0] === '$' ? all.slice(1) : all
  const hasPrefix = inside[0] === 'request'
  if (!hasPrefix && !(isBare && all[0] === '$')) {
    throw new FilterError(token.at, 'expected a path that begins with request. or with $.')
  }
  const [first, ...rest] = hasPrefix ? inside.slice(1) : inside
  if (first === undefined) throw new FilterError(token.at, 'expected a path below request.')
  return [RENAMED_FIELDS.get(first) ?? first, ...rest]
}

const requestField = (path: Path): Field =>
  value(
    `$."request"${path.map(part => (typeof part === 'number' ? `[${part}]` : `.${JSON.stringify(part)}`)).join('')}`
  )

const isRequestPath = (text: string): boolean => /^(?:\$\.)?request[.[]/.test(text)

/** Parses a field of a log record, or a path in the request. @throws FilterError */
export function parseField(token: Token): Field {
  if (isRequestPath(token.text)) return requestField(parseRequestPath(token, false))
  const found = FIELDS.get(token.text.replace(/^\$\./, ''))
  if (found) return found
  throw new FilterError(
    token.at,
    `${JSON.stringify(token.text)} is not a field. Expected ${[...FIELDS.keys()].slice(0, 16).join(', ')}, request.<path>, and <channel>_ with routing, routing_reason, sent_at, failed_at or failed_code.`
  )
}

function parseValue({ kind }: Field, given: string | number, at: number): string | number {
  if (kind !== 'time') return given
  const time = typeof given === 'number' ? toMillis(given) : parseInstant(given)
  if (time === undefined)
    throw new FilterError(at, 'expected an instant such as 2026-11-20T04:34:37Z, or a Unix time.')
  return time
}

const isText = ({ kind }: Field): boolean => kind !== 'time'

export const RECORD_VOCABULARY: Vocabulary<Field> = {
  field: parseField,
  isText,
  stars: false,
  value: parseValue
}

export const REQUEST_VOCABULARY: Vocabulary<Field> = {
  field: token => requestField(parseRequestPath(token, true)),
  isText,
  stars: true,
  value: parseValue
}

export const decisionsByLabel = (label: keyof StatusLabels): [string, string[]][] =>
  [
    ...Map.groupBy(
      Object.entries(STATUS_LABELS).filter(([, labels]) => labels[label] !== undefined),
      ([, labels]) => labels[label]!
    ).entries()
  ].map(([value, entries]) => [value, entries.map(([decision]) => decision)])
