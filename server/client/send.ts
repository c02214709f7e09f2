// Sends and retracts notifications.

import type { Call, CallOptions } from './call.ts'
import type { Inline } from './content.ts'
import type { Channel, Instant } from './names.ts'

export interface Recipient {
  /** Id of the user in your system. Default: the email address in lower case, or else the number in E.164. */
  readonly id?: string
  /** Default: the address stored by `identifyUser`. */
  readonly email?: string
  /** `+`, country code and digits, or a US or Canadian number. Default: the stored number. */
  readonly number?: string
  /** IANA name, such as `Europe/Oslo`. Default: the stored time zone. */
  readonly timezone?: string
  /** Language tag (BCP 47), such as `de-AT`. Default: the stored language. */
  readonly locale?: string
  /** `#name`, `name`, `@name` or a Slack id, for a user with a Slack connection. Default: the stored channel. */
  readonly slackChannel?: string
}

/**
 * A file of an email: its address, or its content in base64. The server fetches an address right after it accepts the
 * send, also for a schedule, so the address needs to work for minutes only.
 */
export type Attachment =
  | { readonly filename: string; readonly url: string }
  | { readonly filename: string; readonly content: string; readonly contentType?: string }

export interface SendOptions {
  readonly email?: {
    /** `ann@example.com` or `Ann <ann@example.com>`, as in the two lists below. */
    readonly replyToAddresses?: readonly string[]
    readonly ccAddresses?: readonly string[]
    readonly bccAddresses?: readonly string[]
    readonly fromName?: string
    readonly fromAddress?: string
    /** The whole email has at most 25 MiB. */
    readonly attachments?: readonly Attachment[]
    /**
     * Liquid condition for the email, evaluated when it would be sent: an expression as in `{% if ... %}`, such as
     * `plan == "pro"`, or a Liquid text, which means no if it renders to an empty text or to `false`.
     */
    readonly condition?: string
  }
  readonly apn?: {
    /** Unix time in seconds until which Apple tries to deliver; 0: one attempt. */
    readonly expiry?: number
    /** 10: at once; 5: as power allows; 1: does not wake the device. Default: 10. */
    readonly priority?: 10 | 5 | 1
    /** At most 64 bytes. */
    readonly collapseId?: string
    readonly threadId?: string
    /** Number on the icon of the app; 0 removes it. Default: unchanged. */
    readonly badge?: number
    readonly sound?: string
    readonly contentAvailable?: boolean
  }
  readonly fcm?: {
    readonly android?: {
      /**
       * A device that was offline receives only the last message of each key. Firebase keeps at most 4 keys for an app and
       * does not define which.
       */
      readonly collapseKey?: string
      readonly priority?: 'high' | 'normal'
      /** Seconds for which Firebase tries to deliver. Maximum and default: four weeks. */
      readonly ttl?: number
      readonly restrictedPackageName?: string
    }
  }
  readonly push?: {
    /** Data for your app, at most 3 keys, sent through APNs and Firebase. */
    readonly customData?: Readonly<Record<string, string>>
  }
}

/** One notification for one user. */
export interface SendRequest extends Inline {
  /** Id of the notification type. If the type does not exist and the send has content of its own, the type is created. */
  readonly type: string
  readonly to: Recipient
  /** Values that templates and content read as `{{ name }}`. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** Part of the type, such as a project, with preferences of its own. */
  readonly subNotificationId?: string
  /** Template to use on the channels that have it, instead of the default template. */
  readonly templateId?: string
  /** When to send, at most 366 days ahead. A time in the past means now. Default: now. */
  readonly schedule?: Instant
  /** Texts to replace in the rendered content, case-sensitive. */
  readonly replace?: Readonly<Record<string, string>>
  /** Channels to use instead of those of the type. Preferences of the user still apply. */
  readonly forceChannels?: readonly Channel[]
  readonly options?: SendOptions
}

/** A user of a list. */
export interface ListedRecipient extends Recipient {
  /** Values for this user alone. One with the name of a value in `parameters` of the request wins. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** One notification for each of up to 1,000 users. */
export interface SendListRequest extends Omit<SendRequest, 'to'> {
  readonly to: readonly ListedRecipient[]
}

/** Why nothing was sent to one user of a list (RFC 9457). */
export interface SendError {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** What is wrong with each field; a pointer is such as `#/to/17/id`. */
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[]
}

export type SendResult = SendAnswer | { readonly error: SendError }

export interface SendListAnswer {
  /** For each user, in the order of the list. */
  readonly results: readonly SendResult[]
}

export interface SendAnswer {
  /** Id of the send, of its schedule and of its in-app notification. */
  readonly trackingId: string
  /** What is not delivered, and why; empty if every channel was accepted. */
  readonly messages: readonly string[]
}

export interface ResendOptions extends CallOptions {
  /** Only these channels of the send. Default: all of them. */
  readonly channels?: readonly Channel[]
}

export interface ResendAnswer extends SendAnswer {
  /** Tracking id of the send that was repeated. */
  readonly resendOf: string
}

export interface RetractRequest {
  readonly notificationId: string
  readonly userId: string
  /** Retracts only this part of the type. */
  readonly subNotificationId?: string
}

export interface RetractAnswer {
  readonly count: number
  readonly trackingIds: readonly string[]
  readonly messages: readonly string[]
}

/** Sends a notification to a user, or to each user of a list. */
export interface SendCall {
  /** When the call returns, the send is stored. It is stored once, even if the call was repeated. */
  (request: SendRequest, options?: CallOptions): Promise<SendAnswer>
  /** When the call returns, each send with a tracking id is stored. It is stored once, even if the call was repeated. */
  (request: SendListRequest, options?: CallOptions): Promise<SendListAnswer>
}

const sendCall =
  (call: Call): SendCall =>
  (request: SendRequest | SendListRequest, options?: CallOptions) =>
    call<never>({ body: request, method: 'POST', path: ['sender'] }, options)

export const sendCalls = (call: Call) => ({
  send: sendCall(call),

  /**
   * Sends again what the log keeps of a send, with contact data of the stored user as it is now. Throttling and deduplication do not
   * apply.
   *
   * @throws NotifProblem 404 if the log has no such send, 409 if its retention has ended or it still waits for its time, 422 for a
   *   channel that it did not have
   */
  resend: (trackingId: string, { channels, ...options }: ResendOptions = {}): Promise<ResendAnswer> =>
    call(
      { body: { ...(channels && { channels }) }, method: 'POST', path: ['logs', trackingId, 'resend'] },
      options
    ),

  /** Removes all notifications of a type from a user's inbox and from pending digests. */
  retract: (request: RetractRequest, options?: CallOptions): Promise<RetractAnswer> =>
    call({ body: request, method: 'POST', path: ['sender', 'retract'] }, options)
})
