// A store that begins with the counters and becomes the whole inbox when somebody wants more than them.

import { atom, onMount, type ReadableAtom } from 'nanostores'

import type { Notif } from '../protocol/index.ts'
import { fetched, late } from '../transport/late.ts'
import { createHead } from './head.ts'
import { latePreferences } from './late-preferences.ts'
import { openLine, type Line } from './line.ts'
import type { InboxStore, Loading, NotifStore, StoreConfig } from './store.ts'

type View = Pick<NotifStore, '$connection' | '$counts' | '$loading' | '$notifications'>

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
  let full: InboxStore | undefined
  let destroyed = false
  let present = 0

  const want = fetched('inbox', async () => {
    full = (await import('./create-store.ts')).createInbox(line, config, head.get())
    full.onNewNotifications(tell)
    if (destroyed) full.destroy()
    else $view.set(full)
    return full
  })
  const beg = (): void =>
    void Promise.resolve(want()).catch((error: unknown) => {
      $loading.set({ error, state: 'failed' })
      line.environment.after(AGAIN, () => {
        if (present > 0 && !destroyed) beg()
      })
    })

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

  const $counts = ({ $counts }: View): View['$counts'] => $counts
  const same = <T>(value: T): T => value
  return {
    ...latePreferences(line),
    ...late(want, [
      'loadMore',
      'markAsArchived',
      'markAsClicked',
      'markAsOpened',
      'markAsUnarchived',
      'markAsUnopened',
      'reload'
    ]),
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
    getClient: () => line.transport,
    onNewNotifications(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    setWebPushOptIn: on => line.transport.optIn(on)
  }
}
