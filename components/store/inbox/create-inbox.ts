// Puts an inbox together: what the server confirmed, what the person did meanwhile, and views of both.

import type { InboxPatch, Instant, Mark, Notif, NotifId } from '../../protocol/index.ts'
import { cell } from '../cell.ts'
import type { Head } from '../receiver.ts'
import type { Line, Receiver } from '../receiver.ts'
import type { KeptChoices } from '../transport.ts'
import type { InboxStore, Outcome, StoreConfig } from '../types.ts'
import { createActions } from './actions.ts'
import { createOffline } from './offline.ts'
import { patched, type Pending } from './optimistic.ts'
import { NOTHING, type Inbox } from './reducer.ts'
import { viewsOf, type Known } from './selectors.ts'
import { shared } from './shared.ts'
import { createSync } from './sync.ts'

/** What only the inbox itself can do: the rest is made of it, or of its line. */
export type LoadedInbox = Omit<
  InboxStore,
  'getClient' | 'onNewNotifications' | 'onRefused' | 'setWebPushOptIn'
>

interface Around extends Pick<StoreConfig, 'pageSize'> {
  /** Goes on with choices of preferences that an earlier page left behind. */
  readonly choose: (left: readonly KeptChoices[]) => Promise<unknown>
  /** What is known; whatever came after it is news. */
  readonly head?: Head | undefined
  /** Called when an action is refused that nobody waits for. */
  readonly lost: (error: unknown) => void
  /** Tells what arrived live, a moment later. */
  readonly news: (items: readonly Notif[]) => void
}

/** One person's inbox on a line, which may be open already. */
export function createInbox(line: Line, { choose, head, lost, news, pageSize = 50 }: Around): LoadedInbox {
  const { environment, transport } = line
  let destroyed = false
  /** Version of the list that was shown last: also while it is loaded anew, and when it is that of an earlier page. */
  let seen: number | undefined

  const known: { -readonly [Name in keyof Known]: Known[Name] } = {
    inbox: head ? { ...NOTHING, counts: head.counts } : NOTHING,
    pending: [],
    request: { state: 'busy' }
  }
  const { counts, loading, notifications } = viewsOf(known)

  const $inbox = cell(() => known.inbox)
  function tell(): void {
    for (const view of [$inbox, ...Object.values(views)]) view.notify()
  }

  function setPending(next: readonly Pending[]): void {
    known.pending = next
    tell()
  }

  function set(inbox: Inbox, request = known.request): void {
    if (destroyed) return
    Object.assign(known, { inbox, request })
    const { version = -1 } = inbox
    seen = inbox.version ?? seen
    setPending(known.pending.filter(({ until }) => until === undefined || until > version))
  }

  const sync = createSync({
    environment,
    get: () => known.inbox,
    news,
    pageSize,
    since: head?.version,
    set,
    tell(request) {
      known.request = request
      tell()
    },
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
      // The greeting's counters are newer.
      set({ ...NOTHING, counts: head?.counts ?? counts, edge, next, records }, { state: 'ready' })
    },
    environment,
    forgotten: () => destroy(),
    overtaken: (newer, at) => actions.overtaken(newer, at),
    transport
  })
  const actions = createActions({
    confirm: sync.confirm,
    environment,
    kept: offline.kept,
    lost,
    refresh: sync.refresh,
    find: id => known.inbox.records.get(id),
    pending: () => known.pending,
    setPending,
    transport
  })
  const { act } = actions

  const receiver: Receiver = { receive: sync.receive, version: () => known.inbox.version }
  const attend = shared(() => {
    if (!destroyed) line.start(receiver)
    return () => line.stop(receiver)
  })
  const work = shared(() => {
    if (destroyed) return () => {}
    const leave = attend()
    sync.start()
    offline.start()
    const ends = [
      line.$connection.listen(({ state }) => {
        if (state !== 'online') return
        actions.resume()
        void offline.adopt()
      }),
      // What another page has left is older than what is done here next.
      environment.watch(signal => void (signal === 'show' && offline.adopt())),
      sync.stop,
      leave
    ]
    return () => ends.forEach(end => end())
  })

  // To listen to any public store opens the line, and to what comes from the inbox starts the work; inside we read
  // without starting it.
  const views = {
    $counts: cell(counts, work),
    $loading: cell(loading, work),
    $notifications: cell(notifications, work),
    $unarchived: cell(() => counts().unarchived, work),
    $unopened: cell(() => counts().unopened, work)
  }
  const $connection = cell(
    () => line.$connection.get(),
    notify => {
      const ends = [attend(), line.$connection.listen(notify)]
      return () => ends.forEach(end => end())
    }
  )

  const now = (): Instant => new Date(environment.now()).toISOString()

  /** As the person sees it; an unknown one has whatever mark one wants to change. */
  const lacks = (id: NotifId, mark: Mark, on: boolean): boolean => {
    const item = known.inbox.records.get(id)
    return !item || Boolean(patched(item, known.pending)[mark]) !== on
  }

  /** Sets or clears a mark; what is already so is left out. */
  async function mark(ids: readonly NotifId[], mark: Mark, on: boolean): Promise<Outcome> {
    // Who has no types gives one id alone.
    const trackingIds = [ids].flat().filter(id => lacks(id, mark, on))
    if (trackingIds.length > 0) return act({ [mark]: on ? now() : null, trackingIds })
  }

  async function markAll(mark: 'archived' | 'opened'): Promise<Outcome> {
    // Without a version the server would also take what this person has never seen.
    if (seen === undefined) await sync.settled()
    const through = seen
    if (through !== undefined && counts()[mark === 'opened' ? 'unopened' : 'unarchived'] === 0) return
    // One that is undefined is not sent.
    return act({ [mark]: now(), through, trackingIds: 'ALL' } as InboxPatch)
  }

  function destroy({ forget = false } = {}): void {
    destroyed = true
    sync.end()
    actions.end()
    offline.end(forget)
    line.stop(receiver)
    known.inbox = NOTHING
    seen = undefined
    setPending([])
  }

  return {
    ...views,
    $connection,
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
    reload: sync.reload
  }
}
