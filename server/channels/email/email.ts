// E-mail: what a mail says, from whom and to whom. Addresses stay objects: text would be parsed as a list.

import type { Config } from '../../config/config.ts'
import { defaultSender } from '../../config/email.ts'
import { parseMailbox, type Mailbox } from '../../core/mailbox.ts'
import { encodedBytes } from '../../send/attachments/attachment.ts'
import type { EmailOptions, Send } from '../../send/send-request.ts'
import { composeEmail } from '../../types/templates/email.ts'
import type { Renderer } from '../../types/templates/render.ts'
import type { Types } from '../../types/type.ts'
import type { BuildPreferencesLink, BuildUnsubscribeLink } from '../../users/link-pages/link-token.ts'
import type { Channel, Delivery, MessageResult, Provider } from '../channel.ts'
import { renderContent, unmakeable } from '../content.ts'
import type { ReturnPathOf } from './bounces/address.ts'
import { sizeOf, type FilesOf, type MailFile } from './email-files.ts'

export interface EmailMessage {
  /** The same for every try, so that a mailbox can drop a repeat. */
  readonly messageId: string
  readonly from: Mailbox
  readonly to: Mailbox
  readonly cc: readonly Mailbox[]
  readonly bcc: readonly Mailbox[]
  /** Addresses of copies that have it from a try before. */
  readonly reached?: readonly string[]
  readonly replyTo: readonly Mailbox[]
  readonly subject: string
  readonly html?: string
  readonly text: string
  readonly attachments: readonly MailFile[]
  /** Who hears that it could not be delivered; absent: the sender. */
  readonly returnPath?: string
  /** Address of one click (RFC 8058). */
  readonly unsubscribe?: string
  /** About as many bytes as it will have on the wire, encoded. */
  readonly size: number
}

/** Milliseconds for one mail, however large: above the idle time-out of the connection. */
const TIMEOUT = 90_000

/** Mails that are made while others leave, so that no connection waits for one. */
const READY = 2

const bare = (address: string): Mailbox => ({ address, name: '' })
const all = (written: readonly string[] | undefined): Mailbox[] =>
  (written ?? []).flatMap(text => parseMailbox(text) ?? [])

const textSize = (text: string): number => encodedBytes(Buffer.byteLength(text))

export interface EmailOptionsOfChannel {
  readonly config: Pick<Config, 'emailConnections' | 'emailFrom' | 'emailMaxBytes'>
  readonly files: FilesOf
  /** Ends mails of this type to this user. */
  readonly link: BuildUnsubscribeLink
  /** Where they choose what reaches them. */
  readonly preferencesLink: BuildPreferencesLink
  readonly renderer: Renderer
  readonly returnPath: ReturnPathOf
  readonly types: Types
  readonly provider: Provider<EmailMessage>
}

export function emailChannel({
  config,
  files,
  link,
  preferencesLink,
  provider,
  renderer,
  returnPath: returnPathOf,
  types
}: EmailOptionsOfChannel): Channel<EmailMessage> {
  const usual = defaultSender(config)
  const senderOf = (fields: Readonly<Record<string, string>>, options: EmailOptions): Mailbox => ({
    address: options.fromAddress ?? fields['senderEmail'] ?? usual.address,
    name: options.fromName ?? fields['senderName'] ?? usual.name
  })

  const makeMessage = async (delivery: Delivery): Promise<MessageResult<EmailMessage>> => {
    const { body, envId, sendId, userId } = delivery
    const { subNotificationId = '' } = delivery.send as unknown as Send
    const unsubscribe = link({ envId, notificationId: body.notificationId, subNotificationId, userId })
    const said = await renderContent(
      { renderer, types },
      'EMAIL',
      delivery,
      { email: body.to },
      { _unsubscribe_url: unsubscribe ?? '' },
      {
        preferencesLink: () => preferencesLink({ envId, userId }) ?? '',
        unsubscribeLink: () => unsubscribe ?? ''
      }
    )
    if (!said.ok) return said
    const { fields, locale, send } = said
    const options = send.options?.email ?? {}
    const { html, text } = composeEmail(fields, locale)
    const returnPath = returnPathOf(sendId, body.to)
    const from = senderOf(fields, options)
    const attached = await files(delivery, options.attachments)
    if (!attached.ok) return attached
    const attachments = attached.message
    const size =
      2000 + textSize(html ?? '') + textSize(text) + attachments.reduce((sum, file) => sum + sizeOf(file), 0)
    if (size > config.emailMaxBytes)
      return unmakeable(
        'too-large',
        `The mail has ${size} bytes, at most ${config.emailMaxBytes} are allowed.`
      )
    return {
      message: {
        attachments,
        bcc: all(options.bccAddresses),
        cc: all(options.ccAddresses),
        from,
        messageId: `<${sendId}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
        replyTo: all(options.replyToAddresses),
        size,
        subject: fields['subject'] ?? '',
        text,
        to: bare(body.to),
        ...(html !== undefined && { html }),
        ...(body.reached && { reached: body.reached }),
        ...(returnPath !== undefined && { returnPath }),
        ...(unsubscribe !== undefined && { unsubscribe })
      },
      ok: true
    }
  }

  return {
    makeMessage,
    name: 'EMAIL',
    provider,
    concurrency: config.emailConnections + READY,
    timeoutMs: TIMEOUT,
    // The Message-ID is the same, so a mailbox can drop the second copy: better twice than never.
    whenUncertain: 'retry'
  }
}

/** Characters of a line of a mail (RFC 5322, 2.1.1). An address cannot go on in the next one, and mail servers refuse or cut more. */
const LINE = 998 - 'List-Unsubscribe: <>'.length

/**
 * Headers with which a mail program offers to unsubscribe, without a page (RFC 2369, RFC 8058). None where the address is
 * too long, which takes a user id of hundreds of bytes: the link in the text is whole.
 */
export const listHeaders = ({ unsubscribe }: Pick<EmailMessage, 'unsubscribe'>): Record<string, string> =>
  unsubscribe === undefined || unsubscribe.length > LINE
    ? {}
    : { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
