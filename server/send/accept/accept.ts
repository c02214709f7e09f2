// Accepts sends: requests that arrive at the same time are prepared and written as one batch.
//
// A request is answered only after the commit, and nothing leaves the process before it.

import type { Channel } from '#protocol'

import type { Environment } from '../../config/environment-settings.ts'
import { placementHash, uuidv7, type UserKey } from '../../core/id.ts'
import type { DatabaseGroup } from '../../db/db.ts'
import { classifyFailure, isOutdated, isTooSlow } from '../../db/failure.ts'
import { runOnce, type IdempotencyKey } from '../../http/idempotency.ts'
import type { Answer } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import type { RenderOrigin } from '../../types/templates/render-pool.ts'
import type { Device } from '../../users/device.ts'
import { readDevices } from '../../users/devices.sql.ts'
import type { ParsedSend } from '../parse-send.ts'
import { needsDevices } from '../plan/plan.ts'
import { resolveType, sendTopic } from '../plan/send-type.ts'
import { openBatcher, type Batcher, type BatcherOptions } from './batcher.ts'
import { ByteBudget, tooManySends } from './byte-budget.ts'
import { openContactCache, type ContactCache } from './contact-cache.ts'
import { checkErasureEpoch } from './erasure-check.ts'
import type { LateRequests, Pending } from './late-requests.ts'
import { createRenderContext, prepareSchedule, prepareSend } from './prepared-send.ts'
import { writeBatch, type BatchEntry } from './write-batch.ts'

export interface AcceptRequest extends ParsedSend, Pick<RenderOrigin, 'caller'> {
  readonly environment: Environment
  /** Undefined without an idempotency key. */
  readonly claim: IdempotencyKey | undefined
  /** Erasure epoch when the send was read from the log. Absent if it came with the request. */
  readonly erasureEpoch?: number
}

export interface Acceptor {
  /**
   * Resolves after the commit.
   *
   * @param bytes - size of the request, for the memory limit. Default: 0
   * @throws Problem
   */
  accept(request: AcceptRequest, bytes?: number): Promise<Answer>
  /**
   * Admits a request of many sends as a whole. None of its sends is refused later for lack of memory, so `work` has to bound how
   * many it accepts at once.
   *
   * @param bytes - memory of the request until `work` ends
   * @throws Problem `unavailable`, before `work` is called, or any error of `work`
   */
  admit<T>(
    envId: string,
    bytes: number,
    work: (accept: (request: AcceptRequest) => Promise<Answer>) => Promise<T>
  ): Promise<T>
}

export interface AcceptLimits extends BatcherOptions {
  /** Bytes of all requests in progress. */
  readonly maxBytes: number
}

/** Larger transactions hold their locks too long; more waiting sends fill the memory, and their clients time out. */
const ACCEPT_LIMITS: AcceptLimits = { maxBatchSize: 200, maxBytes: 64 * 1024 ** 2, maxWaiting: 5000 }

interface PlacedRequest extends AcceptRequest {
  readonly bucket: number
  readonly placementHash: number
}

type PendingRequest = Pending<PlacedRequest, Answer>

interface Entry extends BatchEntry {
  readonly pending: PendingRequest
}

type LateSends = LateRequests<PlacedRequest, Answer, Entry>

