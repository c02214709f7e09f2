// Messages to Slack with the connection of their user: by its incoming webhook where that leads to the channel, or else
// by chat.postMessage.

import type { Config } from '../../config/config.ts'
import type { Clock } from '../../core/clock.ts'
import type { Db } from '../../db/db.ts'
import type { Encryption } from '../../environments/encryption/encryption.ts'
import { openOutbound, type Outbound } from '../../outbound/outbound.ts'
import { usesWebhook, decryptSlackToken } from '../../users/slack-connection.ts'
import { readEncryptedSlackToken } from '../../users/slack-connections.sql.ts'
import type { Provider } from '../channel.ts'
import { sandbox } from '../sandbox/provider.ts'
import { postToHook, slackApi, type Answered, type SlackApi } from './api.ts'
import type { SlackMessage } from './message.ts'
import { outcomeOf } from './outcome.ts'
import { pagesOf } from './pages.ts'

export interface SlackKit {
  readonly clock: Clock
  readonly config: Config
  readonly db: Db
  /** The guarded one. */
  readonly outbound: Outbound
  readonly encryption: Encryption
}

/** Undefined: Slack is not configured. */
export const openSlack = ({ clock, config }: Pick<SlackKit, 'clock' | 'config'>): SlackApi | undefined =>
  config.slackUrl === undefined
    ? undefined
    : slackApi(config.slackUrl, openOutbound({ config, trusted: true }), clock)

const ID = /^[CDGUW][A-Z0-9]{6,}$/

/** Pages of members that are searched for a name. */
const PAGES = 20

/** What Slack calls a channel or a person: it finds people by their ids alone. */
async function placeOf(
  api: SlackApi,
  token: string,
  to: string,
  signal: AbortSignal
): Promise<Answered | string> {
  if (ID.test(to)) return to
  if (!to.startsWith('@')) return to.startsWith('#') ? to : `#${to}`
  if (ID.test(to.slice(1))) return to.slice(1)
  const wanted = to.slice(1).toLowerCase()
  for await (const page of pagesOf(api, 'users.list', { token, signal }, PAGES)) {
    if (!page.ok) return page
    const found = page.entries.find(
      ({ deleted, names }) => !deleted && names.some(name => name.toLowerCase() === wanted)
    )
    if (found) return found.id
  }
  return { ok: false, outcome: outcomeOf({ after: undefined, code: 'user_not_found', status: 200 }) }
}

export function slackProvider(context: SlackKit): Provider<SlackMessage> {
  const { clock, db, outbound, encryption } = context
  const api = openSlack(context)
  if (!api) return sandbox(db, 'SLACK')

  const post = async (
    token: string,
    { more, reference, text, to }: SlackMessage,
    signal: AbortSignal
  ): Promise<Answered> => {
    const channel = await placeOf(api, token, to, signal)
    if (typeof channel !== 'string') return channel
    // So that the app can tell which notification a message was.
    const metadata = { event_payload: { tracking_id: reference }, event_type: 'notification' }
    return api.call('chat.postMessage', token, { metadata, ...more, channel, text }, signal)
  }

  return {
    close: async () => {},
    async send(message, delivery, { signal }) {
      const sealed = await readEncryptedSlackToken(db.of(delivery.bucket), delivery)
      if (!sealed) return { code: 'not-connected', detail: 'The user has left Slack.', kind: 'dead' }
      const connection = decryptSlackToken(encryption, delivery, sealed)
      const { more, text, to } = message
      const answer = usesWebhook(connection, to)
        ? await postToHook(outbound, clock, connection.incoming_webhook!.url, { ...more, text }, signal)
        : await post(connection.access_token!, message, signal)
      if (!answer.ok) return answer.outcome
      const { channel, ts } = answer.json
      return { kind: 'sent', ...(typeof ts === 'string' && { ref: `${String(channel)} ${ts}` }) }
    }
  }
}
