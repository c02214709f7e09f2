// Creates an inbox: the confirmed notifications, the optimistic updates, and what is shown of both.

import { atom, onStart, onStop, type ReadableAtom, type WritableAtom } from 'nanostores'

import type { Notif, NotifId } from '../../protocol/index.ts'
import type { InboxState } from '../inbox-state.ts'
import { hold, publish } from '../publish.ts'
import type { InboxCounts, LiveConnection, Receiver } from '../receiver.ts'
import type { StoredChoices } from '../transport.ts'
import type { InboxStore, StoreConfig, Undoable } from '../types.ts'
import { createActions } from './actions.ts'
import { createAnswers } from './answers.ts'
import { createCommands, type Commands, type QuietPreferences } from './commands.ts'
import { createOffline } from './offline.ts'
import { applyUpdates, type OptimisticUpdate } from './optimistic.ts'
import { createEmptyInbox, findOldestDate, toContent, type Inbox } from './reducer.ts'
import { selectState } from './selectors.ts'
import { createSync, type LoadRequest } from './sync.ts'
import { createUndo } from './undo.ts'
import type { ViewSources } from './view-sources.ts'

/** The part of a store that needs the list. Everything else is derived from it, or belongs to the connection. */
export interface LoadedInbox
  extends Commands, Pick<InboxStore, 'act' | 'destroy' | 'loadMore' | 'reload' | 'reply'> {
  /** What views of the inbox need. */
  readonly viewSources: ViewSources
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
  /** The last action that can be undone. */
  readonly $undoable: WritableAtom<Undoable | undefined>
  readonly makeQuiet: QuietPreferences['makeQuiet']
  readonly updateSettings: QuietPreferences['updateSettings']
  /** Continues with choices of preferences that an earlier page left behind. */
  readonly restoreChoices: (choices: readonly StoredChoices[]) => Promise<unknown>
}

/** Creates the inbox of one user on a live connection, which may be open already. */
export function createInbox(
  connection: LiveConnection,
  {
    $undoable,
    initialCounts,
    makeQuiet,
    onNew,
    onRefused,
    pageSize = 50,
    restoreChoices,
    updateSettings
  }: Options
): LoadedInbox {
  const { environment, transport } = connection
  let isDestroyed = false
  /** Version of the list that was shown last, also while the list is loaded again and if it came from the cache. */
  let shownVersion: number | undefined

  const $inbox = atom<Inbox>({
    ...createEmptyInbox(),
    ...(initialCounts && { counts: initialCounts.counts })
  })
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
    restoreActions: stored => actions.restore(stored),
    restoreChoices: choices => void restoreChoices(choices).catch(onRefused),
    show(page) {
      const { items, next, version } = page
      shownVersion = version
      // The counters of the greeting are newer than the cached ones.
      const counts = initialCounts?.counts ?? page.counts
      setInbox(
        { ...createEmptyInbox(), ...toContent(items), completeSince: findOldestDate(page), counts, next },
        { state: 'ready' }
      )
    },
    transport
  })
  const actions = createActions({
    environment,
    getItems: () => $inbox.get().items,
    getShownVersion: () => shownVersion ?? 0,
    getUpdates: $updates.get,
    onConfirmed: sync.confirm,
    onRefused,
    openCache: offline.openCache,
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

  const synchronize = (): (() => void) => hold($synchronized)
  async function findItem(id: NotifId): Promise<Notif | undefined> {
    const find = (): Notif | undefined => $inbox.get().records.get(id)
    const found = find()
    if (found || isDestroyed) return found
    const stop = synchronize()
    await sync.whenIdle()
    stop()
    return find()
  }
  const undo = createUndo($undoable)
  const commands = createCommands({
    actions,
    countAll(mark) {
      const { counts } = $state.get()
      return mark === 'opened' ? counts.unopened : counts.unarchived
    },
    findShown(id) {
      const item = $inbox.get().records.get(id)
      return item && applyUpdates(item, $updates.get())
    },
    getThrough: () => shownVersion ?? sync.whenIdle().then(() => shownVersion),
    makeQuiet,
    updateSettings,
    now: environment.now,
    undo
  })

  function destroy({ forget = false } = {}): void {
    isDestroyed = true
    sync.end()
    actions.end()
    offline.end(forget)
    connection.stop(receiver)
    undo.clear()
    shownVersion = undefined
    publish(() => {
      $inbox.set(createEmptyInbox())
      $updates.set([])
    })
  }

  return {
    ...commands,
    $state,
    connect,
    destroy,
    loadMore: sync.loadMore,
    reload: sync.reload,
    ...createAnswers({
      findItem,
      now: () => new Date(environment.now()).toISOString(),
      onConfirmed: sync.confirm,
      transport
    }),
    synchronize,
    viewSources: {
      $inbox,
      $request,
      $updates,
      addItems: sync.addItems,
      environment,
      pageSize,
      synchronize,
      transport
    }
  }
}
