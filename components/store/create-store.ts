// Puts a store together: what the server confirmed, what the person did meanwhile, and views of both.

import { atom, batch, computed, onMount } from 'nanostores'

import type { Instant, Mark, Notif, NotifId } from '../protocol/index.ts'
import { surroundings } from '../transport/browser.ts'
import type { Environment } from '../transport/environment.ts'
import { lazyTransport } from '../transport/lazy.ts'
import { ready } from '../transport/ready.ts'
import type { KeptChoices } from '../transport/transport.ts'
import { createActions } from './actions.ts'
import { contextOf, type NotifContext } from './context.ts'
import type { Head } from './head.ts'
import { NOTHING, type Inbox } from './inbox.ts'
import { latePreferences } from './late-preferences.ts'
import { createOffline } from './offline.ts'
import { openLine, type Line, type Receiver } from './line.ts'
import { patched, patchedCounts, type Pending } from './pending.ts'
import type { InboxStore, Loading, Outcome, StoreConfig } from './store.ts'
import { createSync, type Request } from './sync.ts'

const isSameList = (one: readonly Notif[] | undefined, other: readonly Notif[]): boolean =>
  one?.length === other.length && one.every((item, index) => item === other[index])

/**
 * One person's inbox. Nothing happens before somebody listens to one of its stores, and soon after the last listener
 * left (nanostores waits a second for each level of derived stores) the connection ends.
 */
export function createNotifStore(config: StoreConfig): NotifContext {
  const environment: Environment = { ...surroundings, ready, ...config.environment }
  const transport = config.transport ?? lazyTransport(config, environment)
  const line = openLine({ ...config, environment, transport })
  const { destroy, ...inbox } = createInbox(line, config, left => adopt(left))
  const { adopt, end, ...preferences } = latePreferences(line, inbox.$connection)
  return contextOf({
    ...inbox,
    ...preferences,
    destroy(how) {
      end()
      destroy(how)
    }
  })
}

/**
 * The same on a line that is open already, perhaps.
 *
 * @param choose - goes on with choices of preferences that an earlier page left behind
 * @param head - what is known; whatever came after it is news
 */
