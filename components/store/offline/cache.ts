// The offline cache of one user: the newest notifications, and the actions that the server has not answered. Without a database
// the kit works without it.

import { isInboxPage, type InboxPage } from '../../protocol/index.ts'
import type { ServerClock } from '../clock.ts'
import type { OfflineCache, StoredAction, StoredChoices, OnRemoteChange } from '../transport.ts'
import { openDatabase, forEachRow, type Stores } from './indexed-db.ts'
import { isAction, isChoices, type Row } from './records.ts'
import { listHeldLocks, acquireLock } from './web-locks.ts'

/** As in web-push.ts; to share it would cost every list a request. */
const ANSWERED = 'hideWebPushOptInMessage'
/** Name of channel and locks. */
const NAME = 'notif-kit'
/** Actions of one page at most, with those that it took over. */
const MOST = 200
/** How long a browser may take, in milliseconds: after that it counts as one that keeps nothing. */
const PATIENCE = 3000

/**
 * @param user - address of the user at the server: other users' things are not seen, and removed once no page is theirs
 * @param clock - of the store; undefined where it has none
 * @param forgotten - called when another page forgets the user
 * @param overtaken - called with what is done in another page, and when
 */
export function openCache(
  user: string,
  clock: ServerClock | undefined,
  forgotten: () => void,
  overtaken: OnRemoteChange
): OfflineCache {
  const tab = crypto.getRandomValues(new Uint32Array(3)).join('-')
  const lockOf = (tab: string): string => `${NAME} ${tab} ${user}`
  const database = openDatabase()
  /** Where our actions are, by their keys. */
  const places = new Map<string, IDBValidKey>()
  let last = 0
  let ended = false
  /** Our inbox is in the database: should it be missing then, another page has forgotten the user. */
  let written = false
  let present = acquireLock(lockOf(tab))
  let channel: BroadcastChannel | undefined

  function listen(): void {
    channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(NAME)
    channel?.addEventListener('message', ({ data }) => {
      if (data === user) {
        close()
        forgotten()
      } else if (data?.user === user) overtaken(data.newer, data.at)
    })
  }

  /**
   * Undefined where the browser does not do it. Transactions are done in the order in which they are begun, and none is
   * before our lock is held.
   */
  function run<T>(work: () => Promise<T | undefined>): Promise<T | undefined> {
    const late = (): Promise<undefined> => new Promise(resolve => setTimeout(resolve, PATIENCE))
    return present.then(() => (ended ? undefined : Promise.race([work(), late()]))).catch(() => undefined)
  }

  // A held lock keeps the page out of the back-forward cache, and its actions from the page that continues them.
  function leave(): void {
    channel?.close()
    // A closed channel would throw at the next message.
    channel = undefined
    database.close()
    void present.then(release => release())
  }
  function comeBack({ persisted }: PageTransitionEvent): void {
    if (!persisted) return
    present = acquireLock(lockOf(tab))
    listen()
  }
  globalThis.addEventListener?.('pagehide', leave)
  globalThis.addEventListener?.('pageshow', comeBack)
  listen()

  function close(): void {
    ended = true
    globalThis.removeEventListener?.('pagehide', leave)
    globalThis.removeEventListener?.('pageshow', comeBack)
    leave()
  }

  const remove = ({ actions, inboxes }: Stores, isOver: (owner: string) => boolean): void => {
    forEachRow(inboxes, cursor => isOver(String(cursor.key)) && cursor.delete())
    forEachRow(actions, cursor => isOver(String(cursor.value?.user)) && cursor.delete())
  }

  /** Makes those of pages that are no more this page's. */
  async function adopt<T>(is: (value: unknown) => value is Row<T>): Promise<readonly Row<T>[]> {
    const found = await run(async () => {
      const release = await acquireLock(`${NAME} adopt`, { signal: AbortSignal.timeout(PATIENCE) })
      try {
        const alive = await listHeldLocks()
        return await database.transact<Row<T>[]>((stores, give) => {
          remove(stores, owner => owner !== user && !alive.some(name => name.endsWith(` ${owner}`)))
          const found: Row<T>[] = []
          give(found)
          forEachRow(stores.actions, cursor => {
            if (cursor.value?.user !== user) return
            // Former versions kept no time: that was before all that is done now.
            const value = { at: 0, ...cursor.value }
            if (!isAction(value) && !isChoices(value)) cursor.delete()
            else if (is(value) && !alive.includes(lockOf(value.tab))) {
              found.push(value)
              // Choices go to the preferences, which keep and drop them by themselves.
              if (isAction(value)) places.set(value.key, cursor.primaryKey)
              cursor.update({ ...value, tab })
            }
          })
        })
      } finally {
        release()
      }
    })
    return found ?? []
  }

  return {
    adopt: () => adopt(isAction),

    adoptChoices: () => adopt(isChoices),

    close,

    async drop(key) {
      const place = places.get(key)
      places.delete(key)
      await run(() =>
        place === undefined
          ? // The other one of this page has kept it, or has taken it over.
            database.transact(({ actions }) =>
              forEachRow(actions, cursor => cursor.value?.key === key && cursor.delete())
            )
          : database.write(actions => actions.delete(place))
      )
    },

    async forget() {
      // A channel has no target origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      channel?.postMessage(user)
      await run(() => {
        ended = true
        return database.transact(stores => remove(stores, owner => owner === user))
      })
      close()
      try {
        localStorage.removeItem(ANSWERED)
        localStorage.removeItem('notifWebPush')
      } catch {
        // A browser that keeps nothing has nothing to forget.
      }
    },

    inbox: () =>
      run(() =>
        database.transact<InboxPage>(({ inboxes }, give) => {
          const request = inboxes.get(user)
          request.addEventListener('success', () => {
            const { result } = request
            if (!isInboxPage(result)) return
            // What has expired is judged before any answer.
            if (clock) clock.offsetMs ??= Number((result as { ahead?: unknown }).ahead) || 0
            give(result)
          })
        })
      ),

    async keep(action) {
      const place = places.get(action.key) ?? [(last = Math.max(last + 1, Date.now())), tab]
      if (!places.has(action.key) && places.size >= MOST) return false
      places.set(action.key, place)
      const row: Row<StoredAction | StoredChoices> = { ...action, tab, user }
      const done = await run(async () => {
        await database.write(actions => actions.put(row, place))
        return true
      })
      return done ?? false
    },

    // As above.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    tell: (newer, at) => channel?.postMessage({ at, newer, user }),

    keepInbox: async page => {
      await run(() =>
        database.transact(({ inboxes }) => {
          const request = inboxes.count(user)
          request.addEventListener('success', () => {
            if (written && request.result === 0) return close()
            try {
              inboxes.put({ ...page, ahead: clock?.offsetMs }, user)
              written = true
            } catch {
              // No room, or nothing that a database takes.
            }
          })
        })
      )
    }
  }
}
