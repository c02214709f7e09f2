// Connects the parts of `send/`: its routes, and the database jobs of schedules, digests and delayed channels.

import type { Channel } from '#protocol'

import type { Route } from '../http/route.ts'
import type { Context } from '../process/context.ts'
import type { DatabaseJob } from '../queue/queue-job.ts'
import { openAcceptor, type AcceptLimits } from './accept/accept.ts'
import { digestJob, type DigestLimits } from './digest/digest-job.ts'
import { digestRoutes } from './digest/list/route.ts'
import { escalationJob } from './escalation/escalation-job.ts'
import { heldJob } from './hold/held-job.ts'
import { openListSender } from './list/send-list.ts'
import { resendRoutes } from './resend/route.ts'
import { sendRoutes } from './route.ts'
import { scheduleRoutes } from './schedule/route.ts'
import { scheduleJob } from './schedule/schedule-job.ts'

export interface SendModule {
  readonly routes: Route[]
  readonly schedule: DatabaseJob
  readonly digest: DatabaseJob
  readonly escalation: DatabaseJob
  readonly held: DatabaseJob
}

export interface SendModuleLimits {
  readonly batch?: Partial<AcceptLimits>
  readonly digest?: Partial<DigestLimits>
  /** Held rows of one transaction. */
  readonly heldRows?: number
  /** Limit for the sends that one transaction of the queue SCHEDULE, or one page of schedules, reads. */
  readonly scheduleBytes?: number
}

/**
 * @param providers - channels with a provider; the inbox needs none
 * @param limits - default: the limits of each part
 */
export function openSendModule(
  context: Context,
  providers: ReadonlySet<Channel>,
  limits: SendModuleLimits = {}
): SendModule {
  const acceptor = openAcceptor(context, providers, limits.batch)
  return {
    digest: digestJob(context, limits.digest),
    held: heldJob(context, limits.heldRows),
    escalation: escalationJob(context, providers, limits.scheduleBytes),
    routes: [
      ...sendRoutes(context, acceptor, openListSender(context, acceptor)),
      ...resendRoutes(context, acceptor),
      ...scheduleRoutes(context, providers, limits.scheduleBytes),
      ...digestRoutes(context)
    ],
    schedule: scheduleJob(context, providers, limits.scheduleBytes)
  }
}
