// Puts an inbox together: what the server confirmed, what the user did meanwhile, and what is shown of both.

import { atom, onStart, onStop, type ReadableAtom } from 'nanostores'

import type { InboxPatch, Instant, Mark, Notif, NotifId } from '../../protocol/index.ts'
import type { InboxState } from '../inbox-state.ts'
import { hold, publish } from '../publish.ts'
import type { InboxCounts, LiveConnection, Receiver } from '../receiver.ts'
import type { StoredChoices } from '../transport.ts'
import type { InboxStore, Outcome, StoreConfig } from '../types.ts'
import { createActions } from './actions.ts'
import { createOffline } from './offline.ts'
import { applyUpdates, type OptimisticUpdate } from './optimistic.ts'
import { NOTHING, type Inbox } from './reducer.ts'
import { selectState } from './selectors.ts'
import { createSync, type LoadRequest } from './sync.ts'

/** What only the inbox itself can do: the rest of a store is derived from it, or belongs to the connection. */
export interface LoadedInbox extends Pick<
  InboxStore,
  | 'destroy'
  | 'loadMore'
  | 'markAsArchived'
  | 'markAsClicked'
  | 'markAsOpened'
  | 'markAsUnarchived'
  | 'markAsUnopened'
  | 'reload'
> {
  /** Always current, also without listeners; listening to it starts nothing. */
  readonly $state: ReadableAtom<InboxState>
  /** Keeps the connection open until the returned function is called. */
  connect(): () => void
  /** Keeps the connection open and the inbox in step with the server until the returned function is called. */
  synchronize(): () => void
}

interface Around extends Pick<StoreConfig, 'pageSize'> {
  /** Continues with choices of preferences that an earlier page left behind. */
  readonly choose: (left: readonly StoredChoices[]) => Promise<unknown>
  /** Counters that are known already; whatever is newer than them is new to the user. */
  readonly known?: InboxCounts | undefined
  /** Called when an action is refused that no caller waits for. */
  readonly lost: (error: unknown) => void
  /** Called with what arrived live, before the list holds it. */
  readonly news: (items: readonly Notif[]) => void
}

/** Creates the inbox of one user on a live connection, which may be open already. */
export function createInbox(
  connection: LiveConnection,
  { choose, known, lost, news, pageSize = 50 }: Around
): LoadedInbox {
  const { environment, transport } = connection
  let destroyed = false
  /** Version of the list that was shown last: also while it is loaded anew, and when it is that of an earlier page. */
  let seen: number | undefined

  const $inbox = atom<Inbox>(known ? { ...NOTHING, counts: known.counts } : NOTHING)
  const $pending = atom<readonly OptimisticUpdate[]>([])
  const $request = atom<LoadRequest>({ state: 'busy' })
  const $state = selectState({ $inbox, $pending, $request })
  // Without a listener each read would derive it anew.
  hold($state)

  const setPending = (pending: readonly OptimisticUpdate[]): void => publish(() => $pending.set(pending))

  function set(inbox: Inbox, request = $request.get()): void {
    if (destroyed) return
    const { version = -1 } = inbox
    seen = inbox.version ?? seen
    publish(() => {
      $inbox.set(inbox)
      $request.set(request)
      $pending.set($pending.get().filter(({ until }) => until === undefined || until > version))
    })
  }

  const sync = createSync({
    environment,
    get: $inbox.get,
    news,
    pageSize,
    since: known?.version,
    set,
    tell: request => publish(() => $request.set(request)),
    transport
  })
  const offline = createOffline({
    $inbox,
    adopt: left => actions.adopt(left),
    choose: left => void choose(left).catch(lost),
    draw({ counts, items, next, version }) {
      seen = version
      const edge = (next !== undefined && items.at(-1)?.date) || ''
      const records = new Map(items.map(item => [item.id, item]))
      // The counters of the greeting are newer.
      set({ ...NOTHING, counts: known?.counts ?? counts, edge, next, records }, { state: 'ready' })
    },
    environment,
    forgotten: () => destroy(),
    overtaken: (newer, at) => actions.onRemoteChange(newer, at),
    transport
  })
  const actions = createActions({
    confirm: sync.confirm,
    environment,
    openCache: offline.kept,
    onRefused: lost,
    refresh: sync.refresh,
    find: id => $inbox.get().records.get(id),
    pending: $pending.get,
    setPending,
    transport
  })
  const { act } = actions

  const receiver: Receiver = { receive: sync.receive, version: () => $inbox.get().version }
  const $connected = atom(0)
  onStart($connected, () => {
    if (!destroyed) connection.start(receiver)
  })
  onStop($connected, () => connection.stop(receiver))
  const connect = (): (() => void) => hold($connected)

  const $synchronized = atom(0)
  let stops: readonly (() => void)[] = []
  onStart($synchronized, () => {
    if (destroyed) return
    const disconnect = connect()
    sync.start()
    offline.start()
    stops = [
      connection.$connection.listen(({ state }) => {
        if (state !== 'online') return
        actions.resume()
        void offline.adopt()
      }),
      // What another page has left is older than what is done here next.
      environment.watch(signal => void (signal === 'show' && offline.adopt())),
      sync.stop,
      disconnect
    ]
  })
  onStop($synchronized, () => {
    for (const stop of stops) stop()
    stops = []
  })

  const now = (): Instant => new Date(environment.now()).toISOString()

  /** As the person sees it; an unknown one has whatever mark one wants to change. */
  const lacks = (id: NotifId, mark: Mark, on: boolean): boolean => {
    const item = $inbox.get().records.get(id)
    return !item || Boolean(applyUpdates(item, $pending.get())[mark]) !== on
  }

  /** Sets or clears a mark; what is already so is left out. */
  async function mark(ids: readonly NotifId[], mark: Mark, on: boolean): Promise<Outcome> {
    // Callers without types may pass a single id.
    const trackingIds = [ids].flat().filter(id => lacks(id, mark, on))
    if (trackingIds.length > 0) return act({ [mark]: on ? now() : null, trackingIds })
  }

  async function markAll(mark: 'archived' | 'opened'): Promise<Outcome> {
    // Without a version the server would also take what this person has never seen.
    if (seen === undefined) await sync.settled()
    const through = seen
    if (through !== undefined && $state.get().counts[mark === 'opened' ? 'unopened' : 'unarchived'] === 0)
      return
    // One that is undefined is not sent.
    return act({ [mark]: now(), through, trackingIds: 'ALL' } as InboxPatch)
  }

  function destroy({ forget = false } = {}): void {
    destroyed = true
    sync.end()
    actions.end()
    offline.end(forget)
    connection.stop(receiver)
    seen = undefined
    publish(() => {
      $inbox.set(NOTHING)
      $pending.set([])
    })
  }

  return {
    $state,
    connect,
    destroy,
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
    reload: sync.reload,
    synchronize: () => hold($synchronized)
  }
}
