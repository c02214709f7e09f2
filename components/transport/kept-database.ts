// The database of what a browser keeps: one transaction at a time, open for no longer than it takes.

const NAME = 'notif-kit'
/** Form of what is stored; what has another form is thrown away. */
const FORM = 1

export interface Stores {
  /** By user. */
  readonly inboxes: IDBObjectStore
  /** In the order in which they were made. */
  readonly actions: IDBObjectStore
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, FORM)
    request.addEventListener('upgradeneeded', () => {
      const { result } = request
      for (const name of result.objectStoreNames) result.deleteObjectStore(name)
      result.createObjectStore('inboxes')
      result.createObjectStore('actions', { autoIncrement: true })
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error))
  })
}

/** One transaction, or nothing where it fails. It is open for no longer than it takes, so it is in nobody's way. */
export async function transact<T>(
  work: (stores: Stores, give: (value: T) => void) => void
): Promise<T | undefined> {
  const database = await openDatabase()
  try {
    return await new Promise((resolve, reject) => {
      let given: T | undefined
      const transaction = database.transaction(['inboxes', 'actions'], 'readwrite')
      transaction.addEventListener('complete', () => resolve(given))
      transaction.addEventListener('abort', () => reject(transaction.error))
      work(
        { actions: transaction.objectStore('actions'), inboxes: transaction.objectStore('inboxes') },
        value => (given = value)
      )
    })
  } finally {
    database.close()
  }
}

export function walk(
  store: IDBObjectStore,
  see: (cursor: IDBCursorWithValue) => void,
  end = (): void => {}
): void {
  const request = store.openCursor()
  request.addEventListener('success', () => {
    const { result } = request
    if (!result) return end()
    see(result)
    result.continue()
  })
}
