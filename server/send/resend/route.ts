// The route that sends again what the log keeps of a send: POST /:clientId/logs/:trackingId/resend.

import type { Channel } from '#protocol'

import { retentionInDays } from '../../config/environment-settings.ts'
import { bucketOfId, isTrackingId, timeInId } from '../../core/id.ts'
import { idempotencyKeyOf } from '../../http/idempotency.ts'
import { invalidFields, parseInput } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { route, type BackEndCall, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { CONTENT_FIELDS } from '../../types/templates/content.ts'
import type { Acceptor } from '../accept/accept.ts'
import { inlineChannels, type Send } from '../send-request.ts'
import { resendBody, resendDoc } from './doc.ts'
import { readLoggedSend, type LoggedSend } from './resend.sql.ts'

const DAY_MS = 86_400_000

export const resendRoutes = ({ clock, config, db }: Context, acceptor: Acceptor): Route[] => {
  const read = async ({ env, params }: BackEndCall, id: string): Promise<LoggedSend> => {
    const days = retentionInDays(env.settings, config)
    // The same answer for every id of that time, so it says nothing about sends of other environments.
    if (isTrackingId(params['trackingId'] ?? '') && timeInId(id) < clock() - days * DAY_MS) {
      throw new Problem(
        'conflict',
        `The log keeps sends for ${days} days. What this one said was deleted when they had ended.`
      )
    }
    const logged = isTrackingId(id) ? await readLoggedSend(db, env.id, id) : undefined
    if (logged) return logged
    throw new Problem(
      'not-found',
      'No send with this tracking id is in the log. The sends of a user are deleted when the user is erased.'
    )
  }

  return [
    {
      ...route('POST', '/:clientId/logs/:trackingId/resend', 'back-end', resendDoc, async call => {
        const { channels } = parseInput(resendBody, call.body ?? {}, { nulls: 'absent' })
        const id = (call.params['trackingId'] ?? '').toLowerCase()
        const logged = await read(call, id)
        const { body, bytes, erasureEpoch } = logged
        if (body.schedule !== undefined && Date.parse(body.schedule) > clock()) {
          throw new Problem(
            'conflict',
            `The send is scheduled for ${body.schedule}. Change its schedule instead.`
          )
        }
        const send = toResend(logged, id, channels)
        const claim = idempotencyKeyOf(call, send.to.id, bucketOfId(id))
        return acceptor.accept(
          { caller: call, claim, environment: call.env, erasureEpoch, send, warnings: [] },
          bytes
        )
      }),
      counts: ['requests', 'sends']
    }
  ]
}

/** @throws Problem that names each channel that the send did not have */
function toResend({ body, decisions }: LoggedSend, id: string, channels?: readonly Channel[]): Send {
  const { schedule: _, ...send } = body
  if (!channels) return { ...send, resendOf: id }
  const own = Object.keys(decisions).filter(channel => decisions[channel] !== 'not-in-type')
  const errors = channels.flatMap((channel, i) =>
    own.includes(channel)
      ? []
      : [{ detail: `The send had ${own.join(', ') || 'no channels'}.`, pointer: `#/channels/${i}` }]
  )
  if (errors.length > 0) throw invalidFields(errors)
  const excluded = inlineChannels(send).filter(channel => !channels.includes(channel))
  const content = Object.fromEntries(excluded.map(channel => [CONTENT_FIELDS[channel], undefined]))
  return { ...send, ...content, forceChannels: [...new Set(channels)], resendOf: id }
}
