// Sending and taking back.

import type { Ask, CallOptions } from './call.ts'
import type { Inline } from './content.ts'
import type { Channel, Instant } from './names.ts'

export interface Recipient {
  /** Of the user in your system. Absent: the address or number stands for it. */
  readonly id?: string
  /** Default: the one stored by identifyUser. */
  readonly email?: string
  /** `+` with country code and digits, or a US or Canada number. Default: the stored one. */
  readonly number?: string
  /** Zone or Link name of the IANA database. Default: the stored one. */
  readonly timezone?: string
  /** Language tag (BCP 47), such as `de-AT`. Default: the stored one. */
  readonly locale?: string
  /** `#name`, `name`, `@name` or an id of Slack, for a user who is connected. Default: the stored one. */
  readonly slackChannel?: string
}

/** By address, fetched right after the accept, also for a schedule: it may be gone minutes later. Or as base64. */
export type Attachment =
  | { readonly filename: string; readonly url: string }
  | { readonly filename: string; readonly content: string; readonly contentType?: string }

export interface SendOptions {
  readonly email?: {
    /** Each `ann@example.com` or `Ann <ann@example.com>`; so too of copies. */
    readonly replyToAddresses?: readonly string[]
    readonly ccAddresses?: readonly string[]
    readonly bccAddresses?: readonly string[]
    readonly fromName?: string
    readonly fromAddress?: string
    /** The whole mail has at most 25 MB. */
    readonly attachments?: readonly Attachment[]
    /**
     * The mail goes out where this holds: what may stand in `{% if ... %}` of a template, such as `plan == "pro"`, or a
     * whole Liquid text that comes to something else than nothing and `false`. Asked when it would go out.
     */
    readonly condition?: string
  }
  readonly apn?: {
    /** Unix time in seconds; 0: now or never. */
    readonly expiry?: number
    /** Default 10: at once. 5: when power allows. 1: without waking the device. */
    readonly priority?: 10 | 5 | 1
    /** At most 64 bytes. */
    readonly collapseId?: string
    readonly threadId?: string
    /** 0 removes it. Default: stays. */
    readonly badge?: number
    readonly sound?: string
    readonly contentAvailable?: boolean
  }
  readonly fcm?: {
    readonly android?: {
      /** Of messages with the same key only the last arrives once the device is back. Firebase keeps 4 keys of an app. */
      readonly collapseKey?: string
      readonly priority?: 'high' | 'normal'
      /** Seconds. Most and default: four weeks. */
      readonly ttl?: number
      readonly restrictedPackageName?: string
    }
  }
  readonly push?: {
    /** At most 3 keys, in the payloads of both kinds of phones. */
    readonly customData?: Readonly<Record<string, string>>
  }
}

/** One notification to one user (spec: "Send request"). */
export interface SendRequest extends Inline {
  /** Id of the notification type. Unknown ones are made on the fly when the send brings its content. */
  readonly type: string
  readonly to: Recipient
  /** Variables of the templates. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** A part of the type that has preferences of its own. */
  readonly subNotificationId?: string
  /** Another template than the default one, on channels that have it. */
  readonly templateId?: string
  /** When; at most a year ahead. Default, and for what is past: now. */
  readonly schedule?: Instant
  /** Case-sensitive replacements in the rendered text. */
  readonly replace?: Readonly<Record<string, string>>
  /** Instead of the type's channels; a user's preferences still win. */
  readonly forceChannels?: readonly Channel[]
  readonly options?: SendOptions
}

export interface SendAnswer {
  /** Names the send, its schedule and its in-app notification. */
  readonly trackingId: string
  /** What was not sent and why; empty when all was accepted. */
  readonly messages: readonly string[]
}

export interface RetractRequest {
  readonly notificationId: string
  readonly userId: string
  /** Only those of this part of the type. */
  readonly subNotificationId?: string
}

export interface RetractAnswer {
  readonly count: number
  readonly trackingIds: readonly string[]
  readonly messages: readonly string[]
}

export const sending = (ask: Ask) => ({
  /** Sends. When it returns, the send is on disk; it is done once, however often the network made us ask. */
  send: (request: SendRequest, options?: CallOptions): Promise<SendAnswer> =>
    ask({ body: request, method: 'POST', path: ['sender'] }, options),

  /** Takes all in-app notifications of a type back from a user. */
  retract: (request: RetractRequest, options?: CallOptions): Promise<RetractAnswer> =>
    ask({ body: request, method: 'POST', path: ['sender', 'retract'] }, options)
})
