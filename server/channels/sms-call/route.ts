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
import { readCallText, recordReceipt } from './sms-call.sql.ts'

/** Every provider understands this as "nothing more to do". */
const EMPTY_ANSWER: Answer = {
  body: '<?xml version="1.0" encoding="UTF-8"?><Response/>',
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  status: 200
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

  /** @param path - as the provider was given it, behind its prefix. @throws Problem */
  const readReport = ({ body, headers, query }: CallOf['anyone'], path: string): Report => {
    const url = `${callbackUrl(config, path)}${query.size > 0 ? `?${query}` : ''}`
    const report = phone.readCallback({ body: body as Buffer, headers, url })
    if (!report) throw new Problem('unauthorized', 'The signature of the callback is wrong.')
    return report
  }

  const receiptRoute = (channel: 'SMS' | 'CALL'): Route => {
    const segment = channel === 'SMS' ? 'sms' : 'call'
    return post(`/callbacks/${name}/${segment}/:sendId`, async call => {
      const sendId = call.params['sendId'] ?? ''
      const report = readReport(call, `${segment}/${sendId}`)
      if (report.kind !== 'receipt' || !isTrackingId(sendId)) return EMPTY_ANSWER
      const bucket = bucketOfId(sendId)
      const id = uuidv7(placementHashInId(sendId), context.clock())
      await recordReceipt(db.of(bucket), { bucket, channel, id, report, sendId })
      return EMPTY_ANSWER
    })
  }

  const { toSpeech } = phone
  const callTextRoute = post(`/callbacks/${name}/answer/:id`, async call => {
    const id = call.params['id'] ?? ''
    readReport(call, `answer/${id}`)
    const bucket = isTrackingId(id) ? bucketOfId(id) : undefined
    const stored = bucket === undefined ? undefined : await readCallText(db.of(bucket), bucket, id)
    if (!stored || !toSpeech) throw new Problem('not-found', 'No text of a call with this id is stored.')
    const { body, type } = toSpeech(stored.text, stored.language)
    return { body, headers: { 'content-type': type }, status: 200 }
  })

  return [
    receiptRoute('SMS'),
    receiptRoute('CALL'),
    post(`/callbacks/${name}/inbound`, async call => {
      const report = readReport(call, 'inbound')
      if (report.kind === 'inbound') await handleReply(context, report)
      return EMPTY_ANSWER
    }),
    ...(toSpeech ? [callTextRoute] : [])
  ]
}
