// The Slack connection of a user: the token of Slack's OAuth, stored encrypted, and the information that clients may see.

import { z } from 'zod'

import type { UserKey } from '../core/id.ts'
import type { Encryption } from '../environments/encryption/encryption.ts'

/** `#name`, `name`, `@name`, or an id such as C024BE91L or U024BE7LH. */
export const slackChannel = z
  .string()
  .max(100)
  .regex(/^[#@]?[^\s#@<>&,\p{C}]{1,80}$/u, 'Expected #name, name, @name or an id of Slack.')
  .meta({ pattern: String.raw`^[#@]?[^\s#@<>&,]{1,80}$` })

const name = z.string().min(1).max(200)

/** Of the token as JSON. */
const MAX_CHARACTERS = 10_000

/** Some languages serialize absent fields as `null`. */
const optional = <T extends z.ZodType>(schema: T) =>
  schema
    .nullish()
    .transform(value => value ?? undefined)
    .optional()

/** Hosts of Slack's webhooks. Front ends register them, so another host would be a way to send requests anywhere. */
const WEBHOOK_HOSTS = new Set(['hooks.slack.com', 'hooks.slack-gov.com'])

const isSlackAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url?.protocol === 'https:' && url.username + url.password === '' && WEBHOOK_HOSTS.has(url.host)
}

/** Slack's answer to oauth.v2.access. Other fields are stored too. */
export const slackToken = z
  .looseObject({
    access_token: optional(
      z
        .string()
        .max(1000)
        .regex(/^[\x21-\x7e]+$/, 'Expected a token of Slack.')
    ).describe('Token of the workspace.'),
    authed_user: optional(z.looseObject({ id: optional(name).describe('Slack id of the user.') })).describe(
      'The user who connected the workspace.'
    ),
    incoming_webhook: optional(
      z.looseObject({
        channel: optional(name).describe('Name of the channel.'),
        channel_id: optional(name).describe('Id of the channel.'),
        url: z
          .string()
          .max(2048)
          .refine(isSlackAddress, 'Expected an https address of hooks.slack.com.')
          .describe('Address of the webhook.')
      })
    ).describe('Webhook of the channel that the user chose.'),
    team: optional(
      z.looseObject({
        id: optional(name).describe('Id of the workspace.'),
        name: optional(name).describe('Name of the workspace.')
      })
    ).describe('The workspace.')
  })
  .refine(({ access_token: token, incoming_webhook: hook }) => token !== undefined || hook !== undefined, {
    error: 'Expected access_token or incoming_webhook, as Slack answers oauth.v2.access.'
  })
  .refine(
    token => JSON.stringify(token).length <= MAX_CHARACTERS,
    `Expected at most ${MAX_CHARACTERS} characters of JSON.`
  )

export type SlackToken = z.output<typeof slackToken>

/** What a front end may see: no tokens and no webhook address. */
export const slackInfo = z.object({
  authed_user: z.object({ id: z.string() }).optional(),
  incoming_webhook: z
    .object({ channel: z.string().optional(), channel_id: z.string().optional() })
    .optional(),
  ok: z.literal(true),
  team: z.object({ id: z.string().optional(), name: z.string().optional() }).optional()
})

export type SlackInfo = z.output<typeof slackInfo>

export interface SlackConnection {
  readonly info: SlackInfo
  readonly encryptedToken: Buffer
}

const tokenPurpose = ({ envId, userId }: UserKey): string => `slack ${envId} ${userId}`

export const decryptSlackToken = (encryption: Encryption, user: UserKey, encrypted: Uint8Array): SlackToken =>
  JSON.parse(encryption.decrypt(encrypted, tokenPurpose(user))) as SlackToken

export const encryptSlackToken = (encryption: Encryption, user: UserKey, token: SlackToken): Buffer =>
  encryption.encrypt(JSON.stringify(token), tokenPurpose(user))

/** @returns undefined to keep the stored connection, null to delete it */
export const toSlackConnection = (
  encryption: Encryption,
  user: UserKey,
  token: SlackToken | null | undefined
): SlackConnection | null | undefined =>
  token && { info: toSlackInfo(token), encryptedToken: encryptSlackToken(encryption, user, token) }

function toSlackInfo({ authed_user: user, incoming_webhook: hook, team }: SlackToken): SlackInfo {
  return {
    ok: true,
    ...(user?.id !== undefined && { authed_user: { id: user.id } }),
    ...(hook && { incoming_webhook: { channel: hook.channel, channel_id: hook.channel_id } }),
    ...(team && { team: { id: team.id, name: team.name } })
  }
}

/** The channel of the webhook, which the user chose in Slack. */
const webhookChannel = ({ channel, channel_id: id }: NonNullable<SlackInfo['incoming_webhook']>): string =>
  channel ?? id ?? 'incoming-webhook'

/** The channel of messages that name none: that of the webhook, or a direct message to the user. */
export const defaultSlackChannel = ({
  authed_user: user,
  incoming_webhook: hook
}: SlackInfo): string | undefined => (hook ? webhookChannel(hook) : user?.id)

/** Whether a message to this channel is posted to the webhook. A webhook can reach only its own channel. */
export const usesWebhook = (
  { access_token: token, incoming_webhook: hook }: SlackToken,
  channel: string
): boolean =>
  hook !== undefined &&
  (token === undefined || channel === webhookChannel(hook) || channel === hook.channel_id)
