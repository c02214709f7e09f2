// Guards for data that came over a wire: the shape is checked once, where it enters.

import type { ServerFrame } from './frame.ts'
import type { Counts, InboxChange, InboxPage, InboxReset } from './inbox.ts'
import type { Notif } from './notif.ts'

type Unknown = Readonly<Record<string, unknown>>

const isObject = (x: unknown): x is Unknown => typeof x === 'object' && x !== null && !Array.isArray(x)
const isText = (x: unknown): x is string => typeof x === 'string'
const isOptionalText = (x: unknown): boolean => x === undefined || isText(x)
const isWhole = (x: unknown): x is number => Number.isSafeInteger(x)
const isCounts = (x: unknown): x is Counts =>
  isObject(x) && isWhole(x['unopened']) && isWhole(x['unarchived'])

function isNotif(x: unknown): x is Notif {
  return (
    isObject(x) &&
    isText(x['id']) &&
    isText(x['type']) &&
    isText(x['title']) &&
    isText(x['date']) &&
    isWhole(x['rev']) &&
    ['body', 'imageURL', 'redirectURL', 'opened', 'clicked', 'archived'].every(key => isOptionalText(x[key]))
  )
}

export function isInboxPage(x: unknown): x is InboxPage {
  return (
    isObject(x) &&
    isWhole(x['version']) &&
    isCounts(x['counts']) &&
    isOptionalText(x['next']) &&
    Array.isArray(x['items']) &&
    x['items'].every(isNotif)
  )
}

export function isInboxChange(x: unknown): x is InboxChange {
  return (
    isObject(x) &&
    isWhole(x['prev']) &&
    isWhole(x['version']) &&
    isCounts(x['counts']) &&
    Array.isArray(x['items']) &&
    x['items'].every(isNotif) &&
    Array.isArray(x['removed']) &&
    x['removed'].every(isText)
  )
}

export const isInboxReset = (x: unknown): x is InboxReset =>
  isObject(x) && x['reset'] === true && isWhole(x['version'])

/** The frame, or undefined when it is none of ours (a newer server may send more than we know). */
export function toServerFrame(route: unknown, payload: unknown): ServerFrame | undefined {
  if (route === 'inbox/change' && isInboxChange(payload)) return { payload, route }
  if (route === 'inbox/reset' && isInboxReset(payload)) {
    return { payload: { reset: true, version: payload.version }, route }
  }
  if (route === 'inbox/head' && isObject(payload) && isWhole(payload['version'])) {
    const { counts, version } = payload
    return { payload: isCounts(counts) ? { counts, version } : { version }, route }
  }
  if (route === 'inbox/preferences') return { payload: {}, route }
  if (route === 'inbox/refused' && isObject(payload)) {
    return { payload: { detail: String(payload['detail']), title: String(payload['title']) }, route }
  }
  return undefined
}

/** JSON or undefined: a proxy's or a stranger's text must not end the connection's code. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
