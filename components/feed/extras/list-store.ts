// A store for a list of the page. It has no server: actions of the user stay in the page.

import { atom } from 'nanostores'

import { countItems, type Mark, type Notif, type NotifId } from '../../protocol/index.ts'
import { createInboxAtoms, NO_NOTIFICATIONS, type InboxState } from '../../store/inbox-state.ts'
import { publish } from '../../store/publish.ts'
import type { Connection, Loading, NotifStore, PreferencesState } from '../../store/types.ts'

/** Name of the field with the key of an item, or a function that returns it. Default: `id`, else the index. */
export type RowKey = string | ((item: never) => string | number | undefined)

export interface List {
  readonly store: NotifStore
  /** The items of the page by key. */
  readonly sourceItems: ReadonlyMap<NotifId, unknown>
  /** The notifications that were created from them. */
  readonly notifications: ReadonlyMap<NotifId, Notif>
  /** Errors of the items that are left out, because a field of theirs throws. */
  readonly unreadable: ReadonlyMap<NotifId, unknown>
}

const isRecord = (item: unknown): item is Record<string, unknown> => typeof item === 'object' && item !== null

function readKey(item: unknown, rowKey: RowKey | undefined, index: number): NotifId {
  const key =
    typeof rowKey === 'function'
      ? rowKey(item as never)
      : isRecord(item)
        ? (item[rowKey ?? 'id'] ?? item['trackingId'])
        : undefined
  return String(key ?? index)
}

/** Symbols and objects without a prototype cannot be converted to a text. */
function hasText(value: unknown): boolean {
  try {
    return typeof `${value as string}` === 'string'
  } catch {
    return false
  }
}

const toText = (value: unknown): string => (hasText(value) ? String(value) : '')

/** Returns an empty text for an invalid date: the list then has no heading for its day. */
function toIsoDate(date: unknown): string {
  if (date === undefined || date === null) return ''
  try {
    return new Date(date as string).toISOString()
  } catch {
    return ''
  }
}

const TEXT_FIELDS = ['body', 'imageURL', 'redirectURL'] as const

function toNotif(item: unknown, id: NotifId): Notif {
  if (!isRecord(item))
    return { date: '', id, opened: new Date(0).toISOString(), rev: 0, title: toText(item), type: '' }
  const { date, title = '', type = '', ...rest } = item
  for (const name of TEXT_FIELDS) if (!hasText(rest[name])) delete rest[name]
  return { rev: 0, ...rest, date: toIsoDate(date), id, title: toText(title), type: toText(type) }
}

const isPlain = (item: object): boolean => Object.getPrototypeOf(item) === Object.prototype

/** Returns the previous notification of an item if all its fields are the same, so that its row is not rendered again. */
function findUnchanged(before: List | undefined, item: unknown, now: Notif): Notif | undefined {
  const old = before?.notifications.get(now.id)
  // An object of a class has state besides its fields.
  if (!old || (isRecord(item) && !isPlain(item))) return undefined
  const fields = Object.entries(now)
  // The page may have changed an object inside the item.
  const isSame = fields.every(
    ([name, value]) => value !== Object(value) && Object.is(value, old[name as keyof Notif])
  )
  return isSame && fields.length === Object.keys(old).length ? old : undefined
}

/** Sets marks that are not set yet; without a date removes them. */
function setMarks(item: Notif, marks: readonly (Mark | 'snoozedUntil')[], date: string | undefined): Notif {
  const next = { ...item }
  for (const name of marks) {
    if (date === undefined) delete next[name]
    else next[name] ??= date
  }
  return next
}

const NO_PREFERENCES = new TypeError('A list of the page has no preferences.')

const connection: Connection = { state: 'idle' }
const loading: Loading = { more: false, state: 'ready' }
const preferences: PreferencesState = { error: NO_PREFERENCES, state: 'failed' }

const rejectPreferences = async (): Promise<never> => {
  throw NO_PREFERENCES
}

const doNothing = async (): Promise<void> => {}

/**
 * @param items - in the order of the list: notifications, or anything that the page renders itself
 * @param before - the list that it replaces
 */
export function createListStore(
  items: readonly unknown[],
  rowKey?: RowKey,
  now = Date.now,
  before?: List
): List {
  const sourceItems = new Map<NotifId, unknown>()
  const notifications = new Map<NotifId, Notif>()
  const unreadable = new Map<NotifId, unknown>()
  for (const [index, item] of items.entries()) {
    let id = String(index)
    try {
      id = readKey(item, rowKey, index)
      // Rows need different keys.
      while (sourceItems.has(id)) id += ` ${index}`
      const notification = toNotif(item, id)
      notifications.set(id, findUnchanged(before, item, notification) ?? notification)
      sourceItems.set(id, item)
    } catch (error) {
      unreadable.set(id, error)
    }
  }
  const toState = (notifications: readonly Notif[]): InboxState => ({
    counts: Object.freeze(countItems(notifications)),
    loading,
    notifications: Object.freeze(notifications)
  })
  const $state = atom(toState([...notifications.values()]))

  const mark = async (
    ids: readonly NotifId[] | 'ALL',
    marks: readonly (Mark | 'snoozedUntil')[],
    isOn = true,
    time = now()
  ): Promise<void> => {
    const date = isOn ? new Date(time).toISOString() : undefined
    const next = $state
      .get()
      .notifications.map(item =>
        ids === 'ALL' || ids.includes(item.id) ? setMarks(item, marks, date) : item
      )
    publish(() => $state.set(toState(next)))
  }
  const store: NotifStore = {
    ...createInboxAtoms($state, () => () => {}),
    $connection: atom(connection),
    $pause: atom(),
    $preferences: atom(preferences),
    $undoable: atom(undefined),
    act: id => mark([id], ['opened']),
    destroy: () => {},
    digest: rejectPreferences,
    getClient: () => ({ identify: doNothing }),
    loadMore: doNothing,
    markAsArchived: ids => mark(ids, ['archived']),
    markAsClicked: id => mark([id], ['clicked', 'opened', 'seen']),
    markAsOpened: ids => mark(ids ?? 'ALL', ['opened', 'seen']),
    markAsSeen: ids => mark(ids, ['seen']),
    markAsUnarchived: ids => mark(ids, ['archived'], false),
    markAsUnopened: ids => mark(ids, ['opened'], false),
    mute: rejectPreferences,
    now,
    onNewNotifications: () => () => {},
    onRefused: () => () => {},
    // A page that has its own list chooses itself what it shows.
    openView: () => ({
      $count: atom(0),
      $items: atom(NO_NOTIFICATIONS),
      $loading: atom(loading),
      $types: atom(),
      close: () => {},
      loadMore: doNothing
    }),
    pause: rejectPreferences,
    reload: doNothing,
    reloadPreferences: doNothing,
    reply: id => mark([id], ['opened']),
    setWebPushOptIn: doNothing,
    snooze: (ids, until) => mark(ids, ['snoozedUntil'], true, until.getTime()),
    undo: doNothing,
    unsnooze: ids => mark(ids, ['snoozedUntil'], false),
    updateDeliveries: rejectPreferences,
    updateDelivery: rejectPreferences,
    updateSettings: rejectPreferences,
    updateTopic: rejectPreferences
  }
  return { notifications, sourceItems, store, unreadable }
}
