// Limits how many bytes of fetched attachments wait for their emails, so that a slow mail server does not fill the disk of
// the database.

import { setTimeout as sleep } from 'node:timers/promises'

import type { DatabaseGroup } from '../../db/db.ts'
import { readWaitingBytes } from './attachments.sql.ts'

const POLL_INTERVAL_MS = 500
/** Then the attempt ends, so that another row gets its slot. */
const WAIT_TIMEOUT_MS = 45_000

export interface DiskBudget {
  /** Waits until fewer bytes are stored than the limit. @returns false if that takes too long or `signal` aborts */
  waitForSpace(signal: AbortSignal): Promise<boolean>
  /** Adds the bytes of a file that was stored since the last query. */
  add(bytes: number): void
}

/**
 * Fetches in progress are not counted: each slot has at most one email.
 *
 * @param maxBytes - limit for each database group
 * @param now - milliseconds of a monotonic clock
 */
export function openDiskBudget(group: DatabaseGroup, maxBytes: number, now: () => number): DiskBudget {
  let queriedAt = Number.NEGATIVE_INFINITY
  let queriedBytes: Promise<number> = Promise.resolve(0)
  let addedBytes = 0
  const usedBytes = async (): Promise<number> => {
    if (now() - queriedAt >= POLL_INTERVAL_MS) {
      queriedAt = now()
      addedBytes = 0
      queriedBytes = readWaitingBytes(group)
    }
    return (await queriedBytes) + addedBytes
  }
  return {
    async waitForSpace(signal) {
      const endsAt = now() + WAIT_TIMEOUT_MS
      while ((await usedBytes()) >= maxBytes) {
        if (signal.aborted || now() > endsAt) return false
        await sleep(POLL_INTERVAL_MS)
      }
      return true
    },
    add(bytes) {
      addedBytes += bytes
    }
  }
}
