// Sends emails over a pool of SMTP connections, and decides what the answers of the mail server mean.

import { domainToASCII } from 'node:url'

import { createTransport } from 'nodemailer'

import type { DkimKey } from '../../config/email.ts'
import type { Outcome } from '../../queue/outcome.ts'
import type { ClosableProvider, Provider } from '../channel.ts'
import { isAboutAddress, isPassingRefusal } from './bounces/classify.ts'
import { toAttachmentParts } from './email-files.ts'
import { buildListHeaders, type EmailMessage } from './email.ts'
import { CoalesceStream, composeInMemory, toReadable } from './mime-fast-path.ts'
import { isSenderRefused, SENDER_REFUSED, trackSenderRefusals } from './sender-refusals.ts'

export interface SmtpOptions {
  /** `smtp(s)://user:password@host:port` */
  readonly url: string
  readonly connections: number
  /** Signs every email (RFC 6376). */
  readonly dkim?: DkimKey
  /** A mail server that sends nothing for so long is considered gone. Default: 60,000. */
  readonly idleTimeoutMs?: number
}

export interface SmtpFault {
  /** Code of nodemailer, such as `ESOCKET`. */
  readonly code?: string | undefined
  /** Code of Node, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  readonly originalCode?: string | undefined
  readonly command?: string | undefined
  readonly responseCode?: number | undefined
  readonly message: string
  /** The whole email had been sent when the fault occurred. */
  readonly isHandedOver?: boolean
}

interface RecipientFault extends SmtpFault {
  readonly recipient?: string
}

type FailedOutcome = Extract<Outcome, { readonly kind: 'retry' | 'pause' | 'dead' | 'uncertain' }>

/** A refusal of another command, such as EHLO, concerns the connection. */
const MESSAGE_COMMANDS = new Set(['MAIL FROM', 'RCPT TO', 'DATA', 'API'])
/** Codes of nodemailer for an email that can never be sent. */
const MESSAGE_CODES = new Set([
  'EMESSAGE',
  'EENVELOPE',
  'EMAXRECIPIENTS',
  'ESTREAM',
  'EFILEACCESS',
  'EURLACCESS'
])

/** Authentication is required, too weak, wrong or not encrypted (RFC 4954, 6). */
const AUTHENTICATION_ANSWERS = new Set([530, 534, 535, 538])
/** No such mailbox, user moved, or invalid name (RFC 5321, 4.2.3). */
const NO_MAILBOX_ANSWERS = new Set([550, 551, 553])
/** Bad sequence of commands: the session is wrong, not the message. */
const BAD_SEQUENCE = 503
/** The mail server closes the connection. */
const SERVICE_NOT_AVAILABLE = 421

const MAX_MESSAGES_PER_CONNECTION = 1000
const CONNECT_TIMEOUT_MS = 10_000
const MAX_REF_CHARACTERS = 200

