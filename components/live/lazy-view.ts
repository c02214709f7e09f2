// A view whose code is loaded when it is opened.

import { atom, type WritableAtom } from 'nanostores'

import { NO_NOTIFICATIONS } from '../store/inbox-state.ts'
import type { LoadedInbox } from '../store/inbox/create-inbox.ts'
import { lazyModule } from '../store/lazy.ts'
import type { InboxStore, Loading, View } from '../store/types.ts'

/** Creates a view, and opens it when the inbox is loaded. */
export function createLazyView(
  loadInbox: () => Pick<LoadedInbox, 'viewSources'> | Promise<Pick<LoadedInbox, 'viewSources'>>,
  query: Parameters<InboxStore['openView']>[0]
): View {
  const $items = atom(NO_NOTIFICATIONS)
  const $count = atom(0)
  const $loading = atom<Loading>({ state: 'busy' })
  const $types = atom(query.tags ? undefined : query.types)
  const follow = <T>(
    $copy: WritableAtom<T>,
    $value: View['$items' | '$count' | '$loading' | '$types']
  ): void => void $value.subscribe(value => $copy.set(value as T))
  const load = lazyModule('inbox', async () => {
    const { openView } = await import('../store/view/view.ts')
    const view = openView(query, (await loadInbox()).viewSources)
    follow($items, view.$items)
    follow($count, view.$count)
    follow($loading, view.$loading)
    follow($types, view.$types)
    return view
  })
  const loadMore = async (isFirst = false): Promise<void> => {
    try {
      const view = await load()
      if (!isFirst) await view.loadMore()
    } catch (error) {
      $loading.set({ error, state: 'failed' })
    }
  }
  void loadMore(true)
  return {
    $count,
    $items,
    $loading,
    $types,
    close: () =>
      void Promise.resolve(load()).then(
        view => view.close(),
        () => {}
      ),
    loadMore: () => loadMore()
  }
}
