// SMS: what a text message says, from whom and to whom.

import type { Config } from '../../config/config.ts'
import type { Channel, Delivery, DeliveryBody, MessageResult, Provider } from '../channel.ts'
import { renderContent, unmakeable, type Desk } from '../content.ts'
import type { SmsMessage } from './phone-provider.ts'
import { statusUrl } from './providers.ts'
import { segmentsOf } from './segments.ts'
import { stoppedAmong } from './sms-call.sql.ts'

export interface SmsOptions extends Desk {
  readonly config: Config
  readonly provider: Provider<SmsMessage>
}

/** Segments of one message, each of which is paid for. */
export const MAX_SEGMENTS = 10

/** Milliseconds of one try. */
const TIMEOUT = 20_000

/** Pictures by their numbers; a path of the same site becomes an address where we know ours. */
function picturesIn(fields: Readonly<Record<string, string>>, base: string | undefined): string[] {
  return Object.entries(fields)
    .filter(([name]) => name.startsWith('mediaUrls.'))
    .flatMap(([, address]) => URL.parse(address, base)?.href ?? [])
}

export function smsChannel({ config, provider, renderer, types }: SmsOptions): Channel<SmsMessage> {
  const makeMessage = async (delivery: Delivery): Promise<MessageResult<SmsMessage>> => {
    const { body, sendId } = delivery
    // An answer to somebody who answered a message that has one ready.
    const said = await renderContent({ renderer, types }, 'SMS', delivery, { number: body.to })
    if (!said.ok) return said
    const { fields } = said
    const text = fields[body['reply'] === true ? 'autoReply.message' : 'message'] ?? ''
    const mediaUrls = body['reply'] === true ? [] : picturesIn(fields, config.publicUrl)
    if (text === '' && mediaUrls.length === 0) return unmakeable('empty', 'The message says nothing.')
    const { count } = segmentsOf(text)
    if (count > MAX_SEGMENTS) {
      return unmakeable('too-long', `The message has ${count} segments, at most ${MAX_SEGMENTS} are allowed.`)
    }
    const from = fields['from'] ?? config.smsFrom
    const url = statusUrl(config, 'sms', sendId)
    return {
      message: {
        mediaUrls,
        reference: sendId,
        text,
        to: body.to,
        ...(from !== undefined && { from }),
        ...(url !== undefined && { statusUrl: url })
      },
      ok: true
    }
  }

  return {
    makeMessage,
    name: 'SMS',
    readStopped: (group, rows) =>
      stoppedAmong(
        group,
        rows.map(row => ({ ...row, number: (row.body as DeliveryBody).to }))
      ),
    provider,
    concurrency: config.smsConnections,
    timeoutMs: TIMEOUT,
    // Better twice than never.
    whenUncertain: 'retry'
  }
}
