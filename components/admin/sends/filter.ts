// The filter of the log: tokens `key:value` in the address, and the search that they mean.

import type { SendsQuery } from '../api/sends.ts'
import { CHANNELS } from '../view/channel.ts'

/** Keys that a member can type, each a parameter of the address. */
export const FILTER_KEYS = [
  'user',
  'to',
  'type',
  'channel',
  'status',
  'decision',
  'since',
  'id',
  'where'
] as const
export type FilterKey = (typeof FILTER_KEYS)[number]

export interface Token {
  readonly key: FilterKey
  readonly value: string
}

/** Of the segments; each stands for conditions of the server. */
export const STATUSES = ['failure', 'waiting', 'discarded', 'success'] as const

/** Rules that leave a channel out although it could be reached. */
const LEFT_OUT = ['type-on', 'preference', 'condition', 'rate', 'wait'] as const

const UNIT_MS = { d: 86_400_000, h: 3_600_000, m: 60_000 } as const
const SPAN = /^(\d{1,4})([mhd])$/
const CLOCK = /^(\d{1,2}):(\d{2})$/
const EMAIL = /^[^\s@]+@[^\s@]+$/
const PHONE = /^\+\d[\d ]{5,}$/
const TRACKING_ID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

export const readTokens = (search: URLSearchParams): readonly Token[] =>
  FILTER_KEYS.flatMap(key => search.getAll(key).map(value => ({ key, value })))

const isFilterKey = (name: string): name is FilterKey => (FILTER_KEYS as readonly string[]).includes(name)

/** `type:boarding`, an address, a tracking id, a condition on the request, or the beginning of a user id. */
export function parseToken(text: string): Token | undefined {
  const typed = text.trim()
  if (!typed) return undefined
  const [, name = '', value = ''] = /^(\w+):(.*)$/s.exec(typed) ?? []
  if (isFilterKey(name)) return value.trim() ? { key: name, value: value.trim() } : undefined
  if (TRACKING_ID.test(typed)) return { key: 'id', value: typed.toLowerCase() }
  if (EMAIL.test(typed) || PHONE.test(typed)) return { key: 'to', value: typed }
  return typed.startsWith('request.') ? { key: 'where', value: typed } : { key: 'user', value: typed }
}

/** @returns a Unix time in milliseconds */
export function parseSince(text: string, now = Date.now()): number | undefined {
  const [, count, unit] = SPAN.exec(text) ?? []
  if (count) return now - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]
  const [, hours, minutes] = CLOCK.exec(text) ?? []
  if (hours) return new Date(now).setHours(Number(hours), Number(minutes), 0, 0)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

/** What is wrong with a token before the server is asked. */
export function checkToken({ key, value }: Token): 'since' | 'channel' | 'status' | undefined {
  if (key === 'since' && parseSince(value) === undefined) return 'since'
  if (key === 'channel' && !(CHANNELS as readonly string[]).includes(value.toUpperCase())) return 'channel'
  if (key === 'status' && !(STATUSES as readonly string[]).includes(value)) return 'status'
  return undefined
}

/** The body of the search. */
export function toQuery(tokens: readonly Token[], now = Date.now()): SendsQuery {
  const values = (key: FilterKey): string[] | undefined => {
    const found = tokens.filter(token => token.key === key).map(({ value }) => value)
    return found.length > 0 ? found : undefined
  }
  const since = parseSince(values('since')?.[0] ?? '', now)
  const [status] = values('status') ?? []
  const statusFilter =
    status === 'failure'
      ? ['failure', 'partial']
      : status === 'waiting'
        ? ['received']
        : status === 'success'
          ? ['success']
          : undefined
  const all = {
    addressFilter: values('to'),
    channelFilter: values('channel')?.map(channel => channel.toUpperCase()),
    dateRangeFilter: since === undefined ? undefined : { startTime: since },
    decisionFilter: values('decision') ?? (status === 'discarded' ? LEFT_OUT : undefined),
    notificationFilter: values('type'),
    requestFilter: values('where'),
    statusFilter,
    trackingIds: values('id'),
    userFilter: values('user')
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}
