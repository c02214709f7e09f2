// The sending half of the server, put together: its routes, and the queues of what waits for its time.

import type { Channel } from '#protocol'

import type { Route } from '../http/route.ts'
import type { Context } from '../process/context.ts'
import type { DatabaseJob } from '../queue/queue-job.ts'
import { openAcceptor } from './accept/accept.ts'
import { digestJob } from './digest/digest-job.ts'
import { sendRoutes } from './route.ts'
import { scheduleRoutes } from './schedule/route.ts'
import { scheduleJob } from './schedule/schedule-job.ts'

export interface SendModule {
  readonly routes: Route[]
  /** For the queues. */
  readonly schedule: DatabaseJob
  readonly digest: DatabaseJob
}

/** @param providers - channels that can deliver, besides the inbox */
export function openSendModule(context: Context, providers: ReadonlySet<Channel>): SendModule {
  const acceptor = openAcceptor(context, providers)
  return {
    digest: digestJob(context),
    routes: [...sendRoutes(context, acceptor), ...scheduleRoutes(context, providers)],
    schedule: scheduleJob(context, providers)
  }
}
