// Keeps the confirmed inbox in step with the server: pages, changes in their order, and a request for what is missing.
//
// One request runs at a time. What arrives during a request is checked after it, so nothing gets lost between two answers.

import type { InboxChange, Notif } from '../../protocol/index.ts'
import type { Surroundings } from '../environment.ts'
import { findNew } from '../is-new.ts'
import { createRetry, isTemporary } from '../retry.ts'
import { TransportError, type LiveEvent, type Transport } from '../transport.ts'
import { addPage, applyChange, startOver, type Inbox } from './reducer.ts'

/** What the user waits for. Requests for changes are not shown. */
export type LoadRequest =
  | { readonly state: 'busy' }
  | { readonly state: 'ready' }
  | { readonly state: 'failed'; readonly error: unknown }

/** Most items that a server gives at once. */
const MOST = 1000

interface Options {
  readonly transport: Pick<Transport, 'changes' | 'page'>
  readonly environment: Pick<Surroundings, 'after'>
  readonly pageSize: number
  /** Version up to which new notifications were reported before the inbox was loaded. */
  readonly since: number | undefined
  readonly get: () => Inbox
  /** Also tells how the request that brought the inbox ended, if one did. */
  readonly set: (inbox: Inbox, request?: LoadRequest) => void
  readonly tell: (request: LoadRequest) => void
  /** Must call its listeners after it returned. */
  readonly news: (items: readonly Notif[]) => void
}

interface Sync {
  /** Looks for what happened since the last stop. */
  start(): void
  stop(): void
  /** Stops for good, also what is under way. */
  end(): void
  receive(event: LiveEvent): void
  /** Takes a change that the server gave as an answer. */
  confirm(change: InboxChange): void
  more(least?: number): Promise<void>
  reload(): Promise<void>
  /** Asks for what is not known yet, and says whether the server has answered. */
  refresh(): Promise<boolean>
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
}

/** Reads are repeated after any failure of the server; only what it refuses stays refused. */
const canRetryRead = (error: unknown): boolean =>
  !(error instanceof TransportError) || error.status >= 500 || isTemporary(error)

export function createSync({ environment, get, news, set, tell, transport, ...options }: Options): Sync {
  const pageSize = Math.min(MOST, Math.max(1, options.pageSize))
  let { since } = options
  let running: Promise<void> | undefined
  let mounted = false
  let ended = false
  /** The newest version that anybody spoke of. */
  let heard = 0
  /** We were away: our version says nothing about now. */
  let stale = false
  let wanted: 'first' | 'more' | undefined
  /** Items to ask for when there are to be more. */
  let least = pageSize
  let failed: 'first' | 'more' | undefined
  const retry = createRetry(environment)

  const behind = (): boolean => stale || heard > (get().version ?? -1)
  const idle = (): boolean => ended || (!wanted && get().version !== undefined && !behind())
  const forget = (): void => set({ ...get(), version: undefined })

  /** What the person sees now that this is done. */
  function done(what: 'first' | 'more'): LoadRequest {
    if (wanted === what) wanted = undefined
    failed = undefined
    return { state: wanted ? 'busy' : 'ready' }
  }

  async function loadFirst(): Promise<void> {
    const { edge, records } = get()
    const loaded = [...records.values()].filter(({ date }) => date >= edge).length
    const page = await transport.page(Math.min(MOST, Math.max(pageSize, loaded)))
    stale = false
    set(startOver(get(), page), done('first'))
    if (since === undefined) return
    // Newest first in a page, oldest first as news.
    tellNews(since, { items: page.items.toReversed() })
    since = undefined
  }

  async function catchUp(since: number): Promise<void> {
    const asked = heard
    const answer = await transport.changes(since)
    if ('reset' in answer || !take(answer)) forget()
    // A version that the server does not know (any more) must not be asked for again and again.
    if (heard === asked) heard = answer.version
    stale = false
  }

  async function loadMore(): Promise<void> {
    const { next } = get()
    if (next === undefined) return set(get(), done('more'))
    const page = await transport.page(Math.min(MOST, least), next)
    set(addPage(get(), page), done('more'))
    hear(page.version)
  }

  async function run(): Promise<void> {
    await Promise.resolve()
    try {
      while (!idle()) {
        const { version } = get()
        if (version === undefined || wanted === 'first') await loadFirst()
        else if (behind()) await catchUp(version)
        else await loadMore()
      }
      retry.reset()
    } catch (error) {
      // A list that is shown stays while its newest changes are requested again.
      const nothing = get().version === undefined && get().records.size === 0
      if (wanted || nothing) {
        failed = wanted ?? 'first'
        tell({ error, state: 'failed' })
      }
      wanted = undefined
      if (mounted && canRetryRead(error)) retry.schedule(() => void go())
    } finally {
      running = undefined
    }
  }

  function go(): Promise<void> {
    retry.cancel()
    if (!running && !idle()) running = run()
    return running ?? Promise.resolve()
  }

  function take(change: InboxChange): boolean {
    const inbox = get()
    const next = applyChange(inbox, change)
    if (!next) return false
    // Heard once the inbox is set, and before anybody draws it: so a list that it moves is drawn once.
    if (next !== inbox && !stale) tellNews(inbox.version!, change)
    set(next)
    return true
  }

  function tellNews(after: number, among: Pick<InboxChange, 'items'>): void {
    const items = findNew(after, among)
    if (items.length > 0) news(items)
  }

  function hear(version: number): void {
    heard = Math.max(heard, version)
    if (mounted) void go()
  }

  function confirm(change: InboxChange): void {
    if (!take(change)) hear(change.version)
  }

  function want(what: 'first' | 'more'): Promise<void> {
    wanted = what
    tell({ state: 'busy' })
    return go()
  }

  function stop(): void {
    mounted = false
    retry.cancel()
  }

  return {
    confirm,
    end() {
      ended = true
      stop()
    },
    more: given => {
      // Also where a listener hands on its event.
      least = given! > pageSize ? given! : pageSize
      if (wanted) return go()
      return get().next === undefined ? go() : want('more')
    },
    receive(event) {
      if (event.type === 'change') confirm(event.change)
      else if (event.type === 'head') hear(event.version)
      else if (event.type === 'reset') {
        forget()
        hear(event.version)
      } else if (event.type === 'online' && mounted) void go()
    },
    reload: () => want(failed === 'more' && get().version !== undefined ? 'more' : 'first'),
    async refresh() {
      stale ||= get().version !== undefined
      await go()
      return get().version !== undefined && !stale
    },
    settled: () => running ?? Promise.resolve(),
    start() {
      mounted = true
      stale = get().version !== undefined
      void go()
    },
    stop
  }
}
