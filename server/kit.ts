// What the features of one process share, made once in node.ts and handed down.

import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Db } from './db/sql.ts'
import type { Environments } from './environments/environment.ts'
import type { Live } from './live/live.ts'
import type { Log } from './log.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Lanes } from './queue/lanes.ts'
import type { Renderer } from './templates/render.ts'
import type { TypeStore } from './types/type.ts'

export interface Kit {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly db: Db
  readonly environments: Environments
  readonly types: TypeStore
  readonly renderer: Renderer
  readonly live: Live
  readonly lanes: Lanes
  readonly outbound: Outbound
}
