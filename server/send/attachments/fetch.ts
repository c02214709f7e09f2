// The queue FETCH: fetches the attachments of an email before the email is sent, each as a stream of parts into the database.
//
// An email with attachments by address starts in this queue and moves to EMAIL when all of them are stored, so it stays one
// row. A schedule or a digest has a row of its own here, because addresses may expire before its time.

import type { Config } from '../../config/config.ts'
import { FETCH_CONNECTIONS } from '../../config/connections.ts'
import { placementHash, uuidv7 } from '../../core/id.ts'
import type { DatabaseGroup, Json } from '../../db/db.ts'
import type { OutboundCode } from '../../outbound/failure.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { Context } from '../../process/context.ts'
import { MAX_ATTEMPTS } from '../../queue/backoff.ts'
import type { ClaimedRow } from '../../queue/outbox.sql.ts'
import type { Outcome } from '../../queue/outcome.ts'
import { MAX_BATCH_BYTES, type DeliveryJob } from '../../queue/queue-job.ts'
import { isHeld } from '../hold/held-row.ts'
import { base64LineBytes, decodedBytes, encodedBytes, type Attachment } from './attachment.ts'
import {
  attachmentKey,
  deleteParts,
  isAwaited,
  PART_BYTES,
  readAvailableFiles,
  storeFile,
  storePart,
  type Fetcher
} from './attachments.sql.ts'
import { openDiskBudget, type DiskBudget } from './disk-budget.ts'

/** Body of a row of this queue, besides what the email will need. */
export interface FetchBody extends Readonly<Record<string, Json | undefined>> {
  readonly files: readonly string[]
  /** Encoded bytes of the email's other attachments. */
  readonly otherBytes: number
  /** Tracking id of the schedule or digest item that the files wait for. Absent: the row moves to EMAIL. */
  readonly aheadOf?: string
  /** Tracking ids of the sends of a digest, which may have fetched the files already. */
  readonly sends?: readonly string[]
}

/** @returns undefined if no attachment has an address */
export function fetchBody(attachments: readonly Attachment[] = []): FetchBody | undefined {
  const files = [...new Set(attachments.flatMap(file => ('url' in file ? [file.url] : [])))]
  if (files.length === 0) return undefined
  const otherBytes = attachments.reduce(
    (sum, file) => sum + ('url' in file ? 0 : base64LineBytes(file.content.length)),
    0
  )
  return { files, otherBytes }
}

/** For one attempt at all files of one email. Files that are stored by then are not fetched again. */
const TIMEOUT_MS = 120_000
/** At 0 s, 5 s, 35 s and 2.5 minutes, because addresses may expire within minutes. */
const FETCH_ATTEMPTS = 4

/** Statuses of the file's server after which a retry may succeed. */
const RETRYABLE_STATUSES = new Set([404, 408, 425, 429])
const RETRYABLE_CODES: ReadonlySet<OutboundCode> = new Set<OutboundCode>(['connect', 'cut', 'timeout'])

interface FetchFailure {
  readonly code: string
  readonly detail: string
  readonly isRetryable: boolean
}

/** Fetched bytes that may wait in the database while a mail server is slow or down. Above it, files are fetched later. */
const MAX_WAITING_BYTES = 10 * 1024 ** 3

export interface FetchOptions extends Pick<Context, 'outbound'> {
  readonly config: Pick<Config, 'emailMaxBytes'>
  /** Default: 10 GiB in each database. */
  readonly maxWaitingBytes?: number
}

export function fetchJob({
  config,
  maxWaitingBytes = MAX_WAITING_BYTES,
  outbound
}: FetchOptions): DeliveryJob {
  const budgets = new Map<DatabaseGroup, DiskBudget>()
  const budgetFor = (group: DatabaseGroup): DiskBudget => {
    const budget = budgets.get(group) ?? openDiskBudget(group, maxWaitingBytes, () => performance.now())
    budgets.set(group, budget)
    return budget
  }
  return {
    maxBytes: MAX_BATCH_BYTES,
    kind: 'delivery',
    queue: 'FETCH',
    prepare:
      (_rows, group) =>
      (row, { signal }) =>
        fetchAll(row, { diskBudget: budgetFor(group), group, outbound, signal }, config.emailMaxBytes),
    // Each slot has one part in memory.
    hasSeparateProviders: true,
    concurrency: FETCH_CONNECTIONS,
    timeoutMs: TIMEOUT_MS,
    whenUncertain: 'retry'
  }
}

