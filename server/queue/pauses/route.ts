// Pauses and resumes a queue of all environments, for operators.

import type { Clock } from '../../core/clock.ts'
import type { Db } from '../../db/db.ts'
import { invalidFields, parseInput } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { ok, route, type CallOf, type Route } from '../../http/route.ts'
import { QUEUES, type QueueName } from '../queues.ts'
import { pauseDoc, resumeDoc } from './doc.ts'
import { deletePause, writePause } from './pauses.sql.ts'
import { pauseBody } from './schema.ts'
import { toWirePause } from './wire.ts'

/** @throws Problem `not-found` */
export function readQueueName({ params }: Pick<CallOf['admin'], 'params'>): QueueName {
  const name = QUEUES.find(queue => queue === params['queue']?.toUpperCase())
  if (!name) throw new Problem('not-found', `No queue has this name. Expected one of ${QUEUES.join(', ')}.`)
  return name
}

export const pauseRoutes = ({ clock, db }: { readonly clock: Clock; readonly db: Db }): Route[] => [
  route('POST', '/queues/:queue/pause', 'admin', pauseDoc, async call => {
    const queue = readQueueName(call)
    const { until = null } = parseInput(pauseBody, call.body ?? {})
    if (until !== null && until.getTime() <= clock())
      throw invalidFields([{ detail: 'Expected a time in the future.', pointer: '#/until' }])
    const pause = await writePause(db.control, { by: call.operator, queue, until })
    return ok({ paused: toWirePause(pause), queue })
  }),
  route('POST', '/queues/:queue/resume', 'admin', resumeDoc, async call => {
    const queue = readQueueName(call)
    await deletePause(db.control, queue)
    return ok({ queue })
  })
]
