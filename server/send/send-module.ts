// The sending half of the server, put together: its routes, and the lanes of what waits for its time.

import type { Channel } from '#protocol'

import type { Route } from '../http/route.ts'
import type { Kit } from '../process/context.ts'
import type { Step } from '../queue/queue-job.ts'
import { openAcceptor } from './accept/accept.ts'
import { digestLane } from './digest/digest-job.ts'
import { sendRoutes } from './route.ts'
import { scheduleRoutes } from './schedule/route.ts'
import { scheduleLane } from './schedule/schedule-job.ts'

export interface Sender {
  readonly routes: Route[]
  /** For the lanes. */
  readonly schedule: Step
  readonly digest: Step
}

/** @param providers - channels that can deliver, besides the inbox */
export function openSender(kit: Kit, providers: ReadonlySet<Channel>): Sender {
  const acceptor = openAcceptor(kit, providers)
  return {
    digest: digestLane(kit),
    routes: [...sendRoutes(kit, acceptor), ...scheduleRoutes(kit, providers)],
    schedule: scheduleLane(kit, providers)
  }
}
