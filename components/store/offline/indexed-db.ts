// The database of the offline cache. It stays open with its page, so that a write begins in the task that asks for it: a write
// just before the page closes is not lost.

const NAME = 'notif-kit'
const VERSION = 1

export interface Stores {
  /** By user. */
  readonly inboxes: IDBObjectStore
  /** By time and tab, so in the order of the actions. */
  readonly actions: IDBObjectStore
}

interface Database {
  /** Runs one transaction, which begins immediately if the database is open. Rejects if it fails. */
  transact<T>(work: (stores: Stores, setResult: (value: T) => void) => void): Promise<T | undefined>
  /** Runs a transaction that only writes actions. It is committed even if the page closes now. */
  write(work: (actions: IDBObjectStore) => void): Promise<unknown>
  /** Closes the database until the next transaction. */
  close(): void
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION)
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
  let closeCount = 0

  function close(): void {
    closeCount++
    database?.close()
    database = undefined
  }

  async function openShared(): Promise<IDBDatabase> {
    const closeCountBefore = closeCount
    let opened
    try {
      opened = await open()
    } finally {
      opening = undefined
    }
    // Closed while it was opening: transactions that wait for it begin in this task and are completed.
    if (closeCount > closeCountBefore) setTimeout(() => opened.close())
    else database = opened
    // Lets another page delete or upgrade the database without waiting.
    opened.addEventListener('versionchange', close)
    opened.addEventListener('close', close)
    return opened
  }

  async function run<T>(
    names: readonly (keyof Stores)[],
    work: (transaction: IDBTransaction, setResult: (value: T) => void) => void
  ): Promise<T | undefined> {
    const opened = database ?? (await (opening ??= openShared()))
    return new Promise((resolve, reject) => {
      let result: T | undefined
      const transaction = opened.transaction(names, 'readwrite')
      transaction.addEventListener('complete', () => resolve(result))
      transaction.addEventListener('abort', () => reject(transaction.error))
      work(transaction, value => (result = value))
    })
  }

  return {
    close,
    transact: work =>
      run(['actions', 'inboxes'], (transaction, setResult) => {
        const actions = transaction.objectStore('actions')
        work({ actions, inboxes: transaction.objectStore('inboxes') }, setResult)
      }),
    write: work =>
      run(['actions'], transaction => {
        work(transaction.objectStore('actions'))
        // Without this a transaction waits for its page, and is rolled back if the page closes.
        transaction.commit()
      })
  }
}

export function forEachRow(store: IDBObjectStore, visit: (cursor: IDBCursorWithValue) => void): void {
  const request = store.openCursor()
  request.addEventListener('success', () => {
    const { result } = request
    if (!result) return
    visit(result)
    result.continue()
  })
}
