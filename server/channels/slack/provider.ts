// Sends messages to Slack with the user's connection: by its incoming webhook if that leads to the channel, else by
// chat.postMessage.

import type { Config } from '../../config/config.ts'
import type { Clock } from '../../core/clock.ts'
import type { Db } from '../../db/db.ts'
import type { Encryption } from '../../environments/encryption/encryption.ts'
import { openOutbound, type Outbound } from '../../outbound/outbound.ts'
import { usesWebhook, decryptSlackToken } from '../../users/slack-connection.ts'
import { readEncryptedSlackToken } from '../../users/slack-connections.sql.ts'
import type { Provider } from '../channel.ts'
import { openSandbox } from '../sandbox/provider.ts'
import { postToWebhook, openSlackApi, type SlackResult, type SlackApi } from './api.ts'
import type { SlackMessage } from './message.ts'
import { toOutcome } from './outcome.ts'
import { listPages } from './pages.ts'

export interface SlackContext {
  readonly clock: Clock
  readonly config: Config
  readonly db: Db
  /** The guarded HTTP client. */
  readonly outbound: Outbound
  readonly encryption: Encryption
}

/** @returns undefined if Slack is not configured */
export const openSlack = ({ clock, config }: Pick<SlackContext, 'clock' | 'config'>): SlackApi | undefined =>
  config.slackUrl === undefined
    ? undefined
    : openSlackApi(config.slackUrl, openOutbound({ config, trusted: true }), clock)

/** Id of a channel, conversation or member. */
const SLACK_ID = /^[CDGUW][A-Z0-9]{6,}$/

/** Pages of members that are searched for a name. */
const MAX_MEMBER_PAGES = 20

/** Returns the id of a member, or the name or id of a channel. Slack finds members by their ids only. */
async function findChannel(
  api: SlackApi,
  token: string,
  to: string,
  signal: AbortSignal
): Promise<SlackResult | string> {
  if (SLACK_ID.test(to)) return to
  if (!to.startsWith('@')) return to.startsWith('#') ? to : `#${to}`
  if (SLACK_ID.test(to.slice(1))) return to.slice(1)
  const wanted = to.slice(1).toLowerCase()
  for await (const page of listPages(api, 'users.list', { token, signal }, MAX_MEMBER_PAGES)) {
    if (!page.ok) return page
    const found = page.entries.find(
      ({ isDeleted, names }) => !isDeleted && names.some(name => name.toLowerCase() === wanted)
    )
    if (found) return found.id
  }
  return {
    ok: false,
    outcome: toOutcome({ code: 'user_not_found', retryAfterMs: undefined, status: 200 })
  }
}

export function openSlackProvider(context: SlackContext): Provider<SlackMessage> {
  const { clock, db, outbound, encryption } = context
  const api = openSlack(context)
  if (!api) return openSandbox(db, 'SLACK')

  const post = async (
    token: string,
    { more, reference, text, to }: SlackMessage,
    signal: AbortSignal
  ): Promise<SlackResult> => {
    const channel = await findChannel(api, token, to, signal)
    if (typeof channel !== 'string') return channel
    // Tells the app which notification the message belongs to.
    const metadata = { event_payload: { tracking_id: reference }, event_type: 'notification' }
    return api.call('chat.postMessage', token, { metadata, ...more, channel, text }, signal)
  }

  return {
    async send(message, delivery, { signal }) {
      const encrypted = await readEncryptedSlackToken(db.of(delivery.bucket), delivery)
      if (!encrypted) {
        return { code: 'not-connected', detail: 'The user is not connected to Slack any more.', kind: 'dead' }
      }
      const connection = decryptSlackToken(encryption, delivery, encrypted)
      const { more, text, to } = message
      const answer = usesWebhook(connection, to)
        ? await postToWebhook(outbound, clock, connection.incoming_webhook!.url, { ...more, text }, signal)
        : await post(connection.access_token!, message, signal)
      if (!answer.ok) return answer.outcome
      const { channel, ts } = answer.json
      return { kind: 'sent', ...(typeof ts === 'string' && { ref: `${String(channel)} ${ts}` }) }
    }
  }
}