interface FetchContext {
  readonly group: DatabaseGroup
  readonly outbound: Outbound
  readonly diskBudget: DiskBudget
  readonly signal: AbortSignal
}

/** @param maxEmailBytes - limit for all attachments of the email, encoded */
async function fetchAll(row: ClaimedRow, context: FetchContext, maxEmailBytes: number): Promise<Outcome> {
  const { diskBudget, group, signal } = context
  const { aheadOf, files, otherBytes, sends = [] } = row.body as unknown as FetchBody
  const sendId = aheadOf ?? row.sendId
  if (sendId === null) return { code: 'no-send', detail: 'The send was deleted.', kind: 'dead' }
  const owner: Fetcher = { bucket: row.bucket, envId: row.envId, rowId: row.id, sendId, userId: row.userId }
  if (aheadOf !== undefined && !(await isAwaited(group, owner))) return { kind: 'sent' }
  const available = await readAvailableFiles(group, owner, sends)
  // An email with some of its files continues: if all emails waited for space, none would ever free any.
  if (available.length === 0 && !(await diskBudget.waitForSpace(signal))) {
    return { code: 'files-wait', detail: 'Too many fetched files wait for their emails.', kind: 'pause' }
  }
  const availableKeys = new Set(available.map(file => file.key))
  const usedBytes = available.reduce((sum, { bytes }) => sum + encodedBytes(bytes), otherBytes)
  const budget = { left: decodedBytes(maxEmailBytes - usedBytes) }
  for (const url of files.filter(one => !availableKeys.has(attachmentKey(one)))) {
    const failure = await fetchOne(url, owner, budget, context)
    if (!failure) continue
    const { code, isRetryable } = failure
    const detail = `${failure.detail} ${withoutQuery(url)}`
    const isLastAttempt = row.attemptsLeft <= MAX_ATTEMPTS - FETCH_ATTEMPTS
    return { code, detail, kind: isRetryable && !isLastAttempt ? 'retry' : 'dead' }
  }
  if (aheadOf !== undefined) return { kind: 'sent' }
  return { kind: 'forwarded', queue: isHeld(row) ? 'HELD' : 'EMAIL' }
}

/** @returns undefined when the file is stored */
async function fetchOne(
  url: string,
  owner: Fetcher,
  budget: { left: number },
  { diskBudget, group, outbound, signal }: FetchContext
): Promise<FetchFailure | undefined> {
  const fetchId = uuidv7(placementHash(owner.envId, owner.userId))
  let chunks: Buffer[] = []
  let chunkBytes = 0
  let bytes = 0
  let partCount = 0
  const flush = async (): Promise<void> => {
    if (chunkBytes === 0) return
    const part = Buffer.concat(chunks, chunkBytes)
    chunks = []
    chunkBytes = 0
    await storePart(group, owner, fetchId, partCount++, part)
  }
  let isStored = false
  try {
    const result = await outbound.request(url, {
      budget,
      signal,
      async onPart(chunk) {
        bytes += chunk.length
        chunkBytes += chunk.length
        chunks.push(chunk)
        if (chunkBytes >= PART_BYTES) await flush()
      }
    })
    if (!result.ok) {
      const { code, detail } = result
      return { code: `attachment-${code}`, detail, isRetryable: RETRYABLE_CODES.has(code) }
    }
    const { status, headers } = result
    if (status !== 200) {
      const isRetryable = status >= 500 || RETRYABLE_STATUSES.has(status)
      const detail = `The server of the file answered ${status}.`
      return { code: `attachment-${status}`, detail, isRetryable }
    }
    await flush()
    const type = headers['content-type'] ?? null
    await storeFile(group, owner, { bytes, fetchId, key: attachmentKey(url), type })
    diskBudget.add(bytes)
    isStored = true
    return undefined
  } finally {
    if (!isStored && partCount > 0) await deleteParts(group, owner, fetchId)
  }
}

/** Queries of such addresses often contain signatures, which a log must not show. */
const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '')
