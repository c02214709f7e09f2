// The size of all databases, read at most once a minute, because the database asks the file system about each of its files.

import type { Db } from '../../db/db.ts'
import { sharedPool } from '../../db/sql-helpers.ts'
import { readDatabaseSize } from './attention.sql.ts'

const READ_INTERVAL_MS = 60_000

/** @returns a function that resolves to the bytes of all databases; undefined if they cannot be read */
export function createDatabaseSize(
  db: Db,
  elapsedMs: () => number = () => performance.now()
): () => Promise<number | undefined> {
  let readAt = Number.NEGATIVE_INFINITY
  let size: Promise<number | undefined>
  const read = async (): Promise<number | undefined> => {
    try {
      // Groups may share a database, also with the tables that have no bucket.
      const pools = new Set([db.controlWork, ...db.groups.map(({ work }) => sharedPool(work))])
      const sizes = await Promise.all([...pools].map(readDatabaseSize))
      return sizes.reduce((sum, bytes) => sum + bytes, 0)
    } catch {
      return undefined
    }
  }
  return () => {
    if (elapsedMs() - readAt >= READ_INTERVAL_MS) {
      readAt = elapsedMs()
      size = read()
    }
    return size
  }
}
