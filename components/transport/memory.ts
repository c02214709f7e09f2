// A complete inbox in memory with transports to it: for tests of pages that use the kit, and for demos without a server.

import {
  countItems,
  NO_PAUSE,
  withChoices,
  type InboxChange,
  type InboxPage,
  type InboxPatch,
  type Notif,
  type NotifId,
  type Preferences
} from '../protocol/index.ts'
import { withSettings } from '../store/preferences/settings.ts'
import type { LiveEvent, PageFilter, Transport, TypeCounts } from '../store/transport.ts'
import { IS_IN, restoreRow, writeRow, type Row, type RowChange } from './memory-row.ts'
import { createMemoryTopics } from './memory-topics.ts'

/** A notification before it is sent: only the title is needed. */
type Draft = Partial<Notif> & Pick<Notif, 'title'>

export interface MemoryInbox {
  /** Creates the transport of one store. */
  transport(): Transport
  /** Adds a notification, as a send does. */
  add(notif: Draft): Notif
  /** Removes notifications, as a retract or the expiry does. */
  remove(...ids: readonly NotifId[]): InboxChange
  /** For each mark of each notification the last writer wins, by `at`. */
  patch(patch: InboxPatch): InboxChange
  /** Changes fields of a notification in its place, as the update of a back end does. */
  update(id: NotifId, fields: Partial<Notif>): InboxChange
  /** Moves notifications to the top as new, as the end of a snooze or an update of the back end does. */
  resurface(...ids: readonly NotifId[]): InboxChange
  page(count: number, cursor?: string, filter?: PageFilter): InboxPage
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
  /** Ids of types by tag. */
  readonly tags?: TypeCounts['tags']
}

export function memoryInbox({
  items = [],
  maxChanges = 500,
  now = Date.now,
  tags = {},
  preferences = { notifications: [], preferences: [], subNotifications: [] }
}: MemoryOptions = {}): MemoryInbox {
  const rows = new Map<NotifId, Row>()
  const connected = new Map<(event: LiveEvent) => void, () => number | undefined>()
  let clock = 0
  let isOnline = true
  const withTopic = createMemoryTopics()

  const nextVersion = (): number => (clock = Math.max(clock + 1, Math.floor(now())))
  const listItems = (): Row[] => [...rows.values()].filter(row => !row.removed)
  const counts = (): InboxPage['counts'] => countItems(listItems().map(({ notif }) => notif))

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
      if (next.removed !== row.removed || next.notif !== row.notif) return [next]
      rows.set(row.notif.id, next)
      return []
    })
    if (changed.length > 0) nextVersion()
    for (const row of changed) rows.set(row.notif.id, { ...row, notif: { ...row.notif, rev: clock } })
    return publish(prev)
  }

  /** What actions on all notifications changed, by the token that takes them back. */
  const undoable = new Map<string, ReadonlyMap<NotifId, RowChange>>()

  function patch(patch: InboxPatch): InboxChange {
    const { from = 0, through = Infinity, trackingIds, types, undo } = patch
    const time = new Date(now()).toISOString()
    // Nobody acts in the future.
    const at = patch.at && patch.at < time ? patch.at : time
    if (undo !== undefined) {
      return replaceRows(row => {
        const change = undoable.get(undo)?.get(row.notif.id)
        return change ? restoreRow(row, change, at) : row
      })
    }
    const isCovered = ({ notif, seq }: Row): boolean =>
      trackingIds === 'ALL'
        ? from <= seq && seq <= through && (types?.includes(notif.type) ?? true)
        : trackingIds.includes(notif.id)
    const changes = new Map<NotifId, RowChange>()
    const change = replaceRows(before => {
      if (!isCovered(before)) return before
      const after = writeRow(before, patch, at)
      if (after.notif !== before.notif) changes.set(before.notif.id, { after, before })
      return after
    })
    if (trackingIds !== 'ALL') return change
    const token = `undo-${undoable.size}`
    undoable.set(token, changes)
    return { ...change, undo: token }
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

  const resurface = (...ids: readonly NotifId[]): InboxChange =>
    replaceRows(row => {
      const { opened: _o, seen: _s, snoozedUntil: _u, ...rest } = row.notif
      const version = Math.max(clock + 1, Math.floor(now()))
      return ids.includes(row.notif.id)
        ? { ...row, notif: { ...rest, date: new Date(version).toISOString() }, seq: version }
        : row
    })

  const getTypeCounts: Transport['getTypeCounts'] = async (types, names) => {
    const known = Object.fromEntries(names.map(name => [name, tags[name] ?? []]))
    const all = [...new Set([...types, ...Object.values(known).flat()])]
    const toCount = (id: string): number =>
      countItems(listItems().flatMap(({ notif }) => (notif.type === id ? [notif] : []))).unopened
    return { byType: Object.fromEntries(all.map(id => [id, toCount(id)])), tags: known, version: clock }
  }

  function page(count: number, cursor = '', { tags: names, types: given, view }: PageFilter = {}): InboxPage {
    const types = names ? [...(given ?? []), ...names.flatMap(name => tags[name] ?? [])] : given
    const isInView = ({ notif }: Row): boolean =>
      (!view || IS_IN[view](notif)) && (types?.includes(notif.type) ?? true)
    // Snoozed ones: soonest first.
    const toPlace = ({ notif, seq }: Row): number =>
      view === 'snoozed' ? -Date.parse(notif.snoozedUntil!) : seq
    const all = listItems()
      .filter(isInView)
      .filter(row => cursor === '' || toPlace(row) < Number(cursor))
      .sort((one, other) => toPlace(other) - toPlace(one))
    const last = all[count - 1]
    return {
      counts: counts(),
      items: all.slice(0, count).map(row => row.notif),
      version: clock,
      ...(last && all.length > count && { next: String(toPlace(last)) })
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
    listener({ counts: counts(), pause: preferences.pause ?? NO_PAUSE, type: 'head', version: clock })
  }

  function prefer(next: Preferences): void {
    preferences = next
    const event = { pause: next.pause ?? NO_PAUSE, type: 'preferences' } as const
    if (isOnline) for (const listener of connected.keys()) listener(event)
  }

  for (const item of items) add(item)
  return {
    add,
    page,
    patch,
    prefer,
    remove,
    update,
    resurface,
    setOnline(shouldBeOnline) {
      isOnline = shouldBeOnline
      for (const [listener, version] of connected) {
        if (isOnline) greet(listener, version)
        else listener({ type: 'offline' })
      }
    },
    transport: () => ({
      getChanges,
      updateSettings: async patch => prefer(withSettings(preferences, patch)),
      updateTopic: async (id, isMember) => prefer(withTopic(preferences, id, isMember)),
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
      getPage: async (count, cursor, filter) => page(count, cursor, filter),
      getTypeCounts,
      patch: async change => patch(change),
      press: async (id, actionId) => press(id, actionId),
      getPreferences: async () => structuredClone(preferences)
    })
  }
}
