// What an inbox does with what the browser keeps: shows the last one until the server answers, keeps the newest, and goes
// on with the actions of pages that are no more.

import type { ReadableAtom } from 'nanostores'

import type { InboxPage } from '../../protocol/index.ts'
import type { Surroundings } from '../environment.ts'
import { createCacheOpener } from '../offline/open-cache.ts'
import type { OfflineCache, StoredAction, StoredChoices, OnRemoteChange, Transport } from '../transport.ts'
import { listNewestFirst, type Inbox } from './reducer.ts'

/** Notifications that are kept at most, and their size as JSON, in characters. */
const [MOST, LARGEST] = [50, 200_000]
/** How long changes are collected before they are kept, in milliseconds. */
const BURST = 500

interface Options {
  readonly transport: Pick<Transport, 'kept'>
  readonly environment: Surroundings
  readonly $inbox: ReadableAtom<Inbox>
  /** Shows an inbox that may have changed since its version. */
  readonly draw: (page: InboxPage) => void
  readonly adopt: (actions: readonly StoredAction[]) => void
  readonly choose: (choices: readonly StoredChoices[]) => void
  /** Another page has forgotten the user. */
  readonly forgotten: () => void
  /** Another page has done this, at this moment. */
  readonly overtaken: OnRemoteChange
}

interface Offline {
  /** What the browser keeps; undefined: nothing. */
  kept(): Promise<OfflineCache | undefined>
  start(): void
  adopt(): Promise<void>
  end(forget: boolean): void
}

/** The newest of an inbox, as the server would give them. */
function newest({ counts, edge, next, records, version = 0 }: Inbox): InboxPage {
  const all = listNewestFirst({ edge, records })
  const items = all.slice(0, MOST)
  for (let size = JSON.stringify(items).length; size > LARGEST;) size -= JSON.stringify(items.pop()).length
  return { counts, items, version, ...((next !== undefined || items.length < all.length) && { next: '' }) }
}

export function createOffline({ $inbox, environment, transport, ...options }: Options): Offline {
  let started = false
  let ended = false
  let cancel: (() => void) | undefined

  const keeping = createCacheOpener(transport, options.forgotten, options.overtaken)

  function save(own: OfflineCache): void {
    cancel ??= environment.after(BURST, () => {
      cancel = undefined
      const inbox = $inbox.get()
      if (inbox.version !== undefined) void own.keepInbox(newest(inbox))
    })
  }

  async function adopt(): Promise<void> {
    const own = await keeping.open()
    const [actions = [], choices = []] = [await own?.adopt(), await own?.adoptChoices()]
    if (ended) return
    options.adopt(actions)
    // Most pages have none, and so do not need the code for them.
    if (choices.length > 0) options.choose(choices)
  }

  async function start(): Promise<void> {
    const own = await keeping.open()
    if (!own || ended) return
    const isUnknown = ({ records, version }: Inbox): boolean => version === undefined && records.size === 0
    if (isUnknown($inbox.get())) {
      const page = await own.inbox()
      if (page && isUnknown($inbox.get()) && !ended) {
        const now = environment.now()
        options.draw({
          ...page,
          items: page.items.filter(({ expDate }) => expDate === undefined || expDate * 1000 > now)
        })
      }
    }
    await adopt()
    if (ended) return
    $inbox.listen(() => save(own))
    if ($inbox.get().version !== undefined) save(own)
  }

  return {
    adopt,
    end(forget) {
      ended = true
      cancel?.()
      keeping.close(forget)
    },
    kept: keeping.open,
    start() {
      if (started) return
      started = true
      void start()
    }
  }
}
