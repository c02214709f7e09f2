// The database of the offline cache. It stays open with its page, so that a write begins in the task that asks for it: a page
// that closes in the next moment loses nothing.

const NAME = 'notif-kit'
/** Form of what is stored. */
const FORM = 1

export interface Stores {
  /** By user. */
  readonly inboxes: IDBObjectStore
  /** By place: in the order in which they were made. */
  readonly actions: IDBObjectStore
}

interface Database {
  /** One transaction, or a rejection where it fails; begun at once where the database is open. */
  transact<T>(work: (stores: Stores, give: (value: T) => void) => void): Promise<T | undefined>
  /** The same of actions, for work that only writes: it is done even if the page ends now. */
  write(work: (actions: IDBObjectStore) => void): Promise<unknown>
  /** Until the next transaction. */
  close(): void
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, FORM)
    request.addEventListener('upgradeneeded', () => {
      const { result } = request
      result.createObjectStore('inboxes')
      result.createObjectStore('actions')
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error))
  })
}

export function openDatabase(): Database {
  let database: IDBDatabase | undefined
  let opening: Promise<IDBDatabase> | undefined
  let closings = 0

  function close(): void {
    closings++
    database?.close()
    database = undefined
  }

  async function begin(): Promise<IDBDatabase> {
    const before = closings
    let own
    try {
      own = await open()
    } finally {
      opening = undefined
    }
    // Closed while it was being opened: who waits for it begins in this task, and has what it began.
    if (closings > before) setTimeout(() => own.close())
    else database = own
    // Lets another page delete or upgrade the database without waiting.
    own.addEventListener('versionchange', close)
    own.addEventListener('close', close)
    return own
  }

  async function start<T>(
    names: readonly (keyof Stores)[],
    work: (transaction: IDBTransaction, give: (value: T) => void) => void
  ): Promise<T | undefined> {
    const own = database ?? (await (opening ??= begin()))
    return new Promise((resolve, reject) => {
      let given: T | undefined
      const transaction = own.transaction(names, 'readwrite')
      transaction.addEventListener('complete', () => resolve(given))
      transaction.addEventListener('abort', () => reject(transaction.error))
      work(transaction, value => (given = value))
    })
  }

  return {
    close,
    transact: work =>
      start(['actions', 'inboxes'], (transaction, give) => {
        const actions = transaction.objectStore('actions')
        work({ actions, inboxes: transaction.objectStore('inboxes') }, give)
      }),
    write: work =>
      start(['actions'], transaction => {
        work(transaction.objectStore('actions'))
        // Without this a transaction waits for its page, and is undone when that ends.
        transaction.commit()
      })
  }
}

export function forEachRow(store: IDBObjectStore, see: (cursor: IDBCursorWithValue) => void): void {
  const request = store.openCursor()
  request.addEventListener('success', () => {
    const { result } = request
    if (!result) return
    see(result)
    result.continue()
  })
}
