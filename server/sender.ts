// The sending half of the server, put together: its routes, and the lane of sends that wait for their time.

import type { Channel } from '#protocol'

import type { Route } from './http/route.ts'
import type { Kit } from './kit.ts'
import type { Step } from './queue/lane.ts'
import { scheduleLane } from './schedule/lane.ts'
import { scheduleRoutes } from './schedule/route.ts'
import { openAcceptor } from './send/accept.ts'
import { openDatabaseClock } from './send/clock.ts'
import { sendRoutes } from './send/route.ts'

export interface Sender {
  readonly routes: Route[]
  /** For the lanes. */
  readonly schedule: Step
}

/** @param providers - channels that can deliver, besides the inbox */
export function openSender(kit: Kit, providers: ReadonlySet<Channel>): Sender {
  const clock = openDatabaseClock(kit.clock, kit.db.control)
  const acceptor = openAcceptor(kit, { clock, providers })
  return {
    routes: [...sendRoutes(kit, { acceptor, clock }), ...scheduleRoutes(kit, { clock, providers })],
    schedule: scheduleLane(kit, { clock, providers })
  }
}
