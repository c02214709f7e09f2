// A user's connection to Slack: what Slack's OAuth gave the back end, kept encrypted, and what of it may be seen.

import { z } from 'zod'

import type { UserKey } from '../core/id.ts'
import type { Encryption } from '../environments/encryption/encryption.ts'

/** `#name`, `name`, `@name`, or an id such as C024BE91L or U024BE7LH. */
export const slackChannel = z
  .string()
  .max(100)
  .regex(/^[#@]?[^\s#@<>&,\p{C}]{1,80}$/u, 'Expected #name, name, @name or an id of Slack.')

const name = z.string().min(1).max(200)

/** Characters of a connection as JSON. */
const LIMIT = 10_000

/** Languages whose fields are always there write `null` for what Slack has not said. */
const said = <T extends z.ZodType>(schema: T) =>
  schema
    .nullish()
    .transform(value => value ?? undefined)
    .optional()

/** Slack's answer to oauth.v2.access. What else it says is kept too. */
export const slackToken = z
  .looseObject({
    access_token: said(
      z
        .string()
        .max(1000)
        .regex(/^[\x21-\x7e]+$/, 'Expected a token of Slack.')
    ).describe('Of the workspace.'),
    authed_user: said(z.looseObject({ id: said(name).describe('Their id in Slack.') })).describe(
      'Who connected it.'
    ),
    incoming_webhook: said(
      z.looseObject({
        channel: said(name).describe('Its name.'),
        channel_id: said(name).describe('Its id.'),
        url: z
          .string()
          .max(2048)
          .refine(text => URL.parse(text)?.protocol === 'https:', 'Expected an https address.')
          .describe('Where messages to it are posted.')
      })
    ).describe('The channel that the person chose.'),
    team: said(
      z.looseObject({
        id: said(name).describe('Its id.'),
        name: said(name).describe('What it is called.')
      })
    ).describe('The workspace.')
  })
  .refine(({ access_token: token, incoming_webhook: hook }) => token !== undefined || hook !== undefined, {
    error: 'Expected access_token or incoming_webhook, as Slack answers oauth.v2.access.'
  })
  .refine(token => JSON.stringify(token).length <= LIMIT, `Expected at most ${LIMIT} characters of JSON.`)

export type SlackToken = z.output<typeof slackToken>

/** What a front end may see: who is connected and where to, and nothing that opens a door. */
export const slackAbout = z.object({
  authed_user: z.object({ id: z.string() }).optional(),
  incoming_webhook: z
    .object({ channel: z.string().optional(), channel_id: z.string().optional() })
    .optional(),
  ok: z.literal(true),
  team: z.object({ id: z.string().optional(), name: z.string().optional() }).optional()
})

export type SlackAbout = z.output<typeof slackAbout>

export interface SlackConnection {
  readonly about: SlackAbout
  readonly sealed: Buffer
}

const placeOf = ({ envId, userId }: UserKey): string => `slack ${envId} ${userId}`

export const openConnection = (encryption: Encryption, user: UserKey, sealed: Uint8Array): SlackToken =>
  JSON.parse(encryption.decrypt(sealed, placeOf(user))) as SlackToken

export const sealConnection = (encryption: Encryption, user: UserKey, token: SlackToken): Buffer =>
  encryption.encrypt(JSON.stringify(token), placeOf(user))

/** @returns undefined: nothing was said, the connection stays; null: it ends */
export const connectionOf = (
  encryption: Encryption,
  user: UserKey,
  token: SlackToken | null | undefined
): SlackConnection | null | undefined =>
  token && { about: aboutOf(token), sealed: sealConnection(encryption, user, token) }

function aboutOf({ authed_user: who, incoming_webhook: hook, team }: SlackToken): SlackAbout {
  return {
    ok: true,
    ...(who?.id !== undefined && { authed_user: { id: who.id } }),
    ...(hook && {
      incoming_webhook: {
        ...(hook.channel !== undefined && { channel: hook.channel }),
        ...(hook.channel_id !== undefined && { channel_id: hook.channel_id })
      }
    }),
    ...(team && {
      team: {
        ...(team.id !== undefined && { id: team.id }),
        ...(team.name !== undefined && { name: team.name })
      }
    })
  }
}

/** Where the incoming webhook leads, which Slack asked the person about. */
const hookOf = ({ channel, channel_id: id }: NonNullable<SlackAbout['incoming_webhook']>): string =>
  channel ?? id ?? 'incoming-webhook'

/** Where messages go that name no channel: that of the webhook, or the person themselves. */
export const homeOf = ({ authed_user: who, incoming_webhook: hook }: SlackAbout): string | undefined =>
  hook ? hookOf(hook) : who?.id

/** Whether a message to this channel goes by the webhook, which can reach no other. */
export const isByHook = (
  { access_token: token, incoming_webhook: hook }: SlackToken,
  channel: string
): boolean =>
  hook !== undefined && (token === undefined || channel === hookOf(hook) || channel === hook.channel_id)
