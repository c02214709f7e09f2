// The sending half of the server, put together: its routes, and the queues of what waits for its time.

import type { Channel } from '#protocol'

import type { Route } from '../http/route.ts'
import type { Context } from '../process/context.ts'
import type { DatabaseJob } from '../queue/queue-job.ts'
import { openAcceptor } from './accept/accept.ts'
import type { GroupsOptions } from './accept/batcher.ts'
import { digestJob, type DigestLimits } from './digest/digest-job.ts'
import { sendRoutes } from './route.ts'
import { scheduleRoutes } from './schedule/route.ts'
import { scheduleJob } from './schedule/schedule-job.ts'

export interface SendModule {
  readonly routes: Route[]
  /** For the queues. */
  readonly schedule: DatabaseJob
  readonly digest: DatabaseJob
}

export interface SenderLimits {
  readonly batch?: Partial<GroupsOptions>
  readonly digest?: Partial<DigestLimits>
  /** Bytes of sends that one transaction of the schedule queue, or a page of schedules, reads. */
  readonly scheduleBytes?: number
}

/**
 * @param providers - channels that can deliver, besides the inbox
 * @param limits - defaults: those of each part
 */
export function openSendModule(
  context: Context,
  providers: ReadonlySet<Channel>,
  limits: SenderLimits = {}
): SendModule {
  const acceptor = openAcceptor(context, providers, limits.batch)
  return {
    digest: digestJob(context, limits.digest),
    routes: [...sendRoutes(context, acceptor), ...scheduleRoutes(context, providers, limits.scheduleBytes)],
    schedule: scheduleJob(context, providers, limits.scheduleBytes)
  }
}
