// What a notification says on each channel: in a send that brings its own content, and in a stored template.
//
// Every text is Liquid; the parameters of the send are its variables.

export interface EmailContent {
  readonly subject: string
  /** Absent only where `text` is there. */
  readonly html?: string
  /** Plain part. Default: made from the HTML. */
  readonly text?: string
  /** What mail programs show beside the subject. */
  readonly previewText?: string
  readonly senderName?: string
  readonly senderEmail?: string
}

export interface InAppContent {
  readonly title: string
  readonly body?: string
  /** Where a click leads: http(s), mailto, or a path of the same site. */
  readonly url?: string
  /** Address of a picture. */
  readonly image?: string
  /** The same as `url`. */
  readonly redirectURL?: string
  /** The same as `image`. */
  readonly imageURL?: string
}

export interface SmsContent {
  /** Absent only where `mediaUrls` are there. */
  readonly message?: string
  /** Sender's number or name. */
  readonly from?: string
  /** Pictures of an MMS, at most 10. */
  readonly mediaUrls?: readonly string[]
  readonly autoReply?: { readonly message: string }
}

export interface CallContent {
  /** Is spoken. */
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

/** Passed on to Slack as it is. */
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

/** Content by channel, under the names that a send uses. */
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
