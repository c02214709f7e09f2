// Ids: valid user ids, the placement hash of a user, and uuidv7 ids that contain that hash.

import { hash, randomFillSync } from 'node:crypto'

export const USER_ID_LIMIT = 255

/** A user id is any text that is not empty and that Postgres can store: without NUL and lone surrogates. */
export const isUserId = (id: string): boolean =>
  id !== '' &&
  !id.includes('\0') &&
  id.isWellFormed() &&
  (id.length <= USER_ID_LIMIT || (id.length <= 2 * USER_ID_LIMIT && [...id].length <= USER_ID_LIMIT))

/** First 16 bits of sha256(environment, NUL, user). They never change: stored ids and buckets contain them. */
export function placementHash(envId: string, userId: string): number {
  return hash('sha256', `${envId}\0${userId}`, 'buffer').readUInt16BE(0)
}

export const BUCKET_COUNT = 1024

/** 0..1023: the first key column of every table with rows of users. */
export const bucketOf = (envId: string, userId: string): number => placementHash(envId, userId) >> 6

export interface UserKey {
  readonly bucket: number
  readonly envId: string
  readonly userId: string
}

/** Returns a text that identifies a user in the memory of a process. No id contains NUL. */
export const userKeyText = ({ envId, userId }: Pick<UserKey, 'envId' | 'userId'>): string =>
  `${envId}\0${userId}`

let lastMs = 0
let lastCounter = 0

/**
 * How far the clock may be set back while new ids still sort after earlier ones. A larger step means that the clock was wrong
 * before, and ids that continue from the wrong time would belong to days without a partition of the log.
 */
const MAX_CLOCK_STEP_BACK_MS = 60_000

// Random bytes for many ids at once: a call to the kernel for each id costs more than the rest of it.
const random = Buffer.alloc(4096)
let randomUsed = random.length

/**
 * Creates a uuidv7 (RFC 9562, 5.7): 48 bits of milliseconds, a 12-bit counter within the millisecond (6.2, method 1, so that ids
 * of one process sort by creation), 46 random bits, and the 16-bit placement hash of the user at the end.
 *
 * @param placement - {@link placementHash} of the owner
 * @param now - milliseconds since 1970; the caller clamps it to the database's clock
 */
export function uuidv7(placement: number, now: number = Date.now()): string {
  if (randomUsed === random.length) {
    randomFillSync(random)
    randomUsed = 0
  }
  const bytes = random.subarray(randomUsed, (randomUsed += 16))
  if (now > lastMs || now < lastMs - MAX_CLOCK_STEP_BACK_MS) {
    lastMs = now
    // A random start; the placement hash overwrites this byte below.
    lastCounter = bytes[15]!
  } else if (++lastCounter > 0xfff) {
    lastMs += 1
    lastCounter = 0
  }
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | lastCounter, 6)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  bytes.writeUInt16BE(placement, 14)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

export const isTrackingId = (text: string): boolean => UUID_V7.test(text)

/** The placement hash of the owner, read from an id. */
export const placementHashInId = (id: string): number => Number.parseInt(id.slice(-4), 16)

/** The creation time of an id, in milliseconds since 1970. */
export const timeInId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** The smallest uuidv7 of an instant, as the SQL function `uuid_at` returns it. */
export function lowestIdAt(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The bucket of the user that a tracking id belongs to. */
export const bucketOfId = (id: string): number => placementHashInId(id) >> 6