const toRefusal = (detail: string) => ({
  detail,
  status: /\b5\d\d[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(detail)?.[1] ?? ''
})

/** Decides what follows from an answer other than 250, or from a missing answer. */
export function toOutcome({
  code = 'ESMTP',
  command = '',
  isHandedOver = false,
  message: detail,
  originalCode = code,
  responseCode
}: SmtpFault): FailedOutcome {
  if (code === 'EAUTH' || code === 'ENOAUTH' || AUTHENTICATION_ANSWERS.has(responseCode ?? 0)) {
    return { code: 'EAUTH', detail, kind: 'pause' }
  }
  if (responseCode !== undefined) {
    const answer = String(responseCode)
    if (responseCode === SERVICE_NOT_AVAILABLE || !MESSAGE_COMMANDS.has(command)) {
      return { code: answer, detail, kind: 'pause' }
    }
    if (isSenderRefused(command, responseCode, detail)) return { code: SENDER_REFUSED, detail, kind: 'pause' }
    if (responseCode >= 500 && responseCode !== BAD_SEQUENCE) {
      const isAddressInvalid =
        command === 'RCPT TO' && NO_MAILBOX_ANSWERS.has(responseCode) && isAboutAddress(toRefusal(detail))
      return { code: answer, detail, kind: 'dead', ...(isAddressInvalid && { isAddressInvalid }) }
    }
    const isIsolated = command === 'RCPT TO' && isPassingRefusal(detail)
    return { code: answer, detail, kind: 'retry', ...(isIsolated && { isIsolated }) }
  }
  if (MESSAGE_CODES.has(code)) return { code, detail, kind: 'dead' }
  // After the last byte, the mail server may have accepted the email.
  if (isHandedOver) return { code: originalCode, detail, kind: 'uncertain' }
  return { code: originalCode, detail, kind: 'pause' }
}

/** Encodes the domain as nodemailer sends it to the mail server. */
function toAsciiAddress(address = ''): string {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + domainToASCII(address.slice(at))
}

export function openSmtpProvider({
  connections,
  dkim,
  idleTimeoutMs = 60_000,
  url
}: SmtpOptions): ClosableProvider<EmailMessage> {
  const transport = createTransport({
    connectionTimeout: CONNECT_TIMEOUT_MS,
    // The content must not make this server read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    maxConnections: connections,
    maxMessages: MAX_MESSAGES_PER_CONNECTION,
    pool: true,
    socketTimeout: idleTimeoutMs,
    url,
    ...(dkim && { dkim })
  })
  /** Message-IDs of emails whose last byte was sent. Errors of nodemailer do not tell. */
  const handedOver = new Set<string>()
  transport.use('stream', ({ data, message }, done) => {
    // nodemailer signs only its own stream.
    const composed = dkim ? undefined : composeInMemory(message)
    const createReadStream = message.createReadStream.bind(message)
    const createObservedStream: typeof createReadStream = options =>
      (composed ? toReadable(composed) : createReadStream(options)).once('end', () =>
        handedOver.add(String(data.messageId))
      )
    message.createReadStream = createObservedStream
    message.transform(() => new CoalesceStream())
    done()
  })
  const send: Provider<EmailMessage>['send'] = async (
    { attachments, bcc, cc, deliveredTo = [], returnPath, size, to, ...message },
    { id, sendId },
    { signal }
  ) => {
    const files = toAttachmentParts(attachments)
    const copies = [...cc, ...bcc]
    try {
      const info = await transport.sendMail({
        ...message,
        attachments: files.parts,
        // As hard to guess for the author of the content as the default, without random bytes for each part.
        baseBoundary: id,
        headers: buildListHeaders(message),
        cc: [...cc],
        ...(returnPath !== undefined && {
          dsn: { id: sendId, notify: ['failure', 'delay'], return: 'headers' }
        }),
        // BCC addresses are in the envelope only.
        envelope: {
          from: { address: returnPath ?? message.from.address, name: '' },
          size,
          // Objects, because a text with a comma would be two recipients.
          to: [to, ...copies.filter(({ address }) => !deliveredTo.includes(address))]
        },
        replyTo: [...message.replyTo],
        signal,
        to
      })
      const refused = new Map(
        (info.rejectedErrors ?? []).map(error => [toAsciiAddress(error.recipient), error])
      )
      const ownRefusal = refused.get(toAsciiAddress(to.address))
      if (ownRefusal) {
        const accepted = copies
          .map(({ address }) => address)
          .filter(address => !refused.has(toAsciiAddress(address)))
        return { ...toOutcome(ownRefusal), deliveredTo: accepted }
      }
      const ref = (info.response ?? '').slice(0, MAX_REF_CHARACTERS)
      if (refused.size === 0) return { kind: 'sent', ref }
      const detail = [...refused].map(([address, { message: text }]) => `${address}: ${text}`).join(' ')
      return { code: 'copies-refused', detail, kind: 'sent', ref }
    } catch (error) {
      const fault = error as SmtpFault & { readonly rejectedErrors?: readonly RecipientFault[] }
      const ownRefusal = fault.rejectedErrors?.find(
        ({ recipient }) => toAsciiAddress(recipient) === toAsciiAddress(to.address)
      )
      const { code, command, message: detail, originalCode, responseCode } = ownRefusal ?? fault
      if (files.readError()) return { code: 'file-unreadable', detail, kind: 'retry' }
      const isHandedOver = handedOver.has(message.messageId)
      return toOutcome({ code, command, isHandedOver, message: detail, originalCode, responseCode })
    } finally {
      files.close()
      handedOver.delete(message.messageId)
    }
  }

  const refusals = trackSenderRefusals()
  return {
    async close() {
      transport.close()
    },
    send: async (...email) => refusals.observe(await send(...email))
  }
}
