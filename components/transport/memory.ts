// A complete inbox in memory with transports to it: for tests of pages that use the kit, and for demos without a server.

import {
  patchNotif,
  withChoices,
  type InboxChange,
  type InboxPage,
  type InboxPatch,
  type Notif,
  type NotifId,
  type Preferences
} from '../protocol/index.ts'
import type { LiveEvent, Transport } from '../store/transport.ts'

/** A notification before it is sent: only the title is needed. */
type Draft = Partial<Notif> & Pick<Notif, 'title'>

export interface MemoryInbox {
  /** Creates the transport of one store. */
  transport(): Transport
  /** Adds a notification, as a send does. */
  add(notif: Draft): Notif
  /** Removes notifications, as a retract or the expiry does. */
  remove(...ids: readonly NotifId[]): InboxChange
  patch(patch: InboxPatch): InboxChange
  /** Changes fields of a notification in its place, as the update of a back end does. */
  update(id: NotifId, fields: Partial<Notif>): InboxChange
  page(count: number, cursor?: string): InboxPage
  /** Replaces the preferences and informs all connections. */
  prefer(preferences: Preferences): void
  /** Closes all live connections (`false`) or opens them again (`true`). */
  setOnline(isOnline: boolean): void
}

export interface MemoryOptions {
  readonly now?: () => number
  /** Notifications at the start, oldest first. */
  readonly items?: readonly Draft[]
  /** Number of changed notifications above which an answer is a reset. Default: 500. */
  readonly maxChanges?: number
  readonly preferences?: Preferences
}

interface Row {
  readonly seq: number
  readonly notif: Notif
  readonly removed: boolean
}

export function memoryInbox({
  items = [],
  maxChanges = 500,
  now = Date.now,
  preferences = { notifications: [], preferences: [], subNotifications: [] }
}: MemoryOptions = {}): MemoryInbox {
  const rows = new Map<NotifId, Row>()
  const connected = new Map<(event: LiveEvent) => void, () => number | undefined>()
  let clock = 0
  let isOnline = true

  const nextVersion = (): number => (clock = Math.max(clock + 1, Math.floor(now())))
  const listItems = (): Row[] => [...rows.values()].filter(row => !row.removed)
  const counts = (): InboxPage['counts'] => {
    const items = listItems().map(({ notif }) => notif)
    const unarchived = items.filter(({ archived, snoozedUntil }) => !archived && !snoozedUntil)
    const unopened = unarchived.filter(({ opened }) => !opened)
    return {
      snoozed: items.filter(({ snoozedUntil }) => snoozedUntil).length,
      unarchived: unarchived.length,
      unopened: unopened.length,
      unseen: unopened.filter(({ seen }) => !seen).length
    }
  }

  function createChange(prev: number): InboxChange {
    const changed = [...rows.values()].filter(({ notif }) => notif.rev > prev)
    return {
      counts: counts(),
      items: changed.filter(row => !row.removed).map(row => row.notif),
      prev,
      removed: changed.filter(row => row.removed).map(row => row.notif.id),
      version: clock
    }
  }

  function publish(prev: number): InboxChange {
    const change = createChange(prev)
    if (isOnline && change.version > prev)
      for (const listener of connected.keys()) listener({ change, type: 'change' })
    return change
  }

  function add(given: Draft): Notif {
    const prev = clock
    const rev = nextVersion()
    const notif = { date: new Date(rev).toISOString(), id: `n${rev}`, type: 'test', ...given, rev }
    rows.set(notif.id, { notif, removed: false, seq: rev })
    publish(prev)
    return notif
  }

  /** Replaces all rows that change, under one new version. */
  function replaceRows(replace: (row: Row) => Row): InboxChange {
    const prev = clock
    const changed = listItems().flatMap(row => {
      const next = replace(row)
      return next.removed === row.removed && next.notif === row.notif ? [] : [next]
    })
    if (changed.length > 0) nextVersion()
    for (const { notif, removed, seq } of changed) {
      rows.set(notif.id, { notif: { ...notif, rev: clock }, removed, seq })
    }
    return publish(prev)
  }

  function patch(patch: InboxPatch): InboxChange {
    const { at = new Date(now()).toISOString(), from = 0, through = Infinity, trackingIds, types } = patch
    const isCovered = ({ notif, seq }: Row): boolean =>
      trackingIds === 'ALL'
        ? seq >= from && seq <= through && (!types || types.includes(notif.type))
        : trackingIds.includes(notif.id)
    return replaceRows(row =>
      isCovered(row) ? { ...row, notif: patchNotif(row.notif, { ...patch, at }) } : row
    )
  }

  const remove = (...ids: readonly NotifId[]): InboxChange =>
    replaceRows(row => ({ ...row, removed: ids.includes(row.notif.id) }))

  const update = (id: NotifId, fields: Partial<Notif>): InboxChange =>
    replaceRows(row => (row.notif.id === id ? { ...row, notif: { ...row.notif, ...fields } } : row))

  /** As a server does whose back end has not answered yet. */
  function press(id: NotifId, actionId: string): InboxChange {
    const at = new Date(now()).toISOString()
    const position = rows.get(id)?.notif.actions?.findIndex(action => action.id === actionId)
    update(id, { outcome: { actionId, at, state: 'pending' } })
    return patch({ [position ? 'actioned2' : 'actioned1']: at, trackingIds: [id] })
  }

  function page(count: number, cursor = ''): InboxPage {
    const all = listItems()
      .filter(({ seq }) => cursor === '' || seq < Number(cursor))
      .sort((one, other) => other.seq - one.seq)
    const last = all[count - 1]
    return {
      counts: counts(),
      items: all.slice(0, count).map(row => row.notif),
      version: clock,
      ...(last && all.length > count && { next: String(last.seq) })
    }
  }

  const getChanges: Transport['getChanges'] = async from => {
    const change = createChange(from)
    const tooMuch = change.items.length + change.removed.length > maxChanges
    return tooMuch || from > clock ? { reset: true, version: clock } : change
  }

  function greet(listener: (event: LiveEvent) => void, version: () => number | undefined): void {
    listener({ type: 'online' })
    const known = version()
    if (known !== undefined && known < clock) listener({ change: createChange(known), type: 'change' })
    listener({ counts: counts(), type: 'head', version: clock })
  }

  function prefer(next: Preferences): void {
    preferences = next
    for (const listener of connected.keys()) if (isOnline) listener({ type: 'preferences' })
  }

  for (const item of items) add(item)

  return {
    add,
    page,
    patch,
    prefer,
    remove,
    update,
    setOnline(shouldBeOnline) {
      isOnline = shouldBeOnline
      for (const [listener, version] of connected) {
        if (isOnline) greet(listener, version)
        else listener({ type: 'offline' })
      }
    },
    transport: () => ({
      getChanges,
      updateDeliveries: async choices => prefer(withChoices(preferences, choices)),
      connect(listener, version) {
        connected.set(listener, version)
        queueMicrotask(() => {
          if (isOnline && connected.has(listener)) greet(listener, version)
        })
        return () => connected.delete(listener)
      },
      identify: async () => {},
      setWebPushOptIn: async () => {},
      getPage: async (count, cursor) => page(count, cursor),
      patch: async change => patch(change),
      press: async (id, actionId) => press(id, actionId),
      getPreferences: async () => structuredClone(preferences)
    })
  }
}
