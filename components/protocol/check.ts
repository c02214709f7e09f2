// Guards for data from the network: its form is checked once, where it enters.

import type { Counts, InboxChange, InboxPage, InboxReset } from './inbox.ts'
import type { Notif } from './notif.ts'

type Unknown = Readonly<Record<string, unknown>>

export const isObject = (x: unknown): x is Unknown => typeof x === 'object' && x !== null && !Array.isArray(x)
const isText = (x: unknown): x is string => typeof x === 'string'
const isOptionalText = (x: unknown): boolean => x === undefined || isText(x)
const isRuns = (x: unknown): boolean =>
  Array.isArray(x) && x.every(run => isObject(run) && isText(run['text']))
export const isWhole = (x: unknown): x is number => Number.isSafeInteger(x)
export const isCounts = (x: unknown): x is Counts =>
  isObject(x) && isWhole(x['unopened']) && isWhole(x['unarchived'])

function isNotif(x: unknown): x is Notif {
  return (
    isObject(x) &&
    isText(x['id']) &&
    isText(x['type']) &&
    isText(x['title']) &&
    isText(x['date']) &&
    isWhole(x['rev']) &&
    [x['titleRuns'] ?? [], x['bodyRuns'] ?? []].every(isRuns) &&
    ['actions', 'actors'].every(key => Array.isArray(x[key] ?? [])) &&
    ['outcome', 'progress', 'reply'].every(key => isObject(x[key] ?? {})) &&
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

/** Returns undefined if the text is not JSON, for example an error page of a proxy. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
