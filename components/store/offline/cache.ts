// The offline cache of one user in IndexedDB: the newest notifications, and the actions that the server has not answered.

import { isInboxPage, type InboxPage } from '../../protocol/index.ts'
import type { ServerClock } from '../environment.ts'
import type { OfflineCache, StoredAction, StoredChoices } from '../transport.ts'
import { forEachRow, openDatabase, type Stores } from './indexed-db.ts'
import { isAction, isChoices, type Row } from './records.ts'
import { acquireLock, listHeldLocks } from './web-locks.ts'

/** Keys of web-push.ts and user-storage.ts in localStorage. A shared module would cost one more request. */
const USER_KEYS = /^(?:hideWebPushOptInMessage|notifWebPush)$|^notif-(?:look|sound):/
/** Name of the channel, and prefix of the locks. */
const NAME = 'notif-kit'
/** Actions that one page stores, with those that it claimed. */
const MAX_ACTIONS = 200
/** A database that does not answer for this long counts as one that stores nothing. */
const TIMEOUT_MS = 3000

/**
 * Database keys of the choices that this page claimed, by their Idempotency-Key. A store has one cache for the inbox and one for the
 * preferences. The first may claim choices that the second sends, stores again and deletes.
 */
const claimedChoices = new Map<string, IDBValidKey>()

/**
 * @param user - address of the user at the server. Data of other users is not read, and deleted when no page of theirs is open
 * @param clock - clock of the store, if it has one
 * @param onForgotten - called when another page deleted the data of the user
 */
export function openCache(
  user: string,
  clock: ServerClock | undefined,
  onForgotten: () => void
): OfflineCache {
  const tab = crypto.getRandomValues(new Uint32Array(3)).join('-')
  const toLockName = (tab: string): string => `${NAME} ${tab} ${user}`
  const database = openDatabase()
  /** Database keys of the rows that this cache stored, and of the actions that it claimed, by their Idempotency-Key. */
  const rowKeys = new Map<string, IDBValidKey>()
  let lastRowTime = 0
  let isClosed = false
  /** If the inbox was written and is missing later, another page deleted the data of the user. */
  let isInboxWritten = false
  let lock = acquireLock(toLockName(tab))
  let channel: BroadcastChannel | undefined

  function openChannel(): void {
    channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(NAME)
    channel?.addEventListener('message', ({ data }) => {
      if (data !== user) return
      close()
      onForgotten()
    })
  }

  /**
   * Resolves with undefined if the browser cannot do the work. Waits for the lock of this page. Transactions run in the order of
   * the calls.
   */
  function run<T>(work: () => Promise<T | undefined>): Promise<T | undefined> {
    const timeout = (): Promise<undefined> => new Promise(resolve => setTimeout(resolve, TIMEOUT_MS))
    return lock.then(() => (isClosed ? undefined : Promise.race([work(), timeout()]))).catch(() => undefined)
  }

  // A held lock keeps the page out of the back-forward cache, and other pages from claiming its actions.
  function releaseAll(): void {
    channel?.close()
    // A closed channel would throw at the next message.
    channel = undefined
    database.close()
    void lock.then(release => release())
  }
  function onPageShow({ persisted }: PageTransitionEvent): void {
    if (!persisted) return
    lock = acquireLock(toLockName(tab))
    openChannel()
  }
  globalThis.addEventListener?.('pagehide', releaseAll)
  globalThis.addEventListener?.('pageshow', onPageShow)
  openChannel()

  function close(): void {
    isClosed = true
    globalThis.removeEventListener?.('pagehide', releaseAll)
    globalThis.removeEventListener?.('pageshow', onPageShow)
    releaseAll()
  }

  const findRowKey = (key: string): IDBValidKey | undefined => rowKeys.get(key) ?? claimedChoices.get(key)

  const deleteRows = ({ actions, inboxes }: Stores, shouldDelete: (owner: string) => boolean): void => {
    forEachRow(inboxes, cursor => shouldDelete(String(cursor.key)) && cursor.delete())
    forEachRow(actions, cursor => shouldDelete(String(cursor.value?.user)) && cursor.delete())
  }

  /** Makes the rows of closed pages rows of this page, and returns them. */
  async function claim<T>(is: (value: unknown) => value is Row<T>): Promise<readonly Row<T>[]> {
    const claimed = await run(async () => {
      const release = await acquireLock(`${NAME} adopt`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      try {
        const openPages = await listHeldLocks()
        return await database.transact<Row<T>[]>((stores, setResult) => {
          deleteRows(stores, owner => owner !== user && !openPages.some(name => name.endsWith(` ${owner}`)))
          const rows: Row<T>[] = []
          setResult(rows)
          forEachRow(stores.actions, cursor => {
            if (cursor.value?.user !== user) return
            // Rows of earlier versions are older than all others.
            const value = { at: 0, shownVersion: 0, ...cursor.value }
            if (!isAction(value) && !isChoices(value)) cursor.delete()
            else if (is(value) && !openPages.includes(toLockName(value.tab))) {
              rows.push(value)
              const keys = isAction(value) ? rowKeys : claimedChoices
              keys.set(value.key, cursor.primaryKey)
              cursor.update({ ...value, tab })
            }
          })
        })
      } finally {
        release()
      }
    })
    return claimed ?? []
  }

  return {
    claimActions: () => claim(isAction),

    claimChoices: () => claim(isChoices),

    close,

    async delete(key) {
      const rowKey = findRowKey(key)
      rowKeys.delete(key)
      claimedChoices.delete(key)
      if (rowKey) await run(() => database.write(actions => actions.delete(rowKey)))
    },

    async forget() {
      // A channel has no target origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      channel?.postMessage(user)
      await run(() => {
        isClosed = true
        return database.transact(stores => deleteRows(stores, owner => owner === user))
      })
      close()
      try {
        for (const key of Object.keys(localStorage)) {
          if (USER_KEYS.test(key)) localStorage.removeItem(key)
        }
      } catch {
        // A browser without storage has nothing to delete.
      }
    },

    async put(action) {
      const rowKey = findRowKey(action.key) ?? [(lastRowTime = Math.max(lastRowTime + 1, Date.now())), tab]
      if (!rowKeys.has(action.key) && rowKeys.size >= MAX_ACTIONS) return false
      rowKeys.set(action.key, rowKey)
      const row: Row<StoredAction | StoredChoices> = { ...action, tab, user }
      const isStored = await run(async () => {
        await database.write(actions => actions.put(row, rowKey))
        return true
      })
      return isStored ?? false
    },

    readInbox: () =>
      run(() =>
        database.transact<InboxPage>(({ inboxes }, setResult) => {
          const request = inboxes.get(user)
          request.addEventListener('success', () => {
            const { result } = request
            if (!isInboxPage(result)) return
            // Expiry dates are compared with the server's clock, before its first answer.
            if (clock) clock.offsetMs ??= Number((result as { ahead?: unknown }).ahead) || 0
            setResult(result)
          })
        })
      ),

    writeInbox: async page => {
      await run(() =>
        database.transact(({ inboxes }) => {
          const request = inboxes.count(user)
          request.addEventListener('success', () => {
            if (isInboxWritten && request.result === 0) return close()
            try {
              inboxes.put({ ...page, ahead: clock?.offsetMs }, user)
              isInboxWritten = true
            } catch {
              // The storage is full, or the page contains something that cannot be stored.
            }
          })
        })
      )
    }
  }
}
