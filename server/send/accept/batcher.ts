// Collects concurrent requests into batches: requests that arrive while a batch is written form the next one.
//
// No timer is involved, so a single request does not wait. A batch has two stages: while one batch is written, the next may
// be prepared. A request that would form a smaller batch than the one in progress waits for its end, because a small batch
// costs the database as much as a larger one. Small batches wait for the disk longer than they cost, so two of them may be
// written at the same time. Batches with requests of the same user are never written at the same time, so that these take
// effect in the order of their arrival. A request that takes long to prepare holds up no batch (late-requests.ts).

import { LateRequests, type BatchedRequest, type Pending } from './late-requests.ts'

export interface Stages<Request extends BatchedRequest, Result, Prepared> {
  /** @returns the prepared form of each request; undefined for a request that failed here and is settled */
  prepare(pending: readonly Pending<Request, Result>[]): Promise<readonly Promise<Prepared | undefined>[]>
  /**
   * Writes a batch and settles its requests.
   *
   * @param late - takes requests that are prepared again and then take long
   */
  write(prepared: readonly Prepared[], late: LateRequests<Request, Result, Prepared>): Promise<void>
}

export interface BatcherOptions {
  readonly maxBatchSize: number
  /** Requests that may wait for a batch. */
  readonly maxWaiting: number
}

export interface Batcher<Request, Result> {
  add(request: Request): Promise<Result>
  /** Whether as many requests wait as may. The caller decides whether to add another one. */
  isFull(): boolean
}

/** Batches in progress at the same time: one is written and one prepared; of small batches, two are written. */
const MAX_BATCHES = 2
const MAX_SMALL_BATCHES = 3
export const SMALL_BATCH_SIZE = 8

export function openBatcher<Request extends BatchedRequest, Result, Prepared>(
  { maxBatchSize, maxWaiting }: BatcherOptions,
  { prepare, write }: Stages<Request, Result, Prepared>
): Batcher<Request, Result> {
  interface Waiting {
    readonly pending: Pending<Request, Result>
    /** Absent if the request is not prepared yet. */
    readonly prepared?: Prepared
  }
  let waiting: Waiting[] = []
  const late = new LateRequests<Request, Result, Prepared>((pending, prepared) =>
    enqueue({ pending, prepared })
  )
  const inProgress = new Map<Promise<void>, ReadonlySet<number>>()
  let requestCount = 0
  let lastBatchSize = 0
  let isPumpScheduled = false

  const run = async (batch: readonly Waiting[], earlier: readonly Promise<void>[]): Promise<void> => {
    try {
      const prepared: Prepared[] = []
      for (const one of batch) if (one.prepared !== undefined) prepared.push(one.prepared)
      const rest = batch.filter(one => one.prepared === undefined).map(({ pending }) => pending)
      const preparing = rest.length > 0 ? await prepare(rest) : []
      // The late requests of earlier batches are known only when those have ended.
      await Promise.all(earlier)
      prepared.push(...(await late.takePrepared(rest, preparing)))
      if (prepared.length > 0) await write(prepared, late)
    } catch (error) {
      for (const { pending } of batch) pending.reject(error)
    }
  }

  /** The batches that must end before a batch with these users is written. */
  const earlierBatches = (hashes: ReadonlySet<number>, isSmall: boolean): Promise<void>[] =>
    [...inProgress]
      .filter(([, others]) => !isSmall || [...hashes].some(hash => others.has(hash)))
      .map(([batch]) => batch)

  const begin = (batch: readonly Waiting[]): void => {
    const hashes = new Set(batch.map(({ pending }) => pending.request.placementHash))
    // No batch in progress is larger than this one, so a small batch runs beside small ones only.
    const written = run(batch, earlierBatches(hashes, batch.length <= SMALL_BATCH_SIZE))
    inProgress.set(written, hashes)
    lastBatchSize = batch.length
    void (async () => {
      await written
      inProgress.delete(written)
      pump()
    })()
  }

  const canBegin = (): boolean =>
    waiting.length > 0 &&
    (inProgress.size === 0 ||
      (inProgress.size < (lastBatchSize <= SMALL_BATCH_SIZE ? MAX_SMALL_BATCHES : MAX_BATCHES) &&
        waiting.length >= lastBatchSize))

  const pump = (): void => {
    isPumpScheduled = false
    while (canBegin()) {
      const batch = waiting.length > maxBatchSize ? waiting.splice(0, maxBatchSize) : waiting
      if (batch === waiting) waiting = []
      begin(batch)
    }
  }

  const enqueue = (one: Waiting): void => {
    waiting.push(one)
    // Begins after this turn of the event loop, so that requests that were read together are written together.
    if (!isPumpScheduled && canBegin()) {
      isPumpScheduled = true
      setImmediate(pump)
    }
  }

  return {
    async add(request) {
      const { promise, reject, resolve } = Promise.withResolvers<Result>()
      const pending = { number: requestCount++, reject, request, resolve }
      try {
        if (late.isUserLate(request.placementHash)) await late.waitForTurn(pending)
        enqueue({ pending })
        return await promise
      } finally {
        late.settle(pending)
      }
    },
    isFull: () => waiting.length >= maxWaiting
  }
}
