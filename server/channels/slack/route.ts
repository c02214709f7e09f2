// Where a connected user can have messages in Slack (spec/wire.md 4, row 17).

import { z } from 'zod'

import { Problem } from '../../http/problem.ts'
import type { Doc } from '../../http/route-doc.ts'
import { route, type Route } from '../../http/route.ts'
import { decryptSlackToken, type SlackToken } from '../../users/slack-connection.ts'
import { readEncryptedSlackToken } from '../../users/slack-connections.sql.ts'
import type { Refused } from './outcome.ts'
import { entryOf, pagesOf, type Page } from './pages.ts'
import { openSlack, type SlackKit } from './provider.ts'

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
    'The first thousand of each, for the choice of `slackChannel`. Without `NOTIF_SLACK_URL`, or with an incoming webhook alone, only what the connection itself names. A user who is not connected is a 409.',
  examples: [
    { name: 'A connected user', status: 200 },
    { name: 'A user who is not connected', params: { userId: 'new' }, status: 409 }
  ],
  operationId: 'listSlackChannels',
  summary: 'List the Slack channels and people that a user can reach',
  tag: 'users'
}

/** Pages of each list. */
const PAGES = 5
/** Milliseconds of all calls together. */
const TIMEOUT = 20_000

type Entry = z.output<typeof entry>

interface Listed {
  readonly entries: readonly Entry[]
  readonly more: boolean
}

/** @throws Problem */
function refuse({ after, code, detail, kind }: Refused & { readonly after?: number }): never {
  if (kind === 'dead') throw new Problem('conflict', detail)
  const headers = { 'retry-after': String(Math.ceil((after ?? 1000) / 1000)) }
  throw new Problem('unavailable', `Slack cannot be asked now (${code}).`, { headers })
}

/** @throws Problem */
async function all(pages: AsyncIterable<Page>): Promise<Listed> {
  const entries: Entry[] = []
  let more = false
  for await (const page of pages) {
    if (!page.ok) refuse(page.outcome)
    more = page.more
    for (const { bot, deleted, id, name } of page.entries) if (!bot && !deleted) entries.push({ id, name })
  }
  return { entries, more }
}

/** What is known without asking. */
function ownOf({ authed_user: who, incoming_webhook: hook }: SlackToken) {
  const id = who?.id ?? ''
  const channel = hook?.channel_id ?? hook?.channel
  return {
    channels:
      channel === undefined ? [] : [{ id: channel, name: (hook?.channel ?? channel).replace(/^#/, '') }],
    hasMoreChannels: false,
    hasMoreUsers: false,
    me: { id, name: id },
    users: []
  }
}

export function slackRoutes(context: SlackKit): Route[] {
  const api = openSlack(context)
  return [
    route('GET', '/:clientId/users/:userId/slack/channels', 'user', channelsDoc, async call => {
      const user = { bucket: call.bucket, envId: call.env.id, userId: call.userId }
      const sealed = await readEncryptedSlackToken({ work: context.db.of(call.bucket).sql }, user)
      if (!sealed) {
        throw new Problem(
          'conflict',
          'The user is not connected to Slack: identify them with a slackToken first.'
        )
      }
      const connection = decryptSlackToken(context.encryption, user, sealed)
      const own = ownOf(connection)
      const { access_token: token } = connection
      if (!api || token === undefined) return { body: own, status: 200 }
      const signal = AbortSignal.timeout(TIMEOUT)
      const asked = { signal, token }
      const [channels, users, info] = await Promise.all([
        all(pagesOf(api, 'conversations.list', { ...asked, types: 'public_channel,private_channel' }, PAGES)),
        all(pagesOf(api, 'users.list', asked, PAGES)),
        own.me.id === ''
          ? undefined
          : api.call('users.info', token, new URLSearchParams({ user: own.me.id }), signal)
      ])
      const me = info?.ok ? entryOf(info.json['user']) : undefined
      return {
        body: {
          channels: channels.entries,
          hasMoreChannels: channels.more,
          hasMoreUsers: users.more,
          me: me ? { id: me.id, name: me.name } : own.me,
          users: users.entries
        },
        status: 200
      }
    })
  ]
}