/** @param providers - channels with a provider; the inbox needs none */
export function openAcceptor(
  context: Context,
  providers: ReadonlySet<Channel>,
  givenLimits: Partial<AcceptLimits> = {}
): Acceptor {
  const { live, queues } = context
  const log = context.log.child({ component: 'accept' })
  const renderContext = createRenderContext(context, providers)
  const limits = { ...ACCEPT_LIMITS, ...givenLimits }
  const budget = new ByteBudget(limits.maxBytes)
  const contacts = openContactCache()
  const batchers = new Map<DatabaseGroup, Batcher<PlacedRequest, Answer>>()

  const batcherFor = (group: DatabaseGroup): Batcher<PlacedRequest, Answer> => {
    const existing = batchers.get(group)
    if (existing) return existing
    const batcher = openBatcher<PlacedRequest, Answer, Entry>(limits, {
      prepare: pending => prepare(group, pending, contacts.read),
      write: (entries, late) => write(group, entries, late)
    })
    batchers.set(group, batcher)
    return batcher
  }

  const prepare = async (
    group: DatabaseGroup,
    batch: readonly PendingRequest[],
    readContacts: ContactCache['read']
  ): Promise<readonly Promise<Entry | undefined>[]> => {
    const now = context.clock()
    const ids = batch.map(({ request }) => uuidv7(request.placementHash, now))
    const users = batch.map(({ request }) => userKey(request))
    const types = await Promise.allSettled(
      batch.map(({ request }) => resolveType(context, request.environment.id, request.send, request.warnings))
    )
    const contactKeys = users.map((user, i) => {
      const type = types[i]!
      const { send } = batch[i]!.request
      return { ...user, ...sendTopic(send, type.status === 'fulfilled' ? type.value : undefined) }
    })
    const usersWithDevices = users.filter((_, i) => {
      const type = types[i]!
      return type.status === 'fulfilled' && needsDevices(batch[i]!.request.send, type.value)
    })
    // Contacts carry the erasure epoch, so they are read before the devices.
    const stored = await readContacts(group.sql, contactKeys)
    const devices = await readDevicesByUser(group, usersWithDevices)
    return batch.map(async (pending, i): Promise<Entry | undefined> => {
      const { request } = pending
      const type = types[i]!
      try {
        if (type.status === 'rejected') throw type.reason
        checkErasureEpoch(request.erasureEpoch, stored[i]!)
        const input = {
          ...request,
          contact: stored[i]!,
          devices: devices.get(users[i]!) ?? [],
          id: ids[i]!,
          now,
          type: type.value
        }
        const prepared =
          request.send.schedule === undefined
            ? await prepareSend(renderContext, input)
            : prepareSchedule(renderContext, input)
        return { pending, prepared }
      } catch (error) {
        refuse(group, pending, error)
        return undefined
      }
    })
  }

  const write = async (group: DatabaseGroup, entries: readonly Entry[], late: LateSends): Promise<void> => {
    try {
      const written = await writeBatch(group, entries)
      if (written.events.length > 0) live.publish(written.events)
      if (written.queues.size > 0) queues.wake(written.queues)
      for (const { answer, row } of written.sends) {
        context.recordSend?.(row.envId, row.notificationId, answer.status)
      }
    } catch (error) {
      if (isOutdated(error)) {
        const batch = entries.map(({ pending }) => pending)
        const preparing = await prepare(group, batch, contacts.readFresh)
        const current = await late.takePrepared(batch, preparing)
        if (current.length > 0) await write(group, current, late)
        return
      }
      const isUnavailable = isDatabaseUnavailable(error)
      // The commit may have happened, so open pages look for changes of these users.
      if (isUnavailable) live.recheck(entries.map(({ prepared }) => prepared.row))
      if (entries.length === 1 || isUnavailable) {
        for (const { pending } of entries) pending.reject(error)
        return
      }
      log.warn(
        { err: error, event: 'batch_failed', sendCount: entries.length },
        'batch of sends failed; writing its sends one by one'
      )
      await Promise.all(groupByUser(entries).map(ofUser => writeOneByOne(group, ofUser, late)))
    }
  }

  const writeOneByOne = async (
    group: DatabaseGroup,
    entries: readonly Entry[],
    late: LateSends
  ): Promise<void> => {
    for (const entry of entries) await write(group, [entry], late)
  }

  const place = (request: AcceptRequest): PlacedRequest => {
    const hash = placementHash(request.environment.id, request.send.to.id)
    return { ...request, bucket: hash >> 6, placementHash: hash }
  }

  const batcherOf = ({ bucket }: PlacedRequest): Batcher<PlacedRequest, Answer> =>
    batcherFor(context.db.of(bucket))

  return {
    async accept(request, bytes = 0) {
      const placed = place(request)
      const batcher = batcherOf(placed)
      if (batcher.isFull()) throw tooManySends()
      return budget.run(request.environment.id, bytes, () => batcher.add(placed))
    },
    async admit(envId, bytes, work) {
      // The users may be in any database group.
      if ([...batchers.values()].some(batcher => batcher.isFull())) throw tooManySends()
      const add = (request: AcceptRequest): Promise<Answer> => {
        const placed = place(request)
        return batcherOf(placed).add(placed)
      }
      return budget.run(envId, bytes, () => work(add))
    }
  }
}

const userKey = ({ bucket, environment, send }: PlacedRequest): UserKey => ({
  bucket,
  envId: environment.id,
  userId: send.to.id
})

/** The keys of the map are the objects in `users`. */
async function readDevicesByUser(
  { sql }: DatabaseGroup,
  users: readonly UserKey[]
): Promise<ReadonlyMap<UserKey, readonly Device[]>> {
  const devices = await readDevices(sql, users)
  return new Map(users.map((user, i) => [user, devices[i]!]))
}

/** If the database is down or full, writing the sends one by one would only delay the answers. */
const isDatabaseUnavailable = (error: unknown): boolean =>
  !isTooSlow(error) && ['full', 'standby', 'unavailable'].includes(classifyFailure(error) ?? '')

/** Sends of one user keep their order. */
const groupByUser = (entries: readonly Entry[]): Entry[][] => [
  ...Map.groupBy(entries, ({ prepared: { row } }) => JSON.stringify([row.envId, row.userId])).values()
]

/** A repeated request gets the answer of the first one, even if its type or template was deleted since. */
function refuse(group: DatabaseGroup, { reject, request, resolve }: PendingRequest, error: unknown): void {
  if (!request.claim) reject(error)
  else runOnce(group, request.claim, () => Promise.reject(error)).then(resolve, reject)
}
