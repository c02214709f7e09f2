// Lists the Slack channels and members to which a connected user can have messages sent.

import { z } from 'zod'

import { Problem } from '../../http/problem.ts'
import type { Doc } from '../../http/route-doc.ts'
import { route, type Route } from '../../http/route.ts'
import { decryptSlackToken, type SlackToken } from '../../users/slack-connection.ts'
import { readEncryptedSlackToken } from '../../users/slack-connections.sql.ts'
import { CONNECTION_CODES, type FailedOutcome } from './outcome.ts'
import { listPages, parseEntry, type Page } from './pages.ts'
import { openSlack, type SlackContext } from './provider.ts'

const entry = z.object({ id: z.string(), name: z.string() })

const channelsDoc: Doc = {
  answer: z.object({
    channels: z.array(entry),
    hasMoreChannels: z.boolean(),
    hasMoreUsers: z.boolean(),
    me: entry,
    users: z.array(entry)
  }),
  description:
    'Values for `slackChannel`: the first thousand channels and the first thousand members. Without `NOTIF_SLACK_URL`, or if the connection is only an incoming webhook, the lists contain only what the connection names. Answers 409 if the user is not connected.',
  examples: [
    { name: 'A connected user', status: 200 },
    { name: 'A user who is not connected', params: { userId: 'new' }, status: 409 }
  ],
  operationId: 'listSlackChannels',
  problems: [409],
  summary: 'List the Slack channels and people that a user can reach',
  tag: 'users'
}

/** Of each list: a thousand entries. */
const MAX_PAGES = 5
/** Of all calls together. */
const TIMEOUT_MS = 20_000
const DEFAULT_RETRY_AFTER_MS = 1000

type Entry = z.output<typeof entry>

/** @throws Problem */
function throwProblem(outcome: FailedOutcome): never {
  const { code, detail, kind } = outcome
  if (kind === 'dead' || CONNECTION_CODES.has(code)) throw new Problem('conflict', detail)
  const retryAfterMs = ('retryAfterMs' in outcome && outcome.retryAfterMs) || DEFAULT_RETRY_AFTER_MS
  const headers = { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }
  throw new Problem('unavailable', `Slack is not available (${code}). Retry later.`, { headers })
}

/** @throws Problem */
async function collectPages(pages: AsyncIterable<Page>) {
  const entries: Entry[] = []
  let hasMore = false
  for await (const page of pages) {
    if (!page.ok) throwProblem(page.outcome)
    hasMore = page.hasMore
    for (const { id, isBot, isDeleted, name } of page.entries)
      if (!isBot && !isDeleted) entries.push({ id, name })
  }
  return { entries, hasMore }
}

/** Returns what the connection names itself, without a call of Slack. */
function readConnection({ authed_user: user, incoming_webhook: webhook }: SlackToken) {
  const id = user?.id ?? ''
  const channel = webhook?.channel_id ?? webhook?.channel
  return {
    channels:
      channel === undefined ? [] : [{ id: channel, name: (webhook?.channel ?? channel).replace(/^#/, '') }],
    hasMoreChannels: false,
    hasMoreUsers: false,
    me: { id, name: id },
    users: []
  }
}

export function slackRoutes(context: SlackContext): Route[] {
  const api = openSlack(context)
  return [
    route('GET', '/:clientId/users/:userId/slack/channels', 'user', channelsDoc, async call => {
      const user = { bucket: call.bucket, envId: call.env.id, userId: call.userId }
      const encrypted = await readEncryptedSlackToken({ work: context.db.of(call.bucket).sql }, user)
      if (!encrypted) {
        throw new Problem(
          'conflict',
          'The user is not connected to Slack: identify them with a slackToken first.'
        )
      }
      const connection = decryptSlackToken(context.encryption, user, encrypted)
      const own = readConnection(connection)
      const { access_token: token } = connection
      if (!api || token === undefined) return { body: own, status: 200 }
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const args = { signal, token }
      const types = 'public_channel,private_channel'
      const [channels, users, info] = await Promise.all([
        collectPages(listPages(api, 'conversations.list', { ...args, types }, MAX_PAGES)),
        collectPages(listPages(api, 'users.list', args, MAX_PAGES)),
        own.me.id === ''
          ? undefined
          : api.call('users.info', token, new URLSearchParams({ user: own.me.id }), signal)
      ])
      const me = info?.ok ? parseEntry(info.json['user']) : undefined
      return {
        body: {
          channels: channels.entries,
          hasMoreChannels: channels.hasMore,
          hasMoreUsers: users.hasMore,
          me: me ? { id: me.id, name: me.name } : own.me,
          users: users.entries
        },
        status: 200
      }
    })
  ]
}
