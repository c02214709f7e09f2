// Accepts sends: what arrives while a transaction is under way is written together in the next one.
//
// A caller hears of success only after the commit, and nothing leaves the process before it either.

import type { Channel } from '#protocol'

import type { Environment } from '../../config/environment.ts'
import { placementHash, uuidv7, type UserKey } from '../../core/id.ts'
import type { Group } from '../../db/db.ts'
import { isConflict, isOutdated, isTooSlow } from '../../db/failure.ts'
import { once, type Claim } from '../../http/idempotency.ts'
import { problemOf } from '../../http/problem-from-error.ts'
import type { Answer } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import type { Device } from '../../users/device.ts'
import { readDevices } from '../../users/devices.sql.ts'
import type { Read } from '../parse-send.ts'
import { reachesDevices } from '../plan/plan.ts'
import { typeFor } from '../plan/send-type.ts'
import { openGroups, type Groups, type GroupsOptions, type Pending } from './batcher.ts'
import { openContacts, type Contacts } from './contact-cache.ts'
import { draftOf, draftOfSchedule, topicOf, type Desk } from './prepared-send.ts'
import { commit, type Entry } from './write-batch.ts'

/** One request, checked. */
export interface Job extends Read {
  readonly environment: Environment
  /** Undefined: the caller sent no idempotency key. */
  readonly claim: Claim | undefined
}

export interface Acceptor {
  /**
   * Resolves after the commit.
   *
   * @param bytes - of the request: what it costs in memory until it is written. Default: 0, it may always wait
   * @throws Problem
   */
  accept(job: Job, bytes?: number): Promise<Answer>
}

/** Larger transactions hold their locks too long; more waiting sends fill the memory, and their clients time out. */
const BATCH_LIMITS: GroupsOptions = { bytes: 64 * 1024 ** 2, limit: 5000, size: 200 }

interface Placed extends Job {
  readonly bytes: number
  readonly bucket: number
  readonly place: number
}

type Waiting = Pending<Placed, Answer>

interface Ready extends Entry {
  readonly pending: Waiting
}

/** @param providers - channels that can deliver, besides the inbox */
export function openAcceptor(
  context: Context,
  providers: ReadonlySet<Channel>,
  limits: Partial<GroupsOptions> = {}
): Acceptor {
  const desk: Desk = { providers, renderer: context.renderer, zone: context.config.timezone }
  const contacts = openContacts()
  const groups = new Map<Group, Groups<Placed, Answer>>()

  const groupsOf = (group: Group): Groups<Placed, Answer> => {
    const known = groups.get(group)
    if (known) return known
    const made = openGroups<Placed, Answer, Ready>(
      { ...BATCH_LIMITS, ...limits },
      { prepare: waiting => prepare(group, waiting, contacts.read), write: entries => write(group, entries) }
    )
    groups.set(group, made)
    return made
  }

  const prepare = async (
    group: Group,
    waiting: readonly Waiting[],
    read: Contacts['read']
  ): Promise<readonly Ready[]> => {
    const now = context.clock()
    const ids = waiting.map(({ job }) => uuidv7(job.place, now))
    const users = waiting.map(({ job }) => keyOf(job))
    const types = await Promise.allSettled(
      waiting.map(({ job }) => typeFor(context, job.environment.id, job.send, job.warnings))
    )
    const asked = users.map((user, i) => {
      const type = types[i]!
      return {
        ...user,
        ...topicOf(waiting[i]!.job.send, type.status === 'fulfilled' ? type.value : undefined)
      }
    })
    const reaching = users.filter((_, i) => {
      const type = types[i]!
      return type.status === 'fulfilled' && reachesDevices(waiting[i]!.job.send, type.value)
    })
    // Together with the erasure epochs, so before the devices.
    const known = await read(group.sql, asked)
    const devices = await devicesOf(group, reaching)
    const entries = await Promise.all(
      waiting.map(async (pending, i): Promise<Ready | undefined> => {
        const { job } = pending
        const typed = types[i]!
        try {
          if (typed.status === 'rejected') throw typed.reason
          const reached = devices.get(users[i]!) ?? []
          const input = { ...job, contact: known[i]!, devices: reached, id: ids[i]!, now, type: typed.value }
          const later = job.send.schedule !== undefined
          return { draft: later ? draftOfSchedule(desk, input) : await draftOf(desk, input), pending }
        } catch (error) {
          refuse(group, pending, error)
          return undefined
        }
      })
    )
    return entries.filter(entry => entry !== undefined)
  }

  const write = async (group: Group, entries: readonly Ready[]): Promise<void> => {
    try {
      await settle(group, entries)
    } catch (error) {
      if (isOutdated(error)) {
        const again = entries.map(({ pending }) => pending)
        const ready = await prepare(group, again, contacts.readAgain)
        if (ready.length > 0) await write(group, ready)
        return
      }
      const isAway = isOutage(error)
      if (isAway) context.live.recheck(entries.map(({ draft }) => draft.row))
      if (entries.length === 1 || isAway) {
        for (const { pending } of entries) pending.reject(error)
        return
      }
      context.log.warn(
        { err: error, sends: entries.length },
        'a group of sends failed, trying them one by one'
      )
      await Promise.all(byUser(entries).map(own => writeAlone(group, own)))
    }
  }

  const writeAlone = async (group: Group, entries: readonly Ready[]): Promise<void> => {
    for (const entry of entries) await write(group, [entry])
  }

  const settle = async (group: Group, entries: readonly Entry[]): Promise<void> => {
    const { events, queues } = await commit(group, entries)
    if (events.length > 0) context.live.publish(events)
    if (queues.size > 0) context.queues.wake(queues)
  }

  return {
    async accept(job, bytes = 0) {
      const place = placementHash(job.environment.id, job.send.to.id)
      const bucket = place >> 6
      return groupsOf(context.db.of(bucket)).add({ ...job, bucket, bytes, place })
    }
  }
}

const keyOf = ({ bucket, environment, send }: Placed): UserKey => ({
  bucket,
  envId: environment.id,
  userId: send.to.id
})

/** By the very keys that were asked for. */
async function devicesOf(
  { sql }: Group,
  users: readonly UserKey[]
): Promise<ReadonlyMap<UserKey, readonly Device[]>> {
  const devices = await readDevices(sql, users)
  return new Map(users.map((user, i) => [user, devices[i]!]))
}

/** The database is away or full: trying the sends one by one would only make the callers wait. */
const isOutage = (error: unknown): boolean =>
  !isConflict(error) && !isTooSlow(error) && problemOf(error).status >= 503

/** Users side by side, the sends of one in their order. */
const byUser = (entries: readonly Ready[]): Ready[][] => [
  ...Map.groupBy(entries, ({ draft: { row } }) => JSON.stringify([row.envId, row.userId])).values()
]

/** A repeated request whose send was accepted before gets its answer, whatever has become of type and templates. */
function refuse(group: Group, { job, resolve, reject }: Waiting, error: unknown): void {
  if (!job.claim) reject(error)
  else once(group, job.claim, () => Promise.reject(error)).then(resolve, reject)
}
