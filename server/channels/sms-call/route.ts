// Callbacks of the provider of SMS and calls. Their signature is their only authentication.

import { chooseSmsProvider } from '../../config/phone.ts'
import { systemClock } from '../../core/clock.ts'
import { bucketOfId, isTrackingId, placementHashInId, uuidv7 } from '../../core/id.ts'
import { Problem } from '../../http/problem.ts'
import { route, type Answer, type CallOf, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { handleReply } from './inbound.ts'
import type { Report } from './phone-provider.ts'
import { openPhoneProvider, callbackUrl } from './providers.ts'
import { isReplay, recordHandled } from './replays.sql.ts'
import { readCallText, recordReceipt } from './sms-call.sql.ts'

/** Every provider understands this as "nothing more to do". */
const EMPTY_ANSWER: Answer = {
  body: '<?xml version="1.0" encoding="UTF-8"?><Response/>',
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  status: 200
}

/** Longer than a send stays in the log by default, and than the text of a call is stored. */
const RETENTION_DAYS = 30

/** Of replies: after a replayed STOP, a user would get no messages any more. Twilio and Plivo sign no time. */
const REPLY_RETENTION_DAYS = 400

/** Plivo may request the text of a call again if it did not receive the answer. */
const ANSWER_GRACE_SECONDS = 60

interface ReplayOptions {
  readonly graceSeconds?: number
  /** The work can be done twice without harm if the body is the same. */
  readonly isRepeatable?: boolean
  readonly retentionDays?: number
}

const post = (path: string, handle: (call: CallOf['anyone']) => Promise<Answer>): Route => ({
  ...route('POST', path, 'anyone', handle),
  raw: true
})

/** @returns no routes without a provider or without `NOTIF_PUBLIC_URL` */
export function callbackRoutes(
  context: Pick<Context, 'clock' | 'config' | 'db' | 'queues' | 'live' | 'outbound' | 'types'>
): Route[] {
  const { config, db } = context
  // The age of a callback is measured with the system's clock, which agrees with the provider's. Stored times use the context's.
  const phone = openPhoneProvider({ ...context, clock: systemClock })
  const name = chooseSmsProvider(config)
  if (!phone || config.publicUrl === undefined) return []

  /**
   * Checks the signature, and does the work unless the callback is a replay, which is answered as if there were nothing to do.
   *
   * @param path - as the provider was given it, behind its prefix
   * @throws Problem `unauthorized`
   */
  const handleOnce = async (
    { body, headers, query }: CallOf['anyone'],
    path: string,
    { graceSeconds = 0, isRepeatable = false, retentionDays = RETENTION_DAYS }: ReplayOptions,
    work: (report: Report) => Promise<Answer | void>
  ): Promise<Answer> => {
    const url = `${callbackUrl(config, path)}${query.size > 0 ? `?${query}` : ''}`
    const signed = phone.readCallback({ body: body as Buffer, headers, url })
    if (!signed) throw new Problem('unauthorized', 'The signature of the callback is wrong.')
    const { isBodySigned, report, signature } = signed
    // A repeated receipt changes nothing, unless its body can be exchanged.
    if (isRepeatable && isBodySigned) return (await work(report)) ?? EMPTY_ANSWER
    if (await isReplay(db, signature, graceSeconds)) return EMPTY_ANSWER
    const answer = (await work(report)) ?? EMPTY_ANSWER
    await recordHandled(db, signature, retentionDays)
    return answer
  }

  const receiptRoute = (channel: 'SMS' | 'CALL'): Route => {
    const segment = channel === 'SMS' ? 'sms' : 'call'
    return post(`/callbacks/${name}/${segment}/:sendId`, call => {
      const sendId = call.params['sendId'] ?? ''
      return handleOnce(call, `${segment}/${sendId}`, { isRepeatable: true }, async report => {
        if (report.kind !== 'receipt' || !isTrackingId(sendId)) return
        const bucket = bucketOfId(sendId)
        const id = uuidv7(placementHashInId(sendId), context.clock())
        await recordReceipt(db.of(bucket), { bucket, channel, id, report, sendId })
      })
    })
  }

  const { toSpeech } = phone
  const callTextRoute = post(`/callbacks/${name}/answer/:id`, call => {
    const id = call.params['id'] ?? ''
    return handleOnce(call, `answer/${id}`, { graceSeconds: ANSWER_GRACE_SECONDS }, async () => {
      const bucket = isTrackingId(id) ? bucketOfId(id) : undefined
      const stored = bucket === undefined ? undefined : await readCallText(db.of(bucket), bucket, id)
      if (!stored || !toSpeech) throw new Problem('not-found', 'No text of a call with this id is stored.')
      const { body, type } = toSpeech(stored.text, stored.language)
      return { body, headers: { 'content-type': type }, status: 200 }
    })
  })

  const inboundRoute = post(`/callbacks/${name}/inbound`, call =>
    handleOnce(call, 'inbound', { retentionDays: REPLY_RETENTION_DAYS }, async report => {
      if (report.kind === 'inbound') await handleReply(context, report)
    })
  )

  return [receiptRoute('SMS'), receiptRoute('CALL'), inboundRoute, ...(toSpeech ? [callTextRoute] : [])]
}
