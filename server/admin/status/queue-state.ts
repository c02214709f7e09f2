// Says for each queue of a channel whether it runs, and if not, why: from pauses by operators and from what the processes report. Pure.

import type { ChannelQueue } from '../../channels/channel.ts'
import { CHANNEL_QUEUES, providerName, SANDBOX } from '../../channels/provider-names.ts'
import type { QueuePause as WirePause } from '../../client/queues.ts'
import type { DeliveryQueue } from '../../client/status.ts'
import type { Config } from '../../config/config.ts'
import type { QueuePause } from '../../queue/pauses/pauses.sql.ts'
import { toWirePause } from '../../queue/pauses/wire.ts'
import { toChannel } from '../../queue/queues.ts'
import type { WaitingRows } from '../../queue/status/waiting.sql.ts'
import type { NodeRow } from '../nodes/nodes.sql.ts'

const stateOf = (
  provider: string,
  fault: DeliveryQueue['fault'],
  paused: WirePause | undefined
): DeliveryQueue['state'] => {
  if (paused) return 'paused'
  if (fault) return 'provider-failing'
  return provider === SANDBOX ? 'sandbox' : 'running'
}

interface QueueFacts {
  readonly config: Config
  readonly nodes: readonly Pick<NodeRow, 'state'>[]
  readonly pauses: readonly QueuePause[]
  /** Of all database groups. */
  readonly waiting: readonly WaitingRows[]
}

function toQueue(queue: ChannelQueue, { config, nodes, pauses, waiting }: QueueFacts): DeliveryQueue {
  const rows = waiting.filter(row => row.queue === queue)
  const ages = rows.flatMap(row => row.oldestDueSeconds ?? [])
  // The fault that began first says since when the provider fails.
  const [fault] = nodes
    .flatMap(({ state }) => state.paused)
    .filter(one => one.queue === queue)
    .toSorted((a, b) => (a.since < b.since ? -1 : 1))
  const pause = pauses.find(one => one.queue === queue)
  const paused = pause && toWirePause(pause)
  const provider = providerName(queue, config)
  return {
    queue,
    channel: toChannel(queue),
    provider,
    state: stateOf(provider, fault, paused),
    waiting: {
      count: rows.reduce((sum, { count }) => sum + count, 0),
      isAtLeast: rows.some(({ isAtLeast }) => isAtLeast)
    },
    ...(ages.length > 0 && { oldestDueSeconds: Math.max(0, ...ages) }),
    ...(fault && { fault: { code: fault.code, since: fault.since, until: fault.until } }),
    ...(paused && { paused })
  }
}

export const toQueues = (facts: QueueFacts): DeliveryQueue[] =>
  CHANNEL_QUEUES.map(queue => toQueue(queue, facts))
