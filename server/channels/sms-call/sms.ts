// Builds text messages, and the automatic replies to their answers.

import { describeTooLongSms } from '../../core/sms-segments.ts'
import type { Context } from '../../process/context.ts'
import type { Channel, Delivery, DeliveryBody, MessageResult } from '../channel.ts'
import { renderContent, rejectMessage, type ChannelOptions } from '../content.ts'
import type { SmsMessage } from './phone-provider.ts'
import { statusUrl } from './providers.ts'
import { findStopped } from './sms-call.sql.ts'

const TIMEOUT_MS = 20_000

/** Returns the absolute addresses of pictures. A path is completed with the public address of this server, if that is known. */
function readMediaUrls(fields: Readonly<Record<string, string>>, base: string | undefined): string[] {
  return Object.entries(fields)
    .filter(([name]) => name.startsWith('mediaUrls.'))
    .flatMap(([, address]) => URL.parse(address, base)?.href ?? [])
}

export function createSmsChannel({
  config,
  db,
  provider,
  ...context
}: ChannelOptions<SmsMessage> & Pick<Context, 'db'>): Channel<SmsMessage> {
  return {
    async buildMessage(delivery: Delivery): Promise<MessageResult<SmsMessage>> {
      const { body, sendId } = delivery
      const rendered = await renderContent(context, 'SMS', delivery, { number: body.to })
      if (!rendered.ok) return rendered
      const { fields } = rendered
      const isReply = body['reply'] === true
      const text = fields[isReply ? 'autoReply.message' : 'message'] ?? ''
      const mediaUrls = isReply ? [] : readMediaUrls(fields, config.publicUrl)
      if (text === '' && mediaUrls.length === 0) return rejectMessage('empty', 'The message is empty.')
      const detail = describeTooLongSms(text)
      if (detail !== undefined) return rejectMessage('too-long', detail)
      const from = fields['from'] ?? config.smsFrom
      const status = statusUrl(config, 'sms', sendId)
      return {
        message: {
          mediaUrls,
          reference: sendId,
          text,
          to: body.to,
          ...(from !== undefined && { from }),
          ...(status !== undefined && { statusUrl: status })
        },
        ok: true
      }
    },
    describe: ({ mediaUrls, text }) => ({ text: [text, ...mediaUrls].join('\n').trim() }),
    name: 'SMS',
    readStopped: (group, rows) =>
      findStopped(
        db,
        group,
        rows.map(row => ({ ...row, number: (row.body as DeliveryBody).to }))
      ),
    provider,
    concurrency: config.smsConnections,
    timeoutMs: TIMEOUT_MS,
    // A repeated message disturbs less than a missing one.
    whenUncertain: 'retry'
  }
}
