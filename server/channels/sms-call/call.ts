// CALL: a phone rings, and whoever picks it up hears a text.

import type { Config } from '../../config/config.ts'
import type { Channel, Delivery, MessageResult, Provider } from '../channel.ts'
import { renderContent, unmakeable, type Desk } from '../content.ts'
import type { CallMessage } from './phone-provider.ts'
import { answerUrl, statusUrl } from './providers.ts'

export interface CallOptions extends Desk {
  readonly config: Config
  readonly provider: Provider<CallMessage>
}

/** Characters of a spoken text: about two minutes. */
export const MAX_CALL_CHARACTERS = 1500

/** Milliseconds of one try. */
const TIMEOUT = 20_000

export function callChannel({ config, provider, renderer, types }: CallOptions): Channel<CallMessage> {
  const makeMessage = async (delivery: Delivery): Promise<MessageResult<CallMessage>> => {
    const { body, id, sendId } = delivery
    const said = await renderContent({ renderer, types }, 'CALL', delivery, { number: body.to })
    if (!said.ok) return said
    const text = (said.fields['message'] ?? '').trim()
    if (text === '') return unmakeable('empty', 'The call says nothing.')
    if (text.length > MAX_CALL_CHARACTERS) {
      const detail = `The text has ${text.length} characters, at most ${MAX_CALL_CHARACTERS} are allowed.`
      return unmakeable('too-long', detail)
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
  }

  return {
    makeMessage,
    name: 'CALL',
    provider,
    concurrency: config.smsConnections,
    timeoutMs: TIMEOUT,
    // A phone that rings twice at night for one event is worse than one that did not ring.
    whenUncertain: 'dead'
  }
}
