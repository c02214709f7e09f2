// How far fetches may be ahead of the mails: a mail server that is slow or away must not fill the disk of the database.

import { setTimeout as sleep } from 'node:timers/promises'

import type { Group } from '../../db/db.ts'
import { waitingBytes } from './attachments.sql.ts'

/** Milliseconds for which a look at the database is believed, and between two of them. */
const FRESH = 500
/** A try waits for so long, then another row has its slot. */
const PATIENCE = 45_000

export interface Room {
  /** Waits until fewer bytes are here than may be. @returns false: they are not, and it is time to give up */
  free(signal: AbortSignal): Promise<boolean>
  /** Of a file that has come since the last look. */
  took(bytes: number): void
}

/**
 * What is under way is not counted: at most one mail for each slot.
 *
 * @param limit - bytes
 * @param now - milliseconds of a clock that is never set back
 */
export function openRoom(group: Group, limit: number, now: () => number): Room {
  let lookedAt = Number.NEGATIVE_INFINITY
  let here: Promise<number> = Promise.resolve(0)
  let since = 0
  const look = async (): Promise<number> => {
    if (now() - lookedAt >= FRESH) {
      lookedAt = now()
      since = 0
      here = waitingBytes(group)
    }
    return (await here) + since
  }
  return {
    async free(signal) {
      const until = now() + PATIENCE
      while ((await look()) >= limit) {
        if (signal.aborted || now() > until) return false
        await sleep(FRESH)
      }
      return true
    },
    took(bytes) {
      since += bytes
    }
  }
}