export function createInbox(
  line: Line,
  { pageSize = 50 }: Pick<StoreConfig, 'pageSize'>,
  choose: (left: readonly KeptChoices[]) => Promise<unknown>,
  head?: Head
): InboxStore {
  const { environment, transport } = line
  const listeners = new Set<(notifications: readonly Notif[]) => void>()
  const refusals = new Set<(error: unknown) => void>()
  let destroyed = false

  const $inbox = atom(head ? { ...NOTHING, counts: head.counts } : NOTHING)
  const $pending = atom<readonly Pending[]>([])
  const $request = atom<Request>({ state: 'busy' })
  // To listen to any public store opens the line, and to what comes from the inbox starts the work, so all of them hang
  // on these; inside we read without starting it.
  const $present = atom(true)
  const $work = atom(true)

  const $notifications = computed([$inbox, $pending, $work], ({ edge, records }, pending): readonly Notif[] =>
    [...records.values()]
      .filter(({ date }) => date >= edge)
      .map(item => patched(item, pending))
      .sort((one, other) => (one.date < other.date ? 1 : -1))
  )
  $notifications.eq = isSameList
  const $counts = computed([$inbox, $pending, $work], patchedCounts)
  $counts.eq = (one, other) => one?.unopened === other.unopened && one.unarchived === other.unarchived
  const $unopened = computed($counts, ({ unopened }) => unopened)
  const $unarchived = computed($counts, ({ unarchived }) => unarchived)
  const $loading = computed([$request, $inbox, $work], (request, { next }): Loading =>
    request.state === 'ready' ? { more: next !== undefined, state: 'ready' } : request
  )
  $loading.eq = (one, other) =>
    one === other || (one?.state === 'ready' && other.state === 'ready' && one.more === other.more)
  const $connection = computed([line.$connection, $present], connection => connection)

  function set(inbox: Inbox, request?: Request): void {
    if (destroyed) return
    batch(() => {
      $inbox.set(inbox)
      const { version = -1 } = inbox
      const left = $pending.value.filter(({ until }) => until === undefined || until > version)
      if (left.length < $pending.value.length) $pending.set(left)
      if (request) $request.set(request)
    })
  }

  function lost(error: unknown): void {
    for (const listener of refusals) queueMicrotask(() => listener(error))
  }

  const sync = createSync({
    environment,
    get: () => $inbox.value,
    news(items) {
      // As a DOM event would: a listener's error is nobody else's.
      for (const listener of listeners) queueMicrotask(() => listener(items))
    },
    pageSize,
    since: head?.version,
    set,
    tell: request => $request.set(request),
    transport
  })
  const offline = createOffline({
    $inbox,
    adopt: left => actions.adopt(left),
    choose: left => void choose(left).catch(lost),
    draw({ counts, items, next }) {
      const edge = (next !== undefined && items.at(-1)?.date) || ''
      const records = new Map(items.map(item => [item.id, item]))
      // The greeting's counters are newer.
      set({ ...NOTHING, counts: head?.counts ?? counts, edge, next, records }, { state: 'ready' })
    },
    environment,
    forgotten: () => destroy(),
    transport
  })
  const actions = createActions({
    $pending,
    confirm: sync.confirm,
    environment,
    kept: offline.kept,
    lost,
    refresh: sync.refresh,
    find: id => $inbox.value.records.get(id),
    transport
  })
  const { act } = actions

  const receiver: Receiver = { receive: sync.receive, version: () => $inbox.value.version }
  let present = 0
  function attend(): () => void {
    if (present++ === 0) line.start(receiver)
    return () => {
      if (--present === 0) line.stop(receiver)
    }
  }
  onMount($present, () => (destroyed ? undefined : attend()))
  onMount($work, () => {
    if (destroyed) return
    const leave = attend()
    sync.start()
    offline.start()
    const unheard = line.$connection.listen(({ state }) => {
      if (state !== 'online') return
      actions.resume()
      void offline.adopt()
    })
    return () => {
      unheard()
      sync.stop()
      leave()
    }
  })

  const now = (): Instant => new Date(environment.now()).toISOString()

  /** As the person sees it; an unknown one has whatever mark one wants to change. */
  const lacks = (id: NotifId, mark: Mark, on: boolean): boolean => {
    const item = $inbox.value.records.get(id)
    return !item || Boolean(patched(item, $pending.value)[mark]) !== on
  }

  /** Sets or clears a mark; what is already so is left out. */
  async function mark(ids: readonly NotifId[], mark: Mark, on: boolean): Promise<Outcome> {
    const trackingIds = ids.filter(id => lacks(id, mark, on))
    if (trackingIds.length > 0) return act({ [mark]: on ? now() : null, trackingIds })
  }

  async function markAll(mark: 'archived' | 'opened'): Promise<Outcome> {
    // Without a version the server would also take what this person has never seen.
    if ($inbox.value.version === undefined && offline.seen() === undefined) await sync.settled()
    const through = $inbox.value.version ?? offline.seen()
    const counts = patchedCounts($inbox.value, $pending.value)
    if (through !== undefined && counts[mark === 'opened' ? 'unopened' : 'unarchived'] === 0) return
    return act({ [mark]: now(), trackingIds: 'ALL', ...(through !== undefined && { through }) })
  }

  function destroy({ forget = false } = {}): void {
    destroyed = true
    listeners.clear()
    refusals.clear()
    sync.end()
    actions.end()
    offline.end(forget)
    line.stop(receiver)
    $inbox.set(NOTHING)
    $pending.set([])
  }

  return {
    $connection,
    $counts,
    $loading,
    $notifications,
    $unarchived,
    $unopened,
    destroy,
    getClient: () => ({ identify: identity => transport.identify(identity) }),
    loadMore: sync.more,
    markAsArchived: ids => (ids === 'ALL' ? markAll('archived') : mark(ids, 'archived', true)),
    async markAsClicked(id) {
      if (!lacks(id, 'clicked', true)) return
      const clicked = now()
      return act({ clicked, trackingIds: [id], ...(lacks(id, 'opened', true) && { opened: clicked }) })
    },
    markAsOpened: ids => (ids ? mark(ids, 'opened', true) : markAll('opened')),
    markAsUnarchived: ids => mark(ids, 'archived', false),
    markAsUnopened: ids => mark(ids, 'opened', false),
    onNewNotifications(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onRefused(listener) {
      refusals.add(listener)
      return () => refusals.delete(listener)
    },
    reload: sync.reload,
    setWebPushOptIn: on => transport.optIn(on)
  }
}
