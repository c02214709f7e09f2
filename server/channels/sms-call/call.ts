// Builds calls: a text that is read aloud when the call is answered.

import type { Channel, Delivery, MessageResult } from '../channel.ts'
import { renderContent, rejectMessage, type ChannelOptions } from '../content.ts'
import type { CallMessage } from './phone-provider.ts'
import { answerUrl, statusUrl } from './providers.ts'

/** About two minutes of speech. */
export const MAX_CALL_CHARACTERS = 1500

const TIMEOUT_MS = 20_000

export function createCallChannel({
  config,
  provider,
  ...context
}: ChannelOptions<CallMessage>): Channel<CallMessage> {
  return {
    async buildMessage(delivery: Delivery): Promise<MessageResult<CallMessage>> {
      const { body, id, sendId } = delivery
      const rendered = await renderContent(context, 'CALL', delivery, { number: body.to })
      if (!rendered.ok) return rendered
      const text = (rendered.fields['message'] ?? '').trim()
      if (text === '') return rejectMessage('empty', 'The text of the call is empty.')
      if (text.length > MAX_CALL_CHARACTERS) {
        const detail = `The text of the call has ${text.length} characters; at most ${MAX_CALL_CHARACTERS} are allowed.`
        return rejectMessage('too-long', detail)
      }
      const from = config.callFrom ?? config.smsFrom
      const status = statusUrl(config, 'call', sendId)
      const answer = answerUrl(config, id)
      return {
        message: {
          language: config.callLanguage,
          reference: sendId,
          text,
          to: body.to,
          ...(answer !== undefined && { answerUrl: answer }),
          ...(from !== undefined && { from }),
          ...(status !== undefined && { statusUrl: status })
        },
        ok: true
      }
    },
    describe: ({ text }) => ({ text }),
    name: 'CALL',
    provider,
    concurrency: config.smsConnections,
    timeoutMs: TIMEOUT_MS,
    // A second call for one event disturbs more than a missing one.
    whenUncertain: 'dead'
  }
}
