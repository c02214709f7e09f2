// A store over a list that a page has by itself: no server, and what a person does stays in the page.

import { atom } from 'nanostores'

import type { Counts, Mark, Notif, NotifId } from '../../protocol/index.ts'
import { createInboxAtoms, type InboxState } from '../../store/inbox-state.ts'
import { publish } from '../../store/publish.ts'
import type { Connection, Loading, NotifStore, PreferencesState } from '../../store/types.ts'

/** Name of the field that tells items apart, or a function that does. Default: `id`, else the place in the list. */
export type RowKey = string | ((item: never) => string | number | undefined)

export interface List {
  readonly store: NotifStore
  /** The items as the page gave them. */
  readonly given: ReadonlyMap<NotifId, unknown>
  /** What was made of them. */
  readonly made: ReadonlyMap<NotifId, Notif>
  /** Why the others are left out, by key: a field of theirs that throws. */
  readonly unreadable: ReadonlyMap<NotifId, unknown>
}

const isRecord = (item: unknown): item is Record<string, unknown> => typeof item === 'object' && item !== null

function keyOf(item: unknown, rowKey: RowKey | undefined, index: number): NotifId {
  const key =
    typeof rowKey === 'function'
      ? rowKey(item as never)
      : isRecord(item)
        ? (item[rowKey ?? 'id'] ?? item['trackingId'])
        : undefined
  return String(key ?? index)
}

/** Symbols and objects without a prototype have no text: who wants to see them draws them. */
function hasText(value: unknown): boolean {
  try {
    return typeof `${value as string}` === 'string'
  } catch {
    return false
  }
}

const textOf = (value: unknown): string => (hasText(value) ? String(value) : '')

// A day that is none is left out: whoever has no dates has a list without days.
function instant(date: unknown): string {
  if (date === undefined || date === null) return ''
  try {
    return new Date(date as string).toISOString()
  } catch {
    return ''
  }
}

/** What a row shows as it is. */
const TEXTS = ['body', 'imageURL', 'redirectURL'] as const

function toNotif(item: unknown, id: NotifId): Notif {
  if (!isRecord(item))
    return { date: '', id, opened: new Date(0).toISOString(), rev: 0, title: textOf(item), type: '' }
  const { date, title = '', type = '', ...rest } = item
  for (const name of TEXTS) if (!hasText(rest[name])) delete rest[name]
  return { rev: 0, ...rest, date: instant(date), id, title: textOf(title), type: textOf(type) }
}

const isPlain = (item: object): boolean => Object.getPrototypeOf(item) === Object.prototype

/** What was made before of an item that has the same fields: whoever draws it need not do so again. */
function unchanged(before: List | undefined, item: unknown, now: Notif): Notif | undefined {
  const old = before?.made.get(now.id)
  // What an object of a class knows is not in its fields alone.
  if (!old || (isRecord(item) && !isPlain(item))) return undefined
  const fields = Object.entries(now)
  // Into an object that it holds the page may have written.
  const same = fields.every(
    ([name, value]) => value !== Object(value) && Object.is(value, old[name as keyof Notif])
  )
  return same && fields.length === Object.keys(old).length ? old : undefined
}

/** The first time stays; without a time the marks are taken away. */
function marked(item: Notif, marks: readonly Mark[], date: string | undefined): Notif {
  const next = { ...item }
  for (const name of marks) {
    if (date === undefined) delete next[name]
    else next[name] ??= date
  }
  return next
}

function countsOf(items: readonly Notif[]): Counts {
  const unarchived = items.filter(({ archived }) => !archived)
  return { unarchived: unarchived.length, unopened: unarchived.filter(({ opened }) => !opened).length }
}

const NO_PREFERENCES = new TypeError('A list of the page has no preferences.')

// They never change.
const connection: Connection = { state: 'idle' }
const loading: Loading = { more: false, state: 'ready' }
const preferences: PreferencesState = { error: NO_PREFERENCES, state: 'failed' }

const refuse = async (): Promise<never> => {
  throw NO_PREFERENCES
}

const nothing = async (): Promise<void> => {}

/**
 * @param items - notifications, or anything at all where the page draws it; shown in their order
 * @param before - the list in place of which it comes
 */
export function createListStore(
  items: readonly unknown[],
  rowKey?: RowKey,
  now = Date.now,
  before?: List
): List {
  const given = new Map<NotifId, unknown>()
  const made = new Map<NotifId, Notif>()
  const unreadable = new Map<NotifId, unknown>()
  for (const [index, item] of items.entries()) {
    let id = String(index)
    try {
      id = keyOf(item, rowKey, index)
      // Two rows with one key would be one row.
      while (given.has(id)) id += ` ${index}`
      const notif = toNotif(item, id)
      made.set(id, unchanged(before, item, notif) ?? notif)
      given.set(id, item)
    } catch (error) {
      unreadable.set(id, error)
    }
  }
  const toState = (notifications: readonly Notif[]): InboxState => ({
    counts: Object.freeze(countsOf(notifications)),
    loading,
    notifications: Object.freeze(notifications)
  })
  const $state = atom(toState([...made.values()]))

  const mark = async (ids: readonly NotifId[] | 'ALL', marks: readonly Mark[], on = true): Promise<void> => {
    const date = on ? new Date(now()).toISOString() : undefined
    const next = $state
      .get()
      .notifications.map(item => (ids === 'ALL' || ids.includes(item.id) ? marked(item, marks, date) : item))
    publish(() => $state.set(toState(next)))
  }
  const store: NotifStore = {
    ...createInboxAtoms($state, () => () => {}),
    $connection: atom(connection),
    $preferences: atom(preferences),
    destroy: () => {},
    getClient: () => ({ identify: nothing }),
    loadMore: nothing,
    markAsArchived: ids => mark(ids, ['archived']),
    markAsClicked: id => mark([id], ['clicked', 'opened']),
    markAsOpened: ids => mark(ids ?? 'ALL', ['opened']),
    markAsUnarchived: ids => mark(ids, ['archived'], false),
    markAsUnopened: ids => mark(ids, ['opened'], false),
    now,
    onNewNotifications: () => () => {},
    onRefused: () => () => {},
    reload: nothing,
    reloadPreferences: nothing,
    setWebPushOptIn: nothing,
    updateDeliveries: refuse,
    updateDelivery: refuse
  }
  return { given, made, store, unreadable }
}
