// The FETCH queue: brings the files of a mail here before the mail is sent, each as a stream of pieces into the database.
//
// A mail with files by address starts in this queue and goes on as EMAIL when all of them are there, so it is one row
// with one fate. A send for later has a row of its own here, because its addresses do not live as long as it waits.

import type { Config } from '../../config/config.ts'
import { FETCH_CONNECTIONS } from '../../config/connections.ts'
import { placementHash, uuidv7 } from '../../core/id.ts'
import type { Group, Json } from '../../db/db.ts'
import type { OutboundCode } from '../../outbound/failure.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { Context } from '../../process/context.ts'
import { TRIES } from '../../queue/backoff.ts'
import type { Claimed } from '../../queue/outbox.sql.ts'
import type { Outcome } from '../../queue/outcome.ts'
import { MAX_BATCH_BYTES, type Deliver } from '../../queue/queue-job.ts'
import {
  dropPieces,
  isAwaited,
  keyOf,
  PIECE,
  storedFiles,
  storeFile,
  storePiece,
  type Fetcher
} from './attachments.sql.ts'
import { openRoom, type Room } from './disk-budget.ts'
import type { Attachment } from './file.ts'
import { encodedBytes, encodedSize, rawBytes } from './size.ts'

/** What a row of this queue says beside what the mail will need. */
export interface FetchBody extends Readonly<Record<string, Json | undefined>> {
  /** Addresses. */
  readonly files: readonly string[]
  /** Bytes of the mail without them, encoded. */
  readonly besides: number
  /** Tracking id of a send for later, or for a digest: the files wait for it. Absent: the row goes on as a mail. */
  readonly ahead?: string
  /** Tracking ids of sends that may have fetched them already: those of a digest. */
  readonly sends?: readonly string[]
}

/**
 * What a row needs to fetch the files that a mail names by their addresses.
 *
 * @returns undefined where there are none
 */
export function fetchOf(attachments: readonly Attachment[] | undefined): FetchBody | undefined {
  const all = attachments ?? []
  const files = [...new Set(all.flatMap(file => ('url' in file ? [file.url] : [])))]
  if (files.length === 0) return undefined
  const besides = all.reduce((sum, file) => sum + ('url' in file ? 0 : encodedSize(file.content.length)), 0)
  return { besides, files }
}

/** Milliseconds of one try for all files of one mail; what is there by then need not be fetched again. */
const TIMEOUT = 120_000
/** At 0 s, 5 s, 35 s and 2.5 minutes: addresses live for minutes. */
const FETCH_TRIES = 4

/** Answers of the server of a file that may be better in a moment. */
const PASSING_STATUS = new Set([404, 408, 425, 429])
const PASSING: ReadonlySet<OutboundCode> = new Set<OutboundCode>(['connect', 'cut', 'timeout'])

interface Trouble {
  readonly code: string
  readonly detail: string
  readonly passing: boolean
}

/** Fetched bytes that may wait in the database while a mail server is slow or down. Above it, files are fetched later. */
const MAX_WAITING_BYTES = 10 * 1024 ** 3

export interface FetchOptions extends Pick<Context, 'outbound'> {
  readonly config: Pick<Config, 'emailMaxBytes'>
  /** Default: 10 GiB in each database. */
  readonly maxWaitingBytes?: number
}

export function fetchJob({ config, maxWaitingBytes = MAX_WAITING_BYTES, outbound }: FetchOptions): Deliver {
  const rooms = new Map<Group, Room>()
  const roomOf = (group: Group): Room => {
    const room = rooms.get(group) ?? openRoom(group, maxWaitingBytes, () => performance.now())
    rooms.set(group, room)
    return room
  }
  return {
    bytes: MAX_BATCH_BYTES,
    kind: 'deliver',
    name: 'FETCH',
    prepare:
      (_rows, group) =>
      (row, { signal }) =>
        fetchAll(row, { group, outbound, room: roomOf(group), signal }, config.emailMaxBytes),
    // Each has one piece in memory.
    scattered: true,
    slots: FETCH_CONNECTIONS,
    timeout: TIMEOUT,
    uncertain: 'retry'
  }
}

interface Means {
  readonly group: Group
  readonly outbound: Outbound
  readonly room: Room
  readonly signal: AbortSignal
}

async function fetchAll(row: Claimed, means: Means, limit: number): Promise<Outcome> {
  const { group, room, signal } = means
  const { ahead, besides, files, sends = [] } = row.body as unknown as FetchBody
  const sendId = ahead ?? row.sendId
  if (sendId === null) return { code: 'no-send', detail: 'The send is gone.', fate: 'dead' }
  const owner: Fetcher = { bucket: row.bucket, envId: row.envId, rowId: row.id, sendId, userId: row.userId }
  if (ahead !== undefined && !(await isAwaited(group, owner))) return { fate: 'sent' }
  const stored = await storedFiles(group, owner, sends)
  // Who has begun goes on: waiting for each other, none would ever leave.
  if (stored.length === 0 && !(await room.free(signal))) {
    return { code: 'files-wait', detail: 'Too many files wait for their mails to leave.', fate: 'pause' }
  }
  const have = new Set(stored.map(file => file.key))
  const size = stored.reduce((sum, { bytes }) => sum + encodedBytes(bytes), besides)
  const budget = { left: rawBytes(limit - size) }
  for (const url of files.filter(one => !have.has(keyOf(one)))) {
    const trouble = await fetchOne(url, owner, budget, means)
    if (!trouble) continue
    const { code, passing } = trouble
    const detail = `${trouble.detail} ${nameOf(url)}`
    const last = row.attemptsLeft <= TRIES - FETCH_TRIES
    return { code, detail, fate: passing && !last ? 'retry' : 'dead' }
  }
  return ahead === undefined ? { fate: 'onward', queue: 'EMAIL' } : { fate: 'sent' }
}

/** @returns undefined when the file is there */
async function fetchOne(
  url: string,
  owner: Fetcher,
  budget: { left: number },
  { group, outbound, room, signal }: Means
): Promise<Trouble | undefined> {
  const fetchId = uuidv7(placementHash(owner.envId, owner.userId))
  let waiting: Buffer[] = []
  let length = 0
  let bytes = 0
  let parts = 0
  const flush = async (): Promise<void> => {
    if (length === 0) return
    const piece = Buffer.concat(waiting, length)
    waiting = []
    length = 0
    await storePiece(group, owner, fetchId, parts++, piece)
  }
  let whole = false
  try {
    const result = await outbound.request(url, {
      budget,
      signal,
      async take(chunk) {
        bytes += chunk.length
        length += chunk.length
        waiting.push(chunk)
        if (length >= PIECE) await flush()
      }
    })
    if (!result.ok) {
      const { code, detail } = result
      return { code: `attachment-${code}`, detail, passing: PASSING.has(code) }
    }
    const { status, headers } = result
    if (status !== 200) {
      const passing = status >= 500 || PASSING_STATUS.has(status)
      return { code: `attachment-${status}`, detail: `The server of the file answered ${status}.`, passing }
    }
    await flush()
    await storeFile(group, owner, { bytes, fetchId, key: keyOf(url), type: headers['content-type'] ?? null })
    room.took(bytes)
    whole = true
    return undefined
  } finally {
    if (!whole && parts > 0) await dropPieces(group, owner, fetchId)
  }
}

/** Queries of such addresses are often signatures, which are no business of a log. */
const nameOf = (url: string): string => url.replace(/[?#].*$/s, '')
