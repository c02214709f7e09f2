// A send as the rest of the server knows it: one name for everything, whatever names the caller used.
//
// This is also what `sends.body` keeps, so queues and the log read the same shape.

import type { Channel } from '#protocol'

import type { Environment } from '../config/environment.ts'
import { localeFallbacks } from '../core/locale.ts'
import type { TemplateContent } from '../types/templates/content.ts'
import { INLINE } from '../types/templates/inline-content.ts'
import type { Reader } from '../types/templates/liquid.ts'
import { readVariant, type Variant } from '../types/variant.ts'
import type { Attachment } from './attachments/file.ts'

export interface Recipient {
  /** Of the user in the caller's system; without one the address in lower case, or else the number in E.164. */
  readonly id: string
  readonly email?: string
  /** E.164. */
  readonly number?: string
  /** IANA name. */
  readonly timezone?: string
  /** BCP 47 */
  readonly locale?: string
  /** Channel or person, instead of the one that is stored. */
  readonly slackChannel?: string
}

export interface EmailOptions {
  readonly replyToAddresses?: readonly string[]
  readonly ccAddresses?: readonly string[]
  readonly bccAddresses?: readonly string[]
  readonly fromName?: string
  readonly fromAddress?: string
  readonly attachments?: readonly Attachment[]
  /** The mail goes out where this holds; see condition.ts. */
  readonly condition?: string
}

export interface ApnOptions {
  /** Unix time in seconds; 0: now or never. */
  readonly expiry?: number
  readonly priority?: 10 | 5 | 1
  /** At most 64 bytes. */
  readonly collapseId?: string
  readonly threadId?: string
  readonly badge?: number
  readonly sound?: string
  readonly contentAvailable?: boolean
}

export interface FcmOptions {
  readonly android?: {
    readonly collapseKey?: string
    readonly priority?: 'high' | 'normal'
    /** Seconds. */
    readonly ttl?: number
    readonly restrictedPackageName?: string
  }
}

export interface SendOptions {
  readonly email?: EmailOptions
  readonly apn?: ApnOptions
  readonly fcm?: FcmOptions
  readonly push?: { readonly customData?: Readonly<Record<string, string>> }
}

export type InlineName = (typeof INLINE)[Channel]

/** Content that a send brings itself, instead of the type's templates. */
export type Inline = { readonly [N in InlineName]?: TemplateContent }

export interface Send extends Inline {
  /** Id of the notification type. */
  readonly type: string
  readonly to: Recipient
  /** Merge tags. */
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly subNotificationId?: string
  readonly templateId?: string
  /** ISO 8601 in UTC; absent: now. */
  readonly schedule?: string
  readonly replace?: Readonly<Record<string, string>>
  readonly forceChannels?: readonly Channel[]
  readonly options?: SendOptions
}

/** A send that is taken: who it is, when and where, as everything says that it writes. */
export interface Accepted {
  /** Tracking id. */
  readonly id: string
  readonly bucket: number
  /** Of the user, for further ids. */
  readonly place: number
  /** Milliseconds since 1970, for ids and expiry. */
  readonly now: number
  readonly environment: Environment
  readonly send: Send
}

const CHANNEL_OF = Object.entries(INLINE) as [Channel, InlineName][]

/** Channels for which the send brings its own content. */
export const inlineChannels = (send: Inline): Channel[] =>
  CHANNEL_OF.filter(([, name]) => send[name] !== undefined).map(([channel]) => channel)

/** The content that a send brings for a channel. */
export const inlineContent = (send: Inline, channel: Channel): TemplateContent | undefined =>
  send[INLINE[channel]]

/**
 * What templates may read: merge tags at the top and under `parameters`, and the user unless a merge tag has that name.
 *
 * @param template - name of the one that is rendered; null: content of the send
 */
export const templateData = (
  send: Pick<Send, 'parameters'>,
  user: Recipient,
  template: string | null = null
): Readonly<Record<string, unknown>> => ({
  parameters: send.parameters ?? {},
  user,
  ...send.parameters,
  ...readerOf(user, readVariant(template ?? ''))
})

/** How dates are written: in the user's zone, and in the language of the template rather than half of the user's. */
function readerOf({ locale, timezone }: Recipient, { locale: written }: Variant): Reader {
  const narrower = locale !== undefined && localeFallbacks(locale).includes(written ?? '') ? locale : written
  return {
    ...(narrower !== undefined && { _locale: narrower }),
    ...(timezone !== undefined && { _timezone: timezone })
  }
}
