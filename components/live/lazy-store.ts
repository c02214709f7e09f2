// A store that begins with the counters and becomes the whole inbox when somebody wants more than them.

import type { ReadableAtom } from 'nanostores'

import type { Notif } from '../protocol/index.ts'
import { cell } from '../store/cell.ts'
import type { LoadedInbox } from '../store/inbox/create-inbox.ts'
import { fetched, late } from '../store/lazy.ts'
import { createListeners } from '../store/listeners.ts'
import type { Line } from '../store/receiver.ts'
import type { Loading, NotifStore } from '../store/types.ts'
import { openLine } from './connection.ts'
import { createHead } from './counts.ts'
import { latePreferences } from './lazy-preferences.ts'

type View = Pick<NotifStore, '$connection' | '$counts' | '$loading' | '$notifications'>

/** Wait before the code is asked for again, in milliseconds. */
const AGAIN = 5000

/**
 * As `createNotifStore`; the code of the inbox is fetched by the first who listens to notifications or acts on them.
 *
 * @param given - surroundings and transport: what makes them is fetched beside this
 */
export function createLateStore(given: Pick<Line, 'environment' | 'transport'>): NotifStore {
  const news = createListeners<readonly Notif[]>()
  const refusals = createListeners<unknown>()
  const line = openLine(given)
  const head = createHead({ line, lost: () => beg(), news: news.tell })
  let loading: Loading = { state: 'busy' }
  const none: readonly Notif[] = []
  const $loading = cell(() => loading)
  let view: View = {
    $connection: line.$connection,
    $counts: head.$counts,
    $loading,
    $notifications: cell(() => none)
  }
  const $view = cell(() => view)
  let full: LoadedInbox | undefined
  /** How. */
  let destroyed: { readonly forget?: boolean } | undefined
  let present = 0

  const want = fetched('inbox', async () => {
    full = (await import('../store/inbox/create-inbox.ts')).createInbox(line, {
      choose: adopt,
      head: head.get(),
      lost: refusals.tell,
      news: news.tell
    })
    if (destroyed) full.destroy(destroyed)
    else {
      view = full
      $view.notify()
    }
    return full
  })
  const beg = (): void =>
    void Promise.resolve(want()).catch((error: unknown) => {
      loading = { error, state: 'failed' }
      $loading.notify()
      line.environment.after(AGAIN, () => {
        if (present > 0 && !destroyed) beg()
      })
    })

  /** Follows an atom of whatever there is by then. */
  const relay = <K extends keyof View, T = ReturnType<View[K]['get']>>(
    of: K,
    more = false,
    read = () => view[of].get() as T
  ): ReadableAtom<T> =>
    cell(read, notify => {
      if (present++ === 0 && !full && !destroyed) head.start()
      let end = (): void => {}
      const stop = $view.subscribe(view => {
        end()
        end = view[of].subscribe(notify)
      })
      if (more) beg()
      return () => {
        stop()
        end()
        if (--present === 0) head.stop()
      }
    })
  const $connection = relay('$connection')
  const { adopt, end, ...preferences } = latePreferences(line, $connection)
  return {
    ...preferences,
    ...late(want, [
      'loadMore',
      'markAsArchived',
      'markAsClicked',
      'markAsOpened',
      'markAsUnarchived',
      'markAsUnopened',
      'reload'
    ]),
    $connection,
    $counts: relay('$counts'),
    $loading: relay('$loading', true),
    $notifications: relay('$notifications', true),
    $unarchived: relay('$counts', false, () => view.$counts.get().unarchived),
    $unopened: relay('$counts', false, () => view.$counts.get().unopened),
    destroy(how = {}) {
      destroyed = how
      end()
      news.clear()
      refusals.clear()
      head.stop()
      head.forget()
      // What an earlier page has left is forgotten also where this one has not needed it.
      if (full) full.destroy(how)
      else if (how.forget) beg()
    },
    getClient: () => line.transport,
    onNewNotifications: news.add,
    onRefused: refusals.add,
    setWebPushOptIn: on => line.transport.optIn(on)
  }
}
