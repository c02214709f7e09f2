// Content of a notification on each channel, in a send and in a stored template.
//
// Every text is a Liquid template; its variables are the parameters of the send.

export interface EmailContent {
  readonly subject: string
  /** Required unless `text` is given. */
  readonly html?: string
  /** Plain text part. Default: derived from the HTML. */
  readonly text?: string
  /** Text that mail programs show beside the subject. */
  readonly previewText?: string
  readonly senderName?: string
  readonly senderEmail?: string
}

export interface InAppContent {
  readonly title: string
  readonly body?: string
  /** Address that a click opens: http(s), mailto, or a path of the same site. */
  readonly url?: string
  /** Address of a picture. */
  readonly image?: string
  /** The same as `url`. */
  readonly redirectURL?: string
  /** The same as `image`. */
  readonly imageURL?: string
  /** At most two; the first one is the main button. */
  readonly actions?: readonly InAppAction[]
  /** The user may reply in the row. `max`: characters of a reply, default and at most 10,000. */
  readonly reply?: { readonly label?: string; readonly max?: number }
  /** `value`: 0 to 1, or a Liquid text that gives it; absent: unknown. `state`: default `running`. */
  readonly progress?: {
    readonly value?: number | string
    readonly text?: string
    readonly state?: 'running' | 'done' | 'failed'
  }
  /** At most four. Those whose name is empty once rendered are left out. */
  readonly actors?: readonly InAppActor[]
  /** Number of all people, or a Liquid text that gives it. */
  readonly actorCount?: number | string
  readonly imageShape?: 'round' | 'square'
  /** Name of an icon of the elements, such as `calendar`, if there is no image. */
  readonly icon?: InAppIcon
  readonly tone?: 1 | 2 | 3 | 4 | 5 | 6
}

/** A button: a link with `url`, a webhook of the server with `send`, else an event of the page. */
export interface InAppAction {
  /** Letters, digits, dots, dashes, `~` and `_`; unique in its notification. */
  readonly id: string
  readonly label: string
  readonly style?: 'primary' | 'danger'
  readonly url?: string
  readonly send?: true
}

export interface InAppActor {
  readonly name: string
  readonly imageURL?: string
}

export type InAppIcon =
  | 'alert'
  | 'archive'
  | 'at'
  | 'bell'
  | 'bolt'
  | 'calendar'
  | 'check'
  | 'clock'
  | 'download'
  | 'file'
  | 'globe'
  | 'lock'
  | 'mail'
  | 'ok'
  | 'receipt'
  | 'reply'
  | 'send'
  | 'settings'
  | 'ship'
  | 'stack'

export interface SmsContent {
  /** Required unless `mediaUrls` are given. */
  readonly message?: string
  /** Number or name of the sender. */
  readonly from?: string
  /** Pictures of an MMS, at most 10. */
  readonly mediaUrls?: readonly string[]
  readonly autoReply?: { readonly message: string }
}

export interface CallContent {
  /** Text that is spoken. */
  readonly message: string
}

export interface WebPushContent {
  readonly title: string
  readonly message: string
  readonly icon?: string
  readonly url?: string
}

export interface PushContent {
  readonly title: string
  readonly message: string
}

/** Fields of a Slack message; see Slack's `chat.postMessage`. */
export interface SlackContent {
  readonly text: string
  readonly blocks?: readonly Readonly<Record<string, unknown>>[]
  readonly username?: string
  /** Emoji or address of a picture. */
  readonly icon?: string
  readonly thread_ts?: string
  readonly reply_broadcast?: boolean
  readonly parse?: 'full' | 'none'
  readonly link_names?: boolean
  readonly mrkdwn?: boolean
  readonly unfurl_links?: boolean
  readonly unfurl_media?: boolean
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** Content by channel, under the field names of a send. */
export interface Inline {
  readonly email?: EmailContent
  readonly inapp?: InAppContent
  readonly sms?: SmsContent
  readonly call?: CallContent
  readonly web_push?: WebPushContent
  readonly mobile_push?: PushContent
  readonly slack?: SlackContent
}

/** Content of a stored template, by channel. */
export interface TemplateOf {
  readonly EMAIL: EmailContent
  readonly INAPP_WEB: InAppContent
  readonly SMS: SmsContent
  readonly CALL: CallContent
  readonly WEB_PUSH: WebPushContent
  readonly PUSH: PushContent
  readonly SLACK: SlackContent
}
