// GET /{clientId}/first-steps: what a new environment has done already, for the first run of the dashboard.

import { CHANNEL_QUEUES, providerName, SANDBOX } from '../../channels/provider-names.ts'
import { timeInId } from '../../core/id.ts'
import { ok, route, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { firstStepsDoc } from './doc.ts'
import {
  readFirstDelivery,
  readFirstSend,
  readFirstType,
  readOpenedInbox,
  type StepSend
} from './first-steps.sql.ts'

const toStep = (id: 'send' | 'delivery', send: StepSend | undefined) => ({
  id,
  isDone: send !== undefined,
  ...(send && { at: new Date(timeInId(send.id)).toISOString(), trackingId: send.id, userId: send.userId })
})

const earliest = (sends: readonly (StepSend | undefined)[]): StepSend | undefined =>
  sends.flatMap(send => send ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1))[0]

export const firstStepsRoutes = ({ config, db }: Pick<Context, 'config' | 'db'>): Route[] => [
  route('GET', '/:clientId/first-steps', 'back-end', firstStepsDoc, async ({ env: { id } }) => {
    const [type, sends, deliveries, opened] = await Promise.all([
      readFirstType(db.control, id),
      Promise.all(db.groups.map(group => readFirstSend(group, id))),
      Promise.all(db.groups.map(group => readFirstDelivery(group, id))),
      readOpenedInbox(db, id)
    ])
    return ok({
      steps: [
        toStep('send', earliest(sends)),
        {
          id: 'inbox',
          isDone: opened !== undefined,
          ...(opened && { at: opened.seenAt.toISOString(), userId: opened.userId })
        },
        { id: 'type', isDone: type !== undefined, ...(type !== undefined && { type }) },
        { id: 'provider', isDone: CHANNEL_QUEUES.some(queue => providerName(queue, config) !== SANDBOX) },
        toStep('delivery', earliest(deliveries))
      ]
    })
  })
]
