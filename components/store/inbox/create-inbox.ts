// Creates an inbox: the confirmed notifications, the optimistic updates, and what is shown of both.

import { atom, onStart, onStop, type ReadableAtom } from 'nanostores'

import type { InboxPatch, Instant, Mark, Notif, NotifId } from '../../protocol/index.ts'
import type { InboxState } from '../inbox-state.ts'
import { hold, publish } from '../publish.ts'
import type { InboxCounts, LiveConnection, Receiver } from '../receiver.ts'
import type { StoredChoices } from '../transport.ts'
import type { InboxStore, Outcome, StoreConfig } from '../types.ts'
import { createActions } from './actions.ts'
import { createAnswers } from './answers.ts'
import { createOffline } from './offline.ts'
import { applyUpdates, type OptimisticUpdate } from './optimistic.ts'
import { EMPTY_INBOX, findOldestDate, type Inbox } from './reducer.ts'
import { selectState } from './selectors.ts'
import { createSync, type LoadRequest } from './sync.ts'

/** The part of a store that needs the list. Everything else is derived from it, or belongs to the connection. */
export interface LoadedInbox extends Pick<
  InboxStore,
  | 'act'
  | 'destroy'
  | 'loadMore'
  | 'markAsArchived'
  | 'markAsClicked'
  | 'markAsOpened'
  | 'markAsUnarchived'
  | 'markAsUnopened'
  | 'reload'
  | 'reply'
> {
  /** Always current, also without listeners; a listener starts nothing. */
  readonly $state: ReadableAtom<InboxState>
  /** Keeps the connection open until the returned function is called. */
  connect(): () => void
  /** Keeps the connection open and the inbox in step with the server until the returned function is called. */
  synchronize(): () => void
}

interface Options extends Pick<StoreConfig, 'pageSize'> {
  /** Counters that are already known; notifications that are newer than them are reported as new. */
  readonly initialCounts?: InboxCounts | undefined
  /** Called with notifications that arrived live, before the list contains them. */
  readonly onNew: (items: readonly Notif[]) => void
  /** Called when an action is refused that no caller waits for. */
  readonly onRefused: (error: unknown) => void
  /** Continues with choices of preferences that an earlier page left behind. */
  readonly restoreChoices: (choices: readonly StoredChoices[]) => Promise<unknown>
}

