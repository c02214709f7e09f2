// Connects an inbox to the offline cache: shows the cached list until the server answers, caches the newest list, and continues
// the actions of closed pages.

import type { ReadableAtom } from 'nanostores'

import type { InboxPage } from '../../protocol/index.ts'
import type { BaseEnvironment } from '../environment.ts'
import { createCacheOpener } from '../offline/open-cache.ts'
import type { OfflineCache, StoredAction, StoredChoices, Transport } from '../transport.ts'
import { listNewestFirst, type Inbox } from './reducer.ts'

/** At most this many notifications are cached, with at most this many characters of JSON. */
const [MAX_ITEMS, MAX_CHARACTERS] = [50, 200_000]
/** Changes within this time are written together. */
const SAVE_DELAY_MS = 500

interface Options {
  readonly transport: Pick<Transport, 'openCache'>
  readonly environment: BaseEnvironment
  readonly $inbox: ReadableAtom<Inbox>
  /** Shows the cached inbox, which may be out of date. */
  readonly show: (page: InboxPage) => void
  readonly restoreActions: (actions: readonly StoredAction[]) => void
  readonly restoreChoices: (choices: readonly StoredChoices[]) => void
  /** Called when another page deleted the data of the user. */
  readonly onForgotten: () => void
}

interface OfflineInbox {
  /** Resolves with undefined if this browser stores nothing. */
  openCache(): Promise<OfflineCache | undefined>
  start(): void
  /** Continues the actions and choices of closed pages. */
  restore(): Promise<void>
  end(shouldForget: boolean): void
}

/** The newest notifications, as a page of the server. */
function toPage({ completeSince, counts, items: known, next, version = 0 }: Inbox): InboxPage {
  const all = listNewestFirst({ completeSince, items: known })
  const items = all.slice(0, MAX_ITEMS)
  for (let size = JSON.stringify(items).length; size > MAX_CHARACTERS;)
    size -= JSON.stringify(items.pop()).length
  return { counts, items, version, ...((next !== undefined || items.length < all.length) && { next: '' }) }
}

const isEmpty = ({ records, version }: Inbox): boolean => version === undefined && records.size === 0

export function createOffline({ $inbox, environment, transport, ...options }: Options): OfflineInbox {
  let isStarted = false
  let isEnded = false
  let cancelSave: (() => void) | undefined
  const opener = createCacheOpener(transport, options.onForgotten)

  function save(cache: OfflineCache): void {
    cancelSave ??= environment.after(SAVE_DELAY_MS, () => {
      cancelSave = undefined
      const inbox = $inbox.get()
      if (inbox.version !== undefined) void cache.writeInbox(toPage(inbox))
    })
  }

  async function restore(): Promise<void> {
    const cache = await opener.open()
    const [actions = [], choices = []] = [await cache?.claimActions(), await cache?.claimChoices()]
    if (isEnded) return
    options.restoreActions(actions)
    // Most pages have none and do not load the code for them.
    if (choices.length > 0) options.restoreChoices(choices)
  }

  async function showCached(cache: OfflineCache): Promise<void> {
    if (!isEmpty($inbox.get())) return
    const page = await cache.readInbox()
    if (!page || !isEmpty($inbox.get()) || isEnded) return
    const now = environment.now()
    const isCurrent = ({ expDate }: InboxPage['items'][number]): boolean =>
      expDate === undefined || expDate * 1000 > now
    options.show({ ...page, items: page.items.filter(isCurrent) })
  }

  async function start(): Promise<void> {
    const cache = await opener.open()
    if (!cache || isEnded) return
    await showCached(cache)
    await restore()
    if (isEnded) return
    $inbox.listen(() => save(cache))
    if ($inbox.get().version !== undefined) save(cache)
  }

  return {
    end(shouldForget) {
      isEnded = true
      cancelSave?.()
      opener.close(shouldForget)
    },
    openCache: opener.open,
    restore,
    start() {
      if (isStarted) return
      isStarted = true
      void start()
    }
  }
}
