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
  isObject(x) && [x['unopened'], x['unarchived'], x['unseen'], x['snoozed']].every(isWhole)

function isNotif(x: unknown): x is Notif {
  return (
    isObject(x) &&
    [x['id'], x['type'], x['title'], x['date']].every(isText) &&
    isWhole(x['rev']) &&
    [x['titleRuns'] ?? [], x['bodyRuns'] ?? []].every(isRuns) &&
    [x['actions'] ?? [], x['actors'] ?? []].every(Array.isArray) &&
    [x['outcome'] ?? {}, x['progress'] ?? {}, x['reply'] ?? {}].every(isObject) &&
    [
      x['body'],
      x['imageURL'],
      x['redirectURL'],
      x['seen'],
      x['opened'],
      x['clicked'],
      x['archived'],
      x['snoozedUntil'],
      x['snoozedAt']
    ].every(isOptionalText)
  )
}

const hasItems = (x: unknown): x is Unknown =>
  isObject(x) &&
  isWhole(x['version']) &&
  isCounts(x['counts']) &&
  Array.isArray(x['items']) &&
  x['items'].every(isNotif)

export const isInboxPage = (x: unknown): x is InboxPage => hasItems(x) && isOptionalText(x['next'])

export const isInboxChange = (x: unknown): x is InboxChange =>
  hasItems(x) && isWhole(x['prev']) && Array.isArray(x['removed']) && x['removed'].every(isText)

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