/** Creates the inbox of one user on a live connection, which may be open already. */
export function createInbox(
  connection: LiveConnection,
  { initialCounts, onNew, onRefused, pageSize = 50, restoreChoices }: Options
): LoadedInbox {
  const { environment, transport } = connection
  let isDestroyed = false
  /** Version of the list that was shown last, also while the list is loaded again and if it came from the cache. */
  let shownVersion: number | undefined

  const $inbox = atom<Inbox>(initialCounts ? { ...EMPTY_INBOX, counts: initialCounts.counts } : EMPTY_INBOX)
  const $updates = atom<readonly OptimisticUpdate[]>([])
  const $request = atom<LoadRequest>({ state: 'busy' })
  const $state = selectState({ $inbox, $request, $updates })
  // Without a listener each read would derive it again.
  hold($state)

  function setInbox(inbox: Inbox, request = $request.get()): void {
    if (isDestroyed) return
    const { version = -1 } = inbox
    shownVersion = inbox.version ?? shownVersion
    publish(() => {
      $inbox.set(inbox)
      $request.set(request)
      $updates.set(
        $updates.get().filter(({ untilVersion }) => untilVersion === undefined || untilVersion > version)
      )
    })
  }

  const sync = createSync({
    environment,
    get: $inbox.get,
    newSince: initialCounts?.version,
    onNew,
    pageSize,
    set: setInbox,
    setRequest: request => publish(() => $request.set(request)),
    transport
  })
  const offline = createOffline({
    $inbox,
    environment,
    onForgotten: () => destroy(),
    onRemoteChange: (newer, at) => actions.onRemoteChange(newer, at),
    restoreActions: stored => actions.restore(stored),
    restoreChoices: choices => void restoreChoices(choices).catch(onRefused),
    show(page) {
      const { items, next, version } = page
      shownVersion = version
      // The counters of the greeting are newer than the cached ones.
      const counts = initialCounts?.counts ?? page.counts
      const records = new Map(items.map(item => [item.id, item]))
      setInbox(
        { ...EMPTY_INBOX, completeSince: findOldestDate(page), counts, next, records },
        { state: 'ready' }
      )
    },
    transport
  })
  const findItem = (id: NotifId): Notif | undefined => $inbox.get().records.get(id)
  const actions = createActions({
    environment,
    findItem,
    getUpdates: $updates.get,
    onConfirmed: sync.confirm,
    onRefused,
    openCache: offline.openCache,
    refresh: sync.refresh,
    setUpdates: updates => publish(() => $updates.set(updates)),
    transport
  })

  const receiver: Receiver = { receive: sync.receive, version: () => $inbox.get().version }
  const $connected = atom(0)
  onStart($connected, () => {
    if (!isDestroyed) connection.start(receiver)
  })
  onStop($connected, () => connection.stop(receiver))
  const connect = (): (() => void) => hold($connected)

  const $synchronized = atom(0)
  let stops: readonly (() => void)[] = []
  onStart($synchronized, () => {
    if (isDestroyed) return
    const disconnect = connect()
    sync.start()
    offline.start()
    stops = [
      connection.$connection.listen(({ state }) => {
        if (state !== 'online') return
        actions.resume()
        void offline.restore()
      }),
      // Actions of closed pages are older than the next action here, so they are restored before it.
      environment.watch(signal => void (signal === 'show' && offline.restore())),
      sync.stop,
      disconnect
    ]
  })
  onStop($synchronized, () => {
    for (const stop of stops) stop()
    stops = []
  })

  const now = (): Instant => new Date(environment.now()).toISOString()

  /** Whether the user sees another state of the mark, or the notification is not loaded. */
  const wouldChange = (id: NotifId, mark: Mark, isSet: boolean): boolean => {
    const item = $inbox.get().records.get(id)
    return !item || Boolean(applyUpdates(item, $updates.get())[mark]) !== isSet
  }

  async function setMark(ids: readonly NotifId[], mark: Mark, isSet: boolean): Promise<Outcome> {
    // Callers without types may pass a single id.
    const trackingIds = [ids].flat().filter(id => wouldChange(id, mark, isSet))
    if (trackingIds.length > 0) return actions.perform({ [mark]: isSet ? now() : null, trackingIds })
  }

  async function setMarkOfAll(mark: 'archived' | 'opened'): Promise<Outcome> {
    // Without a version the server would also change notifications that this user has never seen.
    if (shownVersion === undefined) await sync.whenIdle()
    const through = shownVersion
    if (through !== undefined && $state.get().counts[mark === 'opened' ? 'unopened' : 'unarchived'] === 0)
      return
    // JSON leaves out an undefined `through`.
    return actions.perform({ [mark]: now(), through, trackingIds: 'ALL' } as InboxPatch)
  }

  function destroy({ forget = false } = {}): void {
    isDestroyed = true
    sync.end()
    actions.end()
    offline.end(forget)
    connection.stop(receiver)
    shownVersion = undefined
    publish(() => {
      $inbox.set(EMPTY_INBOX)
      $updates.set([])
    })
  }

  return {
    $state,
    connect,
    destroy,
    loadMore: sync.loadMore,
    markAsArchived: ids => (ids === 'ALL' ? setMarkOfAll('archived') : setMark(ids, 'archived', true)),
    async markAsClicked(id) {
      if (!wouldChange(id, 'clicked', true)) return
      const clicked = now()
      return actions.perform({
        clicked,
        trackingIds: [id],
        ...(wouldChange(id, 'opened', true) && { opened: clicked })
      })
    },
    markAsOpened: ids => (ids ? setMark(ids, 'opened', true) : setMarkOfAll('opened')),
    markAsUnarchived: ids => setMark(ids, 'archived', false),
    markAsUnopened: ids => setMark(ids, 'opened', false),
    reload: sync.reload,
    ...createAnswers({ findItem, now, onConfirmed: sync.confirm, transport }),
    synchronize: () => hold($synchronized)
  }
}
