// A store that begins with the counters and becomes the whole inbox when somebody wants more than them.

import { atom, onMount, type ReadableAtom } from 'nanostores'

import type { Notif } from '../protocol/index.ts'
import { TransportError } from '../transport/transport.ts'
import { createHead } from './head.ts'
import { openLine, type Line } from './line.ts'
import type { Loading, NotifStore, StoreConfig } from './store.ts'

type View = Pick<NotifStore, '$connection' | '$counts' | '$loading' | '$notifications'>

type Verb =
  | 'loadMore'
  | 'markAsArchived'
  | 'markAsClicked'
  | 'markAsOpened'
  | 'markAsUnarchived'
  | 'markAsUnopened'
  | 'reload'

/** Wait before the code is asked for again, in milliseconds. */
const AGAIN = 5000

/** Surroundings and transport are given: what makes them is fetched beside this. */
export type LateConfig = Pick<StoreConfig, 'hiddenTimeout' | 'pageSize'> &
  Pick<Line, 'environment' | 'transport'>

/** As `createNotifStore`; the code of the inbox is fetched by the first who listens to notifications or acts on them. */
export function createLateStore(config: LateConfig): NotifStore {
  const listeners = new Set<(notifications: readonly Notif[]) => void>()
  const tell = (items: readonly Notif[]): void => {
    // As a DOM event would: a listener's error is nobody else's.
    for (const listener of listeners) queueMicrotask(() => listener(items))
  }
  const line = openLine(config)
  const head = createHead({ line, lost: () => beg(), news: tell })
  const $loading = atom<Loading>({ state: 'busy' })
  const begin: View = {
    $connection: line.$connection,
    $counts: head.$counts,
    $loading,
    $notifications: atom<readonly Notif[]>([])
  }
  const $view = atom<View>(begin)
  let full: NotifStore | undefined
  let loading: Promise<NotifStore> | undefined
  let destroyed = false
  let present = 0

  async function load(): Promise<NotifStore> {
    try {
      const { createInbox } = await import('./create-store.ts')
      full = createInbox(line, config, head.get())
      full.onNewNotifications(tell)
      if (destroyed) full.destroy()
      else $view.set(full)
      return full
    } catch (cause) {
      loading = undefined
      const error = new TransportError(0, 'The code of the inbox could not be loaded.', { cause })
      $loading.set({ error, state: 'failed' })
      line.environment.after(AGAIN, () => {
        if (present > 0 && !destroyed) beg()
      })
      throw error
    }
  }
  const want = (): Promise<NotifStore> => (loading ??= load())
  const beg = (): void => void want().catch(() => {})

  /** Follows an atom of whatever there is by then. */
  function relay<T, U>(
    pick: (view: View) => ReadableAtom<T>,
    map: (value: T) => U,
    more = false
  ): ReadableAtom<U> {
    const $own = atom(map(pick(begin).value as T))
    onMount($own, () => {
      if (present++ === 0 && !full && !destroyed) head.start()
      let end = (): void => {}
      const stop = $view.subscribe(view => {
        end()
        end = pick(view).subscribe(value => $own.set(map(value)))
      })
      if (more) beg()
      return () => {
        stop()
        end()
        if (--present === 0) head.stop()
      }
    })
    return $own
  }

  /** Acts at once when the inbox is there. */
  const verb =
    <V extends Verb>(name: V): NotifStore[V] =>
    (...args: never[]) => {
      const act = (store: NotifStore): Promise<void> =>
        (store[name] as (...args: never[]) => Promise<void>)(...args)
      return full ? act(full) : want().then(act)
    }

  const $counts = ({ $counts }: View): View['$counts'] => $counts
  const same = <T>(value: T): T => value
  return {
    $connection: relay(view => view.$connection, same),
    $counts: relay($counts, same),
    $loading: relay(view => view.$loading, same, true),
    $notifications: relay(view => view.$notifications, same, true),
    $unarchived: relay($counts, ({ unarchived }) => unarchived),
    $unopened: relay($counts, ({ unopened }) => unopened),
    destroy() {
      destroyed = true
      listeners.clear()
      head.stop()
      full?.destroy()
    },
    getClient: () => ({ identify: identity => line.transport.identify(identity) }),
    onNewNotifications(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    loadMore: verb('loadMore'),
    markAsArchived: verb('markAsArchived'),
    markAsClicked: verb('markAsClicked'),
    markAsOpened: verb('markAsOpened'),
    markAsUnarchived: verb('markAsUnarchived'),
    markAsUnopened: verb('markAsUnopened'),
    reload: verb('reload'),
    setWebPushOptIn: on => line.transport.optIn(on)
  }
}
