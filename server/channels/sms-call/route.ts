// Where the provider of SMS and calls reports back. Everything is believed by its signature alone.

import { chooseSmsProvider } from '../../config/phone.ts'
import { systemClock } from '../../core/clock.ts'
import { bucketOfId, isTrackingId, placementHashInId, uuidv7 } from '../../core/id.ts'
import { Problem } from '../../http/problem.ts'
import { route, type Answer, type CallOf, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { heed } from './inbound.ts'
import type { Report } from './phone-provider.ts'
import { openPhone, place } from './providers.ts'
import { readWords, recordReceipt } from './sms-call.sql.ts'

/** An answer that every provider takes for "nothing more to do". */
const THANKS: Answer = {
  body: '<?xml version="1.0" encoding="UTF-8"?><Response/>',
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  status: 200
}

const post = (path: string, handle: (call: CallOf['anyone']) => Promise<Answer>): Route => ({
  ...route('POST', path, 'anyone', handle),
  raw: true
})

/** None without a provider, or where nobody can reach us. */
export function callBackRoutes(
  context: Pick<Context, 'clock' | 'config' | 'db' | 'queues' | 'live' | 'outbound' | 'types'>
): Route[] {
  const { config, db } = context
  // How old a call-back is, is told by the provider's clock and the machine's; what is stored of it by the context’s.
  const phone = openPhone({ ...context, clock: systemClock })
  const name = chooseSmsProvider(config)
  if (!phone || config.publicUrl === undefined) return []

  /** @param path - below the provider's, as it was given out */
  const read = ({ body, headers, query }: CallOf['anyone'], path: string): Report => {
    const url = `${place(config, path)}${query.size > 0 ? `?${query}` : ''}`
    const report = phone.read({ body: body as Buffer, headers, url })
    if (!report) throw new Problem('unauthorized', 'The signature is wrong.')
    return report
  }

  const status = (channel: 'SMS' | 'CALL'): Route => {
    const part = channel === 'SMS' ? 'sms' : 'call'
    return post(`/callbacks/${name}/${part}/:sendId`, async call => {
      const sendId = call.params['sendId'] ?? ''
      const report = read(call, `${part}/${sendId}`)
      if (report.kind !== 'receipt' || !isTrackingId(sendId)) return THANKS
      const bucket = bucketOfId(sendId)
      const id = uuidv7(placementHashInId(sendId), context.clock())
      await recordReceipt(db.of(bucket), { bucket, channel, id, report, sendId })
      return THANKS
    })
  }

  const { say } = phone
  const answer = post(`/callbacks/${name}/answer/:id`, async call => {
    const id = call.params['id'] ?? ''
    read(call, `answer/${id}`)
    const bucket = isTrackingId(id) ? bucketOfId(id) : undefined
    const words = bucket === undefined ? undefined : await readWords(db.of(bucket), bucket, id)
    if (!words || !say) throw new Problem('not-found', 'There are no words for this call (any more).')
    const { body, type } = say(words.text, words.language)
    return { body, headers: { 'content-type': type }, status: 200 }
  })

  return [
    status('SMS'),
    status('CALL'),
    post(`/callbacks/${name}/inbound`, async call => {
      const report = read(call, 'inbound')
      if (report.kind === 'inbound') await heed(context, report)
      return THANKS
    }),
    ...(say ? [answer] : [])
  ]
}
