// Probes the provider of a queue now, for operators.

import { Problem } from '../../http/problem.ts'
import { ok, route, type Route } from '../../http/route.ts'
import { readQueueName } from '../../queue/pauses/route.ts'
import type { ChannelQueue } from '../channel.ts'
import { CHANNEL_QUEUES, providerName } from '../provider-names.ts'
import { probeDoc } from './doc.ts'
import { probeProvider, type ProbeContext } from './probe-provider.ts'

/** @param repeatEmailProbes - tests the mail server again for /readyz */
export function probeRoutes(context: ProbeContext, repeatEmailProbes: () => void): Route[] {
  // Requests during a probe share its result, so that a provider is not asked many times at once.
  const running = new Map<ChannelQueue, ReturnType<typeof probeProvider>>()
  const probe = (queue: ChannelQueue): ReturnType<typeof probeProvider> => {
    const current = running.get(queue) ?? probeProvider(queue, context).finally(() => running.delete(queue))
    running.set(queue, current)
    return current
  }
  return [
    route('POST', '/queues/:queue/probe', 'admin', probeDoc, async call => {
      const name = readQueueName(call)
      const queue = CHANNEL_QUEUES.find(one => one === name)
      if (!queue) throw new Problem('not-found', `The queue ${name} has no provider.`)
      const checks = await probe(queue)
      if (queue === 'EMAIL') repeatEmailProbes()
      return ok({
        at: new Date(context.clock()).toISOString(),
        checks,
        provider: providerName(queue, context.config),
        queue
      })
    })
  ]
}
