// Keeps the confirmed inbox in step with the server: loads pages, applies changes in order and requests missing ones.
//
// One request runs at a time. Events that arrive during a request are considered when it ends, so none is lost in between.

import type { InboxChange, InboxPage, Notif } from '../../protocol/index.ts'
import type { BaseEnvironment } from '../environment.ts'
import { findNew } from '../inbox-state.ts'
import { createRetry, isTemporary } from '../retry.ts'
import { TransportError, type LiveEvent, type Transport } from '../transport.ts'
import { addItems, addPage, applyChange, countSince, replaceWithPage, type Inbox } from './reducer.ts'

/** State of the request that the user waits for. Requests for changes are not shown. */
export type LoadRequest =
  | { readonly state: 'busy' }
  | { readonly state: 'ready' }
  | { readonly state: 'failed'; readonly error: unknown }

/** The server returns at most this many notifications. */
export const MAX_PAGE_SIZE = 1000

interface Options {
  readonly transport: Pick<Transport, 'getChanges' | 'getPage'>
  readonly environment: Pick<BaseEnvironment, 'after'>
  readonly pageSize: number
  /** Version up to which new notifications were reported before the inbox was loaded. */
  readonly newSince: number | undefined
  readonly get: () => Inbox
  /** @param request - new state of the request, if this inbox is its result */
  readonly set: (inbox: Inbox, request?: LoadRequest) => void
  readonly setRequest: (request: LoadRequest) => void
  /** Must call its listeners after it returned. */
  readonly onNew: (items: readonly Notif[]) => void
}

interface Sync {
  /** Requests what changed since the last stop. */
  start(): void
  stop(): void
  /** Stops for good and ignores the running request. */
  end(): void
  receive(event: LiveEvent): void
  /** Applies a change that the server returned, or requests the changes before it. */
  confirm(change: InboxChange): void
  /** Adds notifications of a part of the inbox. */
  addItems(page: InboxPage): void
  loadMore(minItems?: number): Promise<void>
  reload(): Promise<void>
  /** Resolves when no request runs. */
  whenIdle(): Promise<void>
}

/** Whether a read can succeed later: after any failure except a refusal. */
const canRetryRead = (error: unknown): boolean =>
  !(error instanceof TransportError) || error.status >= 500 || isTemporary(error)

export function createSync({
  environment,
  get,
  onNew,
  set,
  setRequest,
  transport,
  ...options
}: Options): Sync {
  const pageSize = Math.min(MAX_PAGE_SIZE, Math.max(1, options.pageSize))
  let { newSince } = options
  let running: Promise<void> | undefined
  let isStarted = false
  let isEnded = false
  /** The newest version in any event or answer. */
  let newestVersion = 0
  /** Changes may be missing, because no events were received for a while. */
  let isStale = false
  let wanted: 'first' | 'more' | undefined
  /** Items of the next older page. */
  let minItems = pageSize
  let failed: 'first' | 'more' | undefined
  const retry = createRetry(environment)

  const isBehind = (): boolean => isStale || newestVersion > (get().version ?? -1)
  const isIdle = (): boolean => isEnded || (!wanted && get().version !== undefined && !isBehind())
  const forgetVersion = (): void => set({ ...get(), version: undefined })

  function finish(request: 'first' | 'more'): LoadRequest {
    if (wanted === request) wanted = undefined
    failed = undefined
    return { state: wanted ? 'busy' : 'ready' }
  }

  async function loadFirst(): Promise<void> {
    const { completeSince, items } = get()
    const loadedCount = countSince(items, completeSince)
    const page = await transport.getPage(Math.min(MAX_PAGE_SIZE, Math.max(pageSize, loadedCount)))
    isStale = false
    set(replaceWithPage(get(), page), finish('first'))
    if (newSince === undefined) return
    // A page is newest first, new notifications are reported oldest first.
    reportNew(newSince, { items: page.items.toReversed() })
    newSince = undefined
  }

  async function catchUp(since: number): Promise<void> {
    const newestAtRequest = newestVersion
    const answer = await transport.getChanges(since)
    if ('reset' in answer || !applyInOrder(answer)) forgetVersion()
    // The server may not know the version of an event, for example after a restore: do not request it forever.
    if (newestVersion === newestAtRequest) newestVersion = answer.version
    isStale = false
  }

  async function loadOlder(): Promise<void> {
    const { next } = get()
    if (next === undefined) return set(get(), finish('more'))
    const page = await transport.getPage(Math.min(MAX_PAGE_SIZE, minItems), next)
    set(addPage(get(), page), finish('more'))
    observeVersion(page.version)
  }

  async function loadUntilIdle(): Promise<void> {
    await Promise.resolve()
    try {
      while (!isIdle()) {
        const { version } = get()
        if (version === undefined || wanted === 'first') await loadFirst()
        else if (isBehind()) await catchUp(version)
        else await loadOlder()
      }
      retry.reset()
    } catch (error) {
      // A list that is shown stays while its newest changes are requested again.
      const isEmpty = get().version === undefined && get().records.size === 0
      if (wanted || isEmpty) {
        failed = wanted ?? 'first'
        setRequest({ error, state: 'failed' })
      }
      wanted = undefined
      if (isStarted && canRetryRead(error)) retry.schedule(() => void load())
    } finally {
      running = undefined
    }
  }

  function load(): Promise<void> {
    retry.cancel()
    if (!running && !isIdle()) running = loadUntilIdle()
    return running ?? Promise.resolve()
  }

  /** Returns false if changes before this one are missing. */
  function applyInOrder(change: InboxChange): boolean {
    const inbox = get()
    const next = applyChange(inbox, change)
    if (!next) return false
    // Listeners are called after `set` and before the next render, so that a list that they move renders once.
    if (next !== inbox && !isStale) reportNew(inbox.version!, change)
    set(next)
    return true
  }

  function reportNew(since: number, among: Pick<InboxChange, 'items'>): void {
    const items = findNew(since, among)
    if (items.length > 0) onNew(items)
  }

  function observeVersion(version: number): void {
    newestVersion = Math.max(newestVersion, version)
    if (isStarted) void load()
  }

  function confirm(change: InboxChange): void {
    if (!applyInOrder(change)) observeVersion(change.version)
  }

  function request(what: 'first' | 'more'): Promise<void> {
    wanted = what
    setRequest({ state: 'busy' })
    return load()
  }

  function stop(): void {
    isStarted = false
    retry.cancel()
  }

  return {
    addItems(page) {
      set(addItems(get(), page.items))
      observeVersion(page.version)
    },
    confirm,
    end() {
      isEnded = true
      stop()
    },
    loadMore(given) {
      // False for an event, which a page passes when this function is its listener.
      minItems = given! > pageSize ? given! : pageSize
      if (wanted) return load()
      return get().next === undefined ? load() : request('more')
    },
    receive(event) {
      if (event.type === 'change') confirm(event.change)
      else if (event.type === 'head') observeVersion(event.version)
      else if (event.type === 'reset') {
        forgetVersion()
        observeVersion(event.version)
      } else if (event.type === 'online' && isStarted) void load()
    },
    reload: () => request(failed === 'more' && get().version !== undefined ? 'more' : 'first'),
    whenIdle: () => running ?? Promise.resolve(),
    start() {
      isStarted = true
      isStale = get().version !== undefined
      void load()
    },
    stop
  }
}
