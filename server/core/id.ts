// Identity: what a user's id may be, the place that follows from it, and uuidv7 ids from which the place can be read back.

import { hash, randomFillSync } from 'node:crypto'

/** Longest user id, in characters (code points). */
export const USER_ID_LIMIT = 255

/** Any text but the empty one, and what Postgres cannot keep: NUL and halves of surrogate pairs. */
export const isUserId = (id: string): boolean =>
  id !== '' &&
  !id.includes('\0') &&
  id.isWellFormed() &&
  (id.length <= USER_ID_LIMIT || (id.length <= 2 * USER_ID_LIMIT && [...id].length <= USER_ID_LIMIT))

/** First 16 bits of sha256(environment, NUL, user): the user's place, the same for ever. */
export function placementHash(envId: string, userId: string): number {
  return hash('sha256', `${envId}\0${userId}`, 'buffer').readUInt16BE(0)
}

/** 0..1023: first key column of every table that belongs to a user. */
export const bucketOf = (envId: string, userId: string): number => placementHash(envId, userId) >> 6

/** Where all that belongs to a user is found. */
export interface UserKey {
  readonly bucket: number
  readonly envId: string
  readonly userId: string
}

let lastMs = 0
let lastCounter = 0

/**
 * Milliseconds that a clock may be set back while ids still sort by making. One that was further ahead was wrong, and
 * ids that went on from there would name days for which the log has no partition.
 */
const SET_BACK = 60_000

// Many at once: asking the kernel for each id costs more than all the rest of it.
const random = Buffer.alloc(4096)
let randomUsed = random.length

/**
 * uuidv7 (RFC 9562, 5.7): 48 bits of milliseconds, 12 bits of counter within the millisecond (method 1 of 6.2, so
 * that ids of one process sort by making), 46 random bits, and the user's 16-bit place at the end.
 *
 * @param place - {@link placementHash} of the owner
 * @param now - milliseconds since 1970; the caller clamps it to the database's clock
 */
export function uuidv7(place: number, now: number = Date.now()): string {
  if (randomUsed === random.length) {
    randomFillSync(random)
    randomUsed = 0
  }
  const bytes = random.subarray(randomUsed, (randomUsed += 16))
  if (now > lastMs || now < lastMs - SET_BACK) {
    lastMs = now
    // One that the place is written over below.
    lastCounter = bytes[15]!
  } else if (++lastCounter > 0xfff) {
    lastMs += 1
    lastCounter = 0
  }
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | lastCounter, 6)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  bytes.writeUInt16BE(place, 14)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

export const isTrackingId = (text: string): boolean => UUID_V7.test(text)

/** The place of the owner, from any of their ids. */
export const placementHashInId = (id: string): number => Number.parseInt(id.slice(-4), 16)

/** When an id was made: milliseconds since 1970. */
export const timeInId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** Smallest uuidv7 of an instant, as `uuid_at` of the database has it. */
export function lowestIdAt(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The bucket of whoever owns a tracking id: its last 16 bits are the owner's place. */
export const bucketOfId = (id: string): number => placementHashInId(id) >> 6
