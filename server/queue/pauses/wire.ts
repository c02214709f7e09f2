// A pause by an operator as answers show it. Pure.

import type { QueuePause as WirePause } from '../../client/queues.ts'
import type { QueuePause } from './pauses.sql.ts'

export const toWirePause = ({ by, since, until }: QueuePause): WirePause => ({
  by,
  since: since.toISOString(),
  ...(until && { until: until.toISOString() })
})
