// Rows of an inbox in memory, and the writes to them. For each mark the last writer wins, by the time of the action.

import {
  countItems,
  impliedMarks,
  MARKS,
  patchNotif,
  type InboxPatch,
  type Instant,
  type Notif
} from '../protocol/index.ts'
import type { ViewName } from '../store/transport.ts'

type Writable = { -readonly [K in keyof Notif]: Notif[K] }

const FIELDS = [...MARKS, 'snoozedUntil'] as const
type Field = (typeof FIELDS)[number]

export interface Row {
  readonly seq: number
  readonly notif: Notif
  readonly removed: boolean
  /** Time of the last write to each mark. */
  readonly written?: { readonly [field in Field]?: Instant }
}

export const IS_IN: Readonly<Record<ViewName, (item: Notif) => boolean>> = {
  archived: ({ archived }) => archived !== undefined,
  inbox: item => countItems([item]).unarchived > 0,
  snoozed: ({ snoozedUntil }) => snoozedUntil !== undefined,
  unread: item => countItems([item]).unopened > 0
}

/** What a patch names, and what follows from that, also where it changes nothing now: an older write may arrive later. */
const namesOf = (patch: InboxPatch): object => ({
  ...patch,
  ...impliedMarks(patch),
  ...(patch.archived && patch.trackingIds !== 'ALL' && { snoozedUntil: null }),
  ...(patch.snoozedUntil && { archived: null })
})

/** Ignores the fields that were written later than the patch. */
export function writeRow(row: Row, patch: InboxPatch, at: Instant): Row {
  const { notif, written = {} } = row
  const next: Writable = { ...patchNotif(notif, { ...patch, at }) }
  const times: { [field in Field]?: Instant } = { ...written }
  const names = namesOf(patch)
  for (const name of FIELDS) {
    const isLate = (written[name] ?? '') > at
    if (!isLate && (name in names || next[name] !== notif[name])) times[name] = at
    if (!isLate || next[name] === notif[name]) continue
    if (notif[name]) next[name] = notif[name]
    else delete next[name]
  }
  const isChanged = patch.reply || FIELDS.some(name => next[name] !== notif[name])
  return { ...row, notif: isChanged ? next : notif, written: times }
}

export interface RowChange {
  readonly before: Row
  readonly after: Row
}

/** Restores the marks that an action changed and that were not written since. */
export function restoreRow(row: Row, { after, before }: RowChange, at: Instant): Row {
  const names = FIELDS.filter(
    name => after.notif[name] !== before.notif[name] && row.written?.[name] === after.written?.[name]
  )
  if (names.length === 0) return row
  const notif: Writable = { ...row.notif }
  for (const name of names) {
    if (before.notif[name]) notif[name] = before.notif[name]
    else delete notif[name]
  }
  return { ...row, notif, written: { ...row.written, ...Object.fromEntries(names.map(name => [name, at])) } }
}
