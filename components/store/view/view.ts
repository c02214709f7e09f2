// A part of the inbox, such as a tab. Its pages are merged into the inbox, so that an action or a change shows in the list and
// in every view at once; what it shows is selected from the inbox.

import { atom, computed } from 'nanostores'

import { countItems, type Instant, type Notif } from '../../protocol/index.ts'
import { applyUpdates, countTouched } from '../inbox/optimistic.ts'
import type { Inbox } from '../inbox/reducer.ts'
import { compareBy, isSameList } from '../inbox/selectors.ts'
import { MAX_PAGE_SIZE, type LoadRequest } from '../inbox/sync.ts'
import type { ViewSources } from '../inbox/view-sources.ts'
import { hold, publish } from '../publish.ts'
import { createRetry } from '../retry.ts'
import type { ViewName } from '../transport.ts'
import type { Loading, View, ViewQuery } from '../types.ts'
import { createTypeCounts } from './type-counts.ts'

/** How far the pages of a view reach. */
interface Reach {
  /** Date of the oldest notification; '': everything is loaded; undefined: no page is. */
  readonly since?: Instant | ''
  readonly next?: string | undefined
}

const isInInbox = ({ archived, snoozedUntil }: Notif): boolean => !archived && !snoozedUntil

const IS_IN: Readonly<Record<ViewName, (item: Notif) => unknown>> = {
  archived: ({ archived }) => archived,
  inbox: isInInbox,
  snoozed: ({ snoozedUntil }) => snoozedUntil,
  unread: item => isInInbox(item) && !item.opened
}

/** The counts of types are read for all views of an inbox together. */
const countReaders = new WeakMap<ViewSources, ReturnType<typeof createTypeCounts>>()

/** Opens a view of the inbox that the sources are of. */
export function openView(query: ViewQuery, sources: ViewSources): View {
  const typeCounts = countReaders.get(sources) ?? createTypeCounts(sources)
  countReaders.set(sources, typeCounts)
  return createView(query, typeCounts, sources)
}

