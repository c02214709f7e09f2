// The context of a process: configuration, log, database and services that its modules share. Created in node.ts.

import type { Config } from '../config/config.ts'
import type { Environments } from '../config/environment-settings.ts'
import type { Clock } from '../core/clock.ts'
import type { LiveUpdates } from '../core/live-updates.ts'
import type { Log } from '../core/log.ts'
import type { Db } from '../db/db.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Queues } from '../queue/queues.ts'
import type { Renderer } from '../types/templates/render.ts'
import type { TypeStore } from '../types/type.ts'

export interface Context {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly db: Db
  readonly environments: Environments
  readonly types: TypeStore
  readonly renderer: Renderer
  readonly live: LiveUpdates
  readonly queues: Queues
  readonly outbound: Outbound
  /** Counts an accepted send for the metrics. @param status - of its answer */
  readonly recordSend?: (envId: string, typeId: string, status: number) => void
}
