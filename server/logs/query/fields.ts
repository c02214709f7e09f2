// The names that a filter may use, and where each of them stands in what the database compares. Nothing else is a name.

import { CHANNELS, type Channel } from '#protocol'

import { parseInstant, toMillis } from '../../core/instant.ts'
import { INLINE } from '../../types/templates/inline-content.ts'
import { MEANINGS, type Meaning } from '../status-labels.ts'
import type { Words } from './condition.ts'
import { isDigits, Misfit, type Token } from './tokens.ts'

/** `path`: jsonpath into the document that logs.sql.ts makes of a row. */
export interface Field {
  readonly kind: 'value' | 'time' | 'meaning'
  /** Undefined: it stands nowhere, only the meaning of a decision tells. */
  readonly path?: string
  /** It is known only with the tries. */
  readonly state: boolean
  /** It is the request as text. */
  readonly text?: true
  /** Words that follow from a decision of the channel. */
  readonly meaning?: { readonly channel: Channel; readonly word: keyof Meaning }
}

const value = (path: string): Field => ({ kind: 'value', path, state: false })
const RECEIVED: Field = { kind: 'time', path: '$."ms"', state: false }
const REQUEST: Field = { kind: 'value', path: '$."text"', state: false, text: true }

const OF_SEND: Readonly<Record<string, Field>> = {
  '@message': REQUEST,
  '@timestamp': RECEIVED,
  clientId: value('$."env"'),
  envId: value('$."env"'),
  received_at: RECEIVED,
  request: REQUEST,
  scheduled_for: value('$."request"."schedule"'),
  status: { kind: 'value', path: '$."status"', state: true },
  subNotificationId: value('$."sub"'),
  trackingId: value('$."id"'),
  type: value('$."type"'),
  user_email: value('$."request"."to"."email"'),
  user_id: value('$."user"'),
  user_number: value('$."request"."to"."number"')
}

const ofChannel = (channel: Channel): [string, Field][] => {
  const word = INLINE[channel]
  const tries = `$."tries"."${channel}"`
  return [
    [`${word}_routing`, { kind: 'meaning', meaning: { channel, word: 'routing' }, state: false }],
    [`${word}_routing_reason`, { kind: 'meaning', meaning: { channel, word: 'reason' }, state: false }],
    [
      `${word}_failed_code`,
      { kind: 'meaning', meaning: { channel, word: 'failed' }, path: `${tries}."code"`, state: true }
    ],
    [`${word}_failed_at`, { kind: 'time', path: `${tries}."failed"`, state: true }],
    [`${word}_sent_at`, { kind: 'time', path: `${tries}."sent"`, state: true }]
  ]
}

const FIELDS: ReadonlyMap<string, Field> = new Map([
  ...Object.entries(OF_SEND),
  ...CHANNELS.flatMap(ofChannel)
])

/** Old names of what is kept under its new one (spec/wire.md 5). */
const RENAMED: ReadonlyMap<string | number, string> = new Map([
  ['mergeTags', 'parameters'],
  ['notificationId', 'type'],
  ['secondaryId', 'subNotificationId'],
  ['user', 'to']
])

export type Path = readonly (string | number)[]

/** `a.b[0].\`c.d\`` as its parts. @throws Misfit */
function partsOf({ at, text }: Token): Path {
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
      if (end === from) throw new Misfit(at + from, 'expected a name.')
      parts.push(text.slice(from, end))
      from = end
    }
    while (text[from] === '[') {
      const end = text.indexOf(']', from)
      const index = text.slice(from + 1, end)
      if (!isDigits(index)) throw new Misfit(at + from, 'expected a number in brackets.')
      parts.push(Number(index))
      from = end + 1
    }
    if (from < text.length && text[from] !== '.') throw new Misfit(at + from, 'expected a dot.')
    from += 1
  }
  return parts
}

/** Where a path of a request stands in what is kept of it. */
export function requestPath(token: Token, isBare: boolean): Path {
  const all = partsOf(token)
  const inside = all[0] === '$' ? all.slice(1) : all
  const named = inside[0] === 'request'
  if (!named && !(isBare && all[0] === '$')) {
    throw new Misfit(token.at, 'expected a path that begins with request. or with $.')
  }
  const [first, ...rest] = named ? inside.slice(1) : inside
  if (first === undefined) throw new Misfit(token.at, 'expected a path below request.')
  return [RENAMED.get(first) ?? first, ...rest]
}

const asField = (path: Path): Field =>
  value(
    `$."request"${path.map(part => (typeof part === 'number' ? `[${part}]` : `.${JSON.stringify(part)}`)).join('')}`
  )

const isPath = (text: string): boolean => /^(?:\$\.)?request[.[]/.test(text)

/** A field of a log record, or a path into the request. @throws Misfit */
export function fieldOf(token: Token): Field {
  if (isPath(token.text)) return asField(requestPath(token, false))
  const found = FIELDS.get(token.text.replace(/^\$\./, ''))
  if (found) return found
  throw new Misfit(
    token.at,
    `${JSON.stringify(token.text)} is no field: known are ${[...FIELDS.keys()].slice(0, 14).join(', ')}, request.<path>, and <channel>_ with routing, routing_reason, sent_at, failed_at or failed_code.`
  )
}

function valueOf({ kind }: Field, given: string | number, at: number): string | number {
  if (kind !== 'time') return given
  const time = typeof given === 'number' ? toMillis(given) : parseInstant(given)
  if (time === undefined)
    throw new Misfit(at, 'expected an instant such as 2026-11-20T04:34:37Z, or a Unix time.')
  return time
}

const isText = ({ kind }: Field): boolean => kind !== 'time'

/** Of the custom filter. */
export const RECORD_WORDS: Words<Field> = { field: fieldOf, isText, stars: false, value: valueOf }

/** Of request filters. */
export const REQUEST_WORDS: Words<Field> = {
  field: token => asField(requestPath(token, true)),
  isText,
  stars: true,
  value: valueOf
}

/** What the decisions say in one word of their meaning: by value, the decisions that have it. */
export const meanings = (word: keyof Meaning): [string, string[]][] =>
  [
    ...Map.groupBy(
      Object.entries(MEANINGS).filter(([, meaning]) => meaning[word] !== undefined),
      ([, meaning]) => meaning[word]!
    ).entries()
  ].map(([said, entries]) => [said, entries.map(([decision]) => decision)])
