// A small real inbox in this process, with transports to it: for tests of pages that use the kit, and for demos without a server.

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
  /** One client's way to the inbox; make one for each store. */
  transport(): Transport
  /** What a send would do. */
  add(notif: Draft): Notif
  /** What a retract or the end of its time would do. */
  remove(...ids: readonly NotifId[]): InboxChange
  patch(patch: InboxPatch): InboxChange
  page(count: number, cursor?: string): InboxPage
  /** Replaces the preferences and tells everybody who is connected. */
  prefer(preferences: Preferences): void
  /** Ends all live connections (`false`) or brings them back (`true`). */
  setOnline(online: boolean): void
}

export interface MemoryOptions {
  readonly now?: () => number
  /** Notifications at the start, oldest first. */
  readonly items?: readonly Draft[]
  /** Most changed notifications in one answer; above that it is a reset. Default: 500. */
  readonly mostChanges?: number
  readonly preferences?: Preferences
}

interface Row {
  readonly seq: number
  readonly notif: Notif
  readonly removed: boolean
}

export function memoryInbox({
  items = [],
  mostChanges = 500,
  now = Date.now,
  preferences = { notifications: [], preferences: [], subNotifications: [] }
}: MemoryOptions = {}): MemoryInbox {
  const rows = new Map<NotifId, Row>()
  const connected = new Map<(event: LiveEvent) => void, () => number | undefined>()
  let clock = 0
  let online = true

  const tick = (): number => (clock = Math.max(clock + 1, Math.floor(now())))
  const kept = (): Row[] => [...rows.values()].filter(row => !row.removed)
  const counts = (): InboxPage['counts'] => {
    const unarchived = kept().filter(({ notif }) => !notif.archived)
    return { unarchived: unarchived.length, unopened: unarchived.filter(({ notif }) => !notif.opened).length }
  }

  function since(prev: number): InboxChange {
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
    const change = since(prev)
    if (online && change.version > prev)
      for (const listener of connected.keys()) listener({ change, type: 'change' })
    return change
  }

  function add(given: Draft): Notif {
    const prev = clock
    const rev = tick()
    const notif = { date: new Date(rev).toISOString(), id: `n${rev}`, type: 'test', ...given, rev }
    rows.set(notif.id, { notif, removed: false, seq: rev })
    publish(prev)
    return notif
  }

  /** Writes what differs from before, under one new version. */
  function write(after: (row: Row) => Row): InboxChange {
    const prev = clock
    const touched = kept().flatMap(row => {
      const next = after(row)
      return next.removed === row.removed && next.notif === row.notif ? [] : [next]
    })
    if (touched.length > 0) tick()
    for (const { notif, removed, seq } of touched) {
      rows.set(notif.id, { notif: { ...notif, rev: clock }, removed, seq })
    }
    return publish(prev)
  }

  function patch(patch: InboxPatch): InboxChange {
    const { through = Infinity, trackingIds } = patch
    const covers = ({ notif, seq }: Row): boolean =>
      trackingIds === 'ALL' ? seq <= through : trackingIds.includes(notif.id)
    return write(row => (covers(row) ? { ...row, notif: patchNotif(row.notif, patch) } : row))
  }

  const remove = (...ids: readonly NotifId[]): InboxChange =>
    write(row => ({ ...row, removed: ids.includes(row.notif.id) }))

  function page(count: number, cursor = ''): InboxPage {
    const all = kept()
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

  const changes: Transport['changes'] = async from => {
    const change = since(from)
    const tooMuch = change.items.length + change.removed.length > mostChanges
    return tooMuch || from > clock ? { reset: true, version: clock } : change
  }

  function greet(listener: (event: LiveEvent) => void, version: () => number | undefined): void {
    listener({ type: 'online' })
    const known = version()
    if (known !== undefined && known < clock) listener({ change: since(known), type: 'change' })
    listener({ counts: counts(), type: 'head', version: clock })
  }

  function prefer(next: Preferences): void {
    preferences = next
    for (const listener of connected.keys()) if (online) listener({ type: 'preferences' })
  }

  for (const item of items) add(item)

  return {
    add,
    page,
    patch,
    prefer,
    remove,
    setOnline(whether) {
      online = whether
      for (const [listener, version] of connected) {
        if (online) greet(listener, version)
        else listener({ type: 'offline' })
      }
    },
    transport: () => ({
      changes,
      choose: async choices => prefer(withChoices(preferences, choices)),
      connect(listener, version) {
        connected.set(listener, version)
        queueMicrotask(() => {
          if (online && connected.has(listener)) greet(listener, version)
        })
        return () => connected.delete(listener)
      },
      identify: async () => {},
      optIn: async () => {},
      page: async (count, cursor) => page(count, cursor),
      patch: async given => patch(given),
      preferences: async () => structuredClone(preferences)
    })
  }
}
