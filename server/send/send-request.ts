// A parsed send, with one name for each field, whatever names the request used.
//
// `sends.body` stores the same shape, so queues and the log read it as well.

import type { Channel } from '#protocol'

import type { SendOptions } from '../client/send.ts'
import type { Environment } from '../config/environment-settings.ts'
import { localeFallbacks } from '../core/locale.ts'
import { CONTENT_FIELDS, type TemplateContent } from '../types/templates/content.ts'
import type { DateReader } from '../types/templates/liquid.ts'
import type { NotificationType } from '../types/type.ts'
import { readVariant, type Variant } from '../types/variant.ts'

export interface Recipient {
  /** Id in the back end's system. Default: the email address in lower case, or else the number in E.164. */
  readonly id: string
  /** {@link MALFORMED} if the given one is no address. */
  readonly email?: string
  /** E.164, or {@link MALFORMED}. */
  readonly number?: string
  readonly timezone?: string
  /** Language tag (BCP 47). */
  readonly locale?: string
  /** Slack channel or person, instead of the stored one. */
  readonly slackChannel?: string
}

export type EmailOptions = NonNullable<SendOptions['email']>
export type ApnOptions = NonNullable<SendOptions['apn']>
export type FcmOptions = NonNullable<SendOptions['fcm']>

export type InlineName = (typeof CONTENT_FIELDS)[Channel]

/** Content of a send, used instead of the type's templates. */
export type InlineContent = { readonly [N in InlineName]?: TemplateContent }

export interface Send extends InlineContent {
  readonly type: string
  readonly to: Recipient
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly subNotificationId?: string
  readonly templateId?: string
  /** ISO 8601 in UTC. Absent: now. */
  readonly schedule?: string
  readonly replace?: Readonly<Record<string, string>>
  readonly forceChannels?: readonly Channel[]
  readonly options?: SendOptions
  /** Tracking id of the send that this one repeats. Absent in requests of clients. */
  readonly resendOf?: string
  /** Id of the broadcast that it is part of. Absent in requests of clients. */
  readonly broadcastId?: string
}

/** A send with its tracking id, its placement and the time of its accept: what every row that it writes needs. */
export interface AcceptedSend {
  /** Tracking id. */
  readonly id: string
  readonly bucket: number
  /** 16 bits of environment and user, for further ids. */
  readonly placementHash: number
  /** Milliseconds since 1970, for ids and expiry. */
  readonly now: number
  readonly environment: Environment
  readonly send: Send
}

const INLINE_NAMES = Object.entries(CONTENT_FIELDS) as [Channel, InlineName][]

/** Channels for which the send has content of its own. */
export const inlineChannels = (send: InlineContent): Channel[] =>
  INLINE_NAMES.filter(([, name]) => send[name] !== undefined).map(([channel]) => channel)

export const inlineContent = (send: InlineContent, channel: Channel): TemplateContent | undefined =>
  send[CONTENT_FIELDS[channel]]

/** Content of a channel. @param template - name of the type's template, or null for content of the send */
export const findContent = (
  send: InlineContent,
  type: Pick<NotificationType, 'templates'> | undefined,
  channel: Channel,
  template: string | null
): TemplateContent | undefined =>
  template === null ? inlineContent(send, channel) : type?.templates.get(channel)?.get(template)

export function withoutAttachments(send: Send): Send {
  if (!send.options?.email?.attachments) return send
  const { attachments: _, ...email } = send.options.email
  return { ...send, options: { ...send.options, email } }
}

/**
 * Data that templates read: parameters at the top and under `parameters`, and the user unless a parameter has that name.
 *
 * @param template - id of the template that is rendered, or null for content of the send
 */
export const templateData = (
  send: Pick<Send, 'parameters'>,
  user: Recipient,
  template: string | null = null
): Readonly<Record<string, unknown>> => ({
  parameters: send.parameters ?? {},
  user,
  ...send.parameters,
  ...dateFormat(user, readVariant(template ?? ''))
})

/**
 * How templates write dates: in the user's time zone and the language of the template. The user's language is used if the
 * template's is a fallback of it (`de` of `de-AT`), so that a text does not mix two languages.
 */
function dateFormat({ locale, timezone }: Recipient, { locale: templateLocale }: Variant): DateReader {
  const isFallback = locale !== undefined && localeFallbacks(locale).includes(templateLocale ?? '')
  const dateLocale = isFallback ? locale : templateLocale
  return {
    ...(dateLocale !== undefined && { _locale: dateLocale }),
    ...(timezone !== undefined && { _timezone: timezone })
  }
}
