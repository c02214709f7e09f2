// A sending server for tests: real database, real routes, and what a test may want to see of what follows a commit.

import { pino } from 'pino'

import type { Channel } from '#protocol'

import type { InboxEvent } from '../../server/core/live-updates.ts'
import type { Db } from '../../server/db/db.ts'
import { openEnvironments } from '../../server/environments/environments.sql.ts'
import { openOutbound } from '../../server/outbound/outbound.ts'
import { simulateRoutes } from '../../server/preview/simulate/route.ts'
import type { Context } from '../../server/process/context.ts'
import type { QueueName } from '../../server/queue/queues.ts'
import { openSendModule, type SendModule, type SendModuleLimits } from '../../server/send/send-module.ts'
import { createRenderer } from '../../server/types/templates/render.ts'
import { openTypes } from '../../server/types/types.sql.ts'
import { testConfig } from '../http/serve.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'

export interface TestKit extends Context {
  /** What was published, in order. */
  readonly events: InboxEvent[]
  readonly woken: Set<QueueName>
  /** Users whose changed preferences were published, in order. */
  readonly chosen: string[]
}

export function testKit(db: Db, env: Readonly<Record<string, string>> = {}): TestKit {
  const config = testConfig(env)
  const log = pino({ level: 'silent' })
  const chosen: string[] = []
  const events: InboxEvent[] = []
  const woken = new Set<QueueName>()
  return {
    chosen,
    clock: Date.now,
    config,
    db,
    environments: openEnvironments(db, TEST_ENCRYPTION),
    events,
    queues: {
      idle: () => Promise.resolve(),
      paused: () => [],
      start() {},
      stop: () => Promise.resolve(),
      wake(queues) {
        for (const queue of queues) woken.add(queue)
      }
    },
    live: {
      preferencesChanged: user => void chosen.push(user.userId),
      recheck() {},
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
export function testSender(
  context: Context,
  providers = PROVIDERS,
  limits: SendModuleLimits = {}
): SendModule {
  const sender = openSendModule(context, providers, limits)
  return { ...sender, routes: [...sender.routes, ...simulateRoutes(context, providers)] }
}