function createView(
  query: ViewQuery,
  typeCounts: ReturnType<typeof createTypeCounts>,
  { $inbox, $updates, environment, transport, ...options }: ViewSources
): View {
  const { initialItems = options.pageSize, tags, types, view } = query
  const isLimited = Boolean(types ?? tags)
  const isSnoozed = view === 'snoozed'
  /** Types of the view, if it is limited. Undefined: not known, because the server has not resolved the tags. */
  const $types = atom(tags ? undefined : types)
  const $reach = atom<Reach>({})
  const $request = atom<LoadRequest>({ state: 'busy' })
  /** Unread of the types by the server, at the version of the inbox. */
  const $unread = atom(0)
  let countedVersion = 0
  /** Number of notifications that the view should show. */
  let wanted = initialItems
  let loading: Promise<void> | undefined
  let isClosed = false
  const retry = createRetry(environment)

  const isOfType = ({ type }: Notif): boolean => !isLimited || ($types.get()?.includes(type) ?? false)

  /** Whether every notification of the view is known: the list has all, or the pages of the view have. */
  const isComplete = ({ next, version }: Inbox, { since }: Reach): boolean =>
    since === '' || (version !== undefined && next === undefined)

  const $items = compareBy(
    computed([$inbox, $updates, $reach, $types], (inbox, updates, reach) => {
      const [first, second = first] = [inbox.completeSince, reach.since]
      const since = isSnoozed || isComplete(inbox, reach) ? '' : first < second ? first : second
      const items = inbox.items
        .filter(item => item.date >= since && isOfType(item))
        .map(item => applyUpdates(item, updates))
        .filter(IS_IN[view])
      // The server sends the soonest first.
      if (isSnoozed) items.sort((one, other) => (one.snoozedUntil! < other.snoozedUntil! ? -1 : 1))
      return Object.freeze(items)
    }),
    isSameList
  )
  const $loading = computed(
    [$request, options.$request, $inbox, $reach],
    (request, list, inbox, reach): Loading => {
      if (request.state === 'ready') return Object.freeze({ more: !isComplete(inbox, reach), state: 'ready' })
      // The pages of a view begin after the list.
      return request.state === 'busy' && list.state === 'failed' && inbox.version === undefined
        ? list
        : request
    }
  )
  const $count = computed([$inbox, $updates, $unread, $items], (inbox, updates, unread, items) => {
    if (view === 'archived') return 0
    if (isSnoozed && isLimited) return items.length
    const { after, before } = countTouched(inbox, updates, isOfType)
    const counter = isSnoozed ? 'snoozed' : 'unopened'
    const confirmed = isLimited ? unread : inbox.counts[counter]
    return Math.max(0, confirmed + after[counter] - before[counter])
  })

  async function load(): Promise<void> {
    const { records } = $inbox.get()
    const { next } = $reach.get()
    try {
      const page = await transport.getPage(
        Math.min(MAX_PAGE_SIZE, next === undefined ? wanted : options.pageSize),
        next,
        // By tags: an address has no room for all types of a large tag.
        { tags, types, view }
      )
      // The list was replaced, and may have newer forms of the page: load it again.
      if ($inbox.get().records !== records) return
      options.addItems(page)
      const since = page.next === undefined ? '' : page.items.at(-1)!.date
      publish(() => {
        $reach.set({ next: page.next, since })
        $request.set({ state: 'ready' })
      })
      wanted = 0
      retry.reset()
    } catch (error) {
      $request.set({ error, state: 'failed' })
      retry.schedule(() => void loadMore())
    }
  }

  /** Loads a page if the view should show more than it can. */
  function advance(): Promise<void> {
    const isReady = $inbox.get().version !== undefined && !(isLimited && !$types.get())
    if (isClosed || loading || !isReady || $request.get().state === 'failed')
      return loading ?? Promise.resolve()
    const isNeeded =
      $items.get().length < wanted && !isComplete($inbox.get(), $reach.get()) && $types.get()?.length !== 0
    if (!isNeeded) {
      $request.set({ state: 'ready' })
      return Promise.resolve()
    }
    return (loading = load().finally(() => {
      loading = undefined
      if ($request.get().state === 'busy') void advance()
    }))
  }

  function loadMore(): Promise<void> {
    retry.cancel()
    if (isLimited && !$types.get()) typeCounts.read()
    wanted = Math.max(wanted, $items.get().length + options.pageSize)
    $request.set({ state: 'busy' })
    return advance()
  }

  const countUnread = ({ items }: Inbox): number => countItems(items.filter(isOfType)).unopened

  const stops = [
    hold($items),
    hold($count),
    hold($loading),
    options.synchronize(),
    $inbox.listen((inbox, before) => {
      const { records, version = 0 } = inbox
      if (records !== before!.records) {
        wanted = Math.max(initialItems, $items.get().length)
        $reach.set({})
      } else if (isLimited && version > Math.max(before!.version ?? 0, countedVersion)) {
        // Until the server has counted again.
        $unread.set($unread.get() + countUnread(inbox) - countUnread(before!))
      }
      void advance()
    }),
    isLimited
      ? typeCounts.follow(query, {
          onCounts({ byType, tags: typesOf, version }) {
            const all = [...new Set([...(types ?? []), ...(tags ?? []).flatMap(tag => typesOf[tag] ?? [])])]
            countedVersion = version
            publish(() => {
              // It failed because the types were not known.
              if (!$types.get()) $request.set({ state: 'busy' })
              if (tags) $types.set(all)
              $unread.set(all.reduce((sum, type) => sum + (byType[type] ?? 0), 0))
            })
            void advance()
          },
          // Without its types, the view can load nothing.
          onFailure(error) {
            if (!$types.get()) $request.set({ error, state: 'failed' })
          }
        })
      : () => {},
    retry.cancel
  ]
  void advance()

  return {
    $count,
    $items,
    $loading,
    $types,
    close() {
      isClosed = true
      for (const stop of stops.splice(0)) stop()
    },
    loadMore
  }
}
