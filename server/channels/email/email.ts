// Builds emails: content, sender and recipients. Addresses stay objects, because nodemailer parses text as a list of addresses.

import type { Config } from '../../config/config.ts'
import { defaultSender } from '../../config/email.ts'
import { parseMailbox, type Mailbox } from '../../core/mailbox.ts'
import { encodedBytes } from '../../send/attachments/attachment.ts'
import type { EmailOptions, Send } from '../../send/send-request.ts'
import { composeEmail } from '../../types/templates/email.ts'
import type { BuildPreferencesLink, BuildUnsubscribeLink } from '../../users/link-pages/link-token.ts'
import type { Channel, Delivery, MessageResult, Provider } from '../channel.ts'
import { renderContent, rejectMessage, type ContentContext } from '../content.ts'
import type { BuildReturnPath } from './bounces/address.ts'
import { countEncodedBytes, type LoadFiles, type EmailFile } from './email-files.ts'

export interface EmailMessage {
  /** The same for every attempt, so that a mailbox can drop a repeated email. */
  readonly messageId: string
  readonly from: Mailbox
  readonly to: Mailbox
  readonly cc: readonly Mailbox[]
  readonly bcc: readonly Mailbox[]
  /** Addresses of copies that an earlier attempt delivered. */
  readonly deliveredTo?: readonly string[]
  readonly replyTo: readonly Mailbox[]
  readonly subject: string
  readonly html?: string
  readonly text: string
  readonly attachments: readonly EmailFile[]
  /** Address for bounces. Default: the sender. */
  readonly returnPath?: string
  /** Address of the one-click unsubscription (RFC 8058). */
  readonly unsubscribe?: string
  /** Estimated bytes with all encodings. */
  readonly size: number
}

/** Longer than the idle time-out of a connection, for emails of any size. */
const TIMEOUT_MS = 90_000

/** Emails that are built while others are sent, so that no connection waits for one. */
const PREBUILT_COUNT = 2

const HEADER_BYTES = 2000

const parseMailboxes = (addresses: readonly string[] | undefined): Mailbox[] =>
  (addresses ?? []).flatMap(address => parseMailbox(address) ?? [])

const countTextBytes = (text: string): number => encodedBytes(Buffer.byteLength(text))

export interface EmailChannelOptions extends ContentContext {
  readonly config: Pick<Config, 'emailConnections' | 'emailFrom' | 'emailMaxBytes'>
  readonly loadFiles: LoadFiles
  readonly buildUnsubscribeLink: BuildUnsubscribeLink
  readonly buildPreferencesLink: BuildPreferencesLink
  readonly buildReturnPath: BuildReturnPath
  readonly provider: Provider<EmailMessage>
}

export function createEmailChannel({
  config,
  loadFiles,
  buildUnsubscribeLink,
  buildPreferencesLink,
  buildReturnPath,
  provider,
  ...context
}: EmailChannelOptions): Channel<EmailMessage> {
  const fallback = defaultSender(config)
  const chooseSender = (fields: Readonly<Record<string, string>>, options: EmailOptions): Mailbox => ({
    address: options.fromAddress ?? fields['senderEmail'] ?? fallback.address,
    name: options.fromName ?? fields['senderName'] ?? fallback.name
  })

  return {
    async buildMessage(delivery: Delivery): Promise<MessageResult<EmailMessage>> {
      const { body, envId, sendId, userId } = delivery
      const { notificationId } = body
      const { subNotificationId = '' } = delivery.send as unknown as Send
      const unsubscribe = buildUnsubscribeLink({ envId, notificationId, subNotificationId, userId })
      const rendered = await renderContent(
        context,
        'EMAIL',
        delivery,
        { email: body.to },
        { _unsubscribe_url: unsubscribe ?? '' },
        {
          preferencesLink: () => buildPreferencesLink({ envId, userId }) ?? '',
          unsubscribeLink: () => unsubscribe ?? ''
        }
      )
      if (!rendered.ok) return rendered
      const { fields, locale, send } = rendered
      const options = send.options?.email ?? {}
      const { html, text } = composeEmail(fields, locale)
      const returnPath = buildReturnPath(sendId, body.to)
      const from = chooseSender(fields, options)
      const loaded = await loadFiles(delivery, options.attachments)
      if (!loaded.ok) return loaded
      const attachments = loaded.message
      const fileBytes = attachments.reduce((sum, file) => sum + countEncodedBytes(file), 0)
      const size = HEADER_BYTES + countTextBytes(html ?? '') + countTextBytes(text) + fileBytes
      if (size > config.emailMaxBytes) {
        const detail = `The email has ${size} bytes; at most ${config.emailMaxBytes} are allowed.`
        return rejectMessage('too-large', detail)
      }
      return {
        message: {
          attachments,
          bcc: parseMailboxes(options.bccAddresses),
          cc: parseMailboxes(options.ccAddresses),
          from,
          messageId: `<${sendId}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
          replyTo: parseMailboxes(options.replyToAddresses),
          size,
          subject: fields['subject'] ?? '',
          text,
          to: { address: body.to, name: '' },
          ...(html !== undefined && { html }),
          ...(body.deliveredTo && { deliveredTo: body.deliveredTo }),
          ...(returnPath !== undefined && { returnPath }),
          ...(unsubscribe !== undefined && { unsubscribe })
        },
        ok: true
      }
    },
    describe: ({ subject, text }) => ({ subject, text }),
    name: 'EMAIL',
    provider,
    concurrency: config.emailConnections + PREBUILT_COUNT,
    timeoutMs: TIMEOUT_MS,
    // The Message-ID is the same, so a mailbox can drop the second email.
    whenUncertain: 'retry'
  }
}

/** A line has at most 998 characters (RFC 5322, 2.1.1), and an address cannot be folded. Mail servers reject or cut longer lines. */
const MAX_LINK_CHARACTERS = 998 - 'List-Unsubscribe: <>'.length

/**
 * Returns the headers with which an email client offers to unsubscribe (RFC 2369, RFC 8058). None if the address is too long,
 * because a user id has hundreds of bytes; the link in the text works nevertheless.
 */
export const buildListHeaders = ({
  unsubscribe
}: Pick<EmailMessage, 'unsubscribe'>): Record<string, string> =>
  unsubscribe === undefined || unsubscribe.length > MAX_LINK_CHARACTERS
    ? {}
    : { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
