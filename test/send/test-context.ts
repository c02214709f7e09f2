// A sending server for tests: real database, real routes, and what a test may want to see of what follows a commit.

import { pino } from 'pino'

import type { Channel } from '#protocol'

import type { InboxEvent } from '../../server/core/inbox-event.ts'
import type { Db } from '../../server/db/db.ts'
import { openEnvironments } from '../../server/environments/environments.sql.ts'
import { openOutbound } from '../../server/outbound/outbound.ts'
import { simulateRoutes } from '../../server/preview/simulate/route.ts'
import type { Kit } from '../../server/process/context.ts'
import type { LaneName } from '../../server/queue/queues.ts'
import { openSender, type Sender } from '../../server/send/send-module.ts'
import { createRenderer } from '../../server/types/templates/render.ts'
import { openTypes } from '../../server/types/types.sql.ts'
import { testConfig } from '../http/serve.ts'
import { SEAL } from '../support/seal.ts'

export interface TestKit extends Kit {
  /** What was published, in order. */
  readonly events: InboxEvent[]
  readonly woken: Set<LaneName>
  /** Users of whom it was told that their preferences have changed, in order. */
  readonly chosen: string[]
}

export function testKit(db: Db, env: Readonly<Record<string, string>> = {}): TestKit {
  const config = testConfig(env)
  const log = pino({ level: 'silent' })
  const chosen: string[] = []
  const events: InboxEvent[] = []
  const woken = new Set<LaneName>()
  return {
    chosen,
    clock: Date.now,
    config,
    db,
    environments: openEnvironments(db, SEAL),
    events,
    lanes: {
      idle: () => Promise.resolve(),
      resting: () => [],
      start() {},
      stop: () => Promise.resolve(),
      wake(lanes) {
        for (const lane of lanes) woken.add(lane)
      }
    },
    live: {
      chosen: user => void chosen.push(user.userId),
      doubt() {},
      publish: more => void events.push(...more)
    },
    log,
    outbound: openOutbound({ config }),
    renderer: createRenderer(config),
    types: openTypes(db, log),
    woken
  }
}

export const PROVIDERS: ReadonlySet<Channel> = new Set<Channel>(['EMAIL'])

/** The send module with the routes of simulations beside its own. */
export function testSender(kit: Kit, providers = PROVIDERS): Sender {
  const sender = openSender(kit, providers)
  return { ...sender, routes: [...sender.routes, ...simulateRoutes(kit, providers)] }
}
