// SMTP: a pool of connections to the operator's mail server, and what its answers mean.

import { domainToASCII } from 'node:url'

import { createTransport } from 'nodemailer'

import type { DkimKey } from '../../config/email.ts'
import type { Outcome } from '../../queue/outcome.ts'
import type { Provider } from '../channel.ts'
import { isAboutAddress, passesForAddress } from './bounces/classify.ts'
import { Gather } from './coalesce.ts'
import { partsOf } from './email-attachments.ts'
import { listHeaders, type EmailMessage } from './email.ts'
import { readOf, wholeOf } from './mime-fast-path.ts'

export interface SmtpOptions {
  /** `smtp(s)://user:password@host:port` */
  readonly url: string
  readonly connections: number
  /** Signs every mail (RFC 6376). */
  readonly dkim?: DkimKey
  /** Milliseconds; default 60 s: a server that says nothing for so long is gone. */
  readonly idle?: number
}

export interface SmtpFault {
  /** What failed, in the words of the library: `ESOCKET`. */
  readonly code?: string | undefined
  /** Why, in the words of the system: `ECONNREFUSED`, `CERT_HAS_EXPIRED`. */
  readonly originalCode?: string | undefined
  readonly command?: string | undefined
  readonly responseCode?: number | undefined
  readonly message: string
  /** The whole message had left when it happened. */
  readonly handedOver?: boolean
}

interface Refused {
  readonly recipient?: string
}

type NotSent = Extract<Outcome, { readonly kind: 'retry' | 'pause' | 'dead' | 'uncertain' }>

/** Commands that concern the message; what is refused before them concerns the connection. */
const OF_MESSAGE = new Set(['MAIL FROM', 'RCPT TO', 'DATA', 'API'])
const IMPOSSIBLE = new Set([
  'EMESSAGE',
  'EENVELOPE',
  'EMAXRECIPIENTS',
  'ESTREAM',
  'EFILEACCESS',
  'EURLACCESS'
])

/** Authentication required, too weak, wrong, not encrypted. */
const ABOUT_CREDENTIALS = new Set([530, 534, 535, 538])

/** No mailbox there, moved, no such name (RFC 5321, 4.2.3). */
const NO_MAILBOX = new Set([550, 551, 553])

const refusalIn = (detail: string) => ({
  detail,
  status: /\b5\d\d[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(detail)?.[1] ?? ''
})

/** Pure: what to do about an answer that is not 250, or about no answer. */
export function outcomeOf({
  code = 'ESMTP',
  command = '',
  handedOver = false,
  message: detail,
  originalCode = code,
  responseCode
}: SmtpFault): NotSent {
  if (code === 'EAUTH' || code === 'ENOAUTH' || ABOUT_CREDENTIALS.has(responseCode ?? 0)) {
    return { code: 'EAUTH', detail, kind: 'pause' }
  }
  if (responseCode !== undefined) {
    const answer = String(responseCode)
    if (responseCode === 421 || !OF_MESSAGE.has(command)) return { code: answer, detail, kind: 'pause' }
    // 503, bad sequence: the session was wrong, not the message.
    if (responseCode >= 500 && responseCode !== 503) {
      const bad = command === 'RCPT TO' && NO_MAILBOX.has(responseCode) && isAboutAddress(refusalIn(detail))
      return { code: answer, detail, kind: 'dead', ...(bad && { badAddress: true }) }
    }
    const alone = command === 'RCPT TO' && passesForAddress(detail)
    return { code: answer, detail, kind: 'retry', ...(alone && { alone }) }
  }
  if (IMPOSSIBLE.has(code)) return { code, detail, kind: 'dead' }
  // After the last dot nobody knows whether the server has taken it.
  if (handedOver) return { code: originalCode, detail, kind: 'uncertain' }
  return { code: originalCode, detail, kind: 'pause' }
}

/** The library says domains as they are said to the server. */
function onWire(address = ''): string {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + domainToASCII(address.slice(at))
}

export function smtpProvider({ connections, dkim, idle = 60_000, url }: SmtpOptions): Provider<EmailMessage> {
  const transport = createTransport({
    connectionTimeout: 10_000,
    // Nothing in a message may name a file or an address to be read by us.
    disableFileAccess: true,
    disableUrlAccess: true,
    dnsTimeout: 10_000,
    greetingTimeout: 10_000,
    maxConnections: connections,
    maxMessages: 1000,
    pool: true,
    socketTimeout: idle,
    url,
    ...(dkim && { dkim })
  })
  /** Message-IDs whose last byte has left. The library does not say in its errors how far it came. */
  const handedOver = new Set<string>()
  transport.use('stream', ({ data, message }, done) => {
    // A signature is made from the library's own stream.
    const whole = dkim ? undefined : wholeOf(message)
    const open = message.createReadStream.bind(message)
    const reading: typeof open = options =>
      (whole ? readOf(whole) : open(options)).once('end', () => handedOver.add(String(data.messageId)))
    message.createReadStream = reading
    message.transform(() => new Gather())
    done()
  })
  return {
    async close() {
      transport.close()
    },
    async send(
      { attachments, bcc, cc, reached = [], returnPath, size, to, ...message },
      { id, sendId },
      { signal }
    ) {
      const files = partsOf(attachments)
      try {
        const info = await transport.sendMail({
          ...message,
          attachments: files.parts,
          // As hard to guess for who writes the mail, and the library need not ask for chance for each part.
          baseBoundary: id,
          headers: listHeaders(message),
          cc: [...cc],
          // A report needs no copy of the mail.
          ...(returnPath !== undefined && {
            dsn: { id: sendId, notify: ['failure', 'delay'], return: 'headers' }
          }),
          // BCC stands only in the envelope.
          envelope: {
            from: { address: returnPath ?? message.from.address, name: '' },
            size,

            // Objects here too: text with a comma would be two recipients.
            to: [to, ...[...cc, ...bcc].filter(({ address }) => !reached.includes(address))]
          },
          replyTo: [...message.replyTo],
          signal,
          to
        })
        const refused = new Map((info.rejectedErrors ?? []).map(error => [onWire(error.recipient), error]))
        const own = refused.get(onWire(to.address))
        if (own) {
          const had = [...cc, ...bcc].map(({ address }) => address).filter(one => !refused.has(onWire(one)))
          return { ...outcomeOf(own), reached: had }
        }
        const ref = (info.response ?? '').slice(0, 200)
        if (refused.size === 0) return { kind: 'sent', ref }
        const detail = [...refused].map(([address, { message: words }]) => `${address}: ${words}`).join(' ')
        return { code: 'copies-refused', detail, kind: 'sent', ref }
      } catch (error) {
        const fault = error as SmtpFault & { readonly rejectedErrors?: readonly (SmtpFault & Refused)[] }
        const {
          code,
          command,
          message: detail,
          originalCode,
          responseCode
        } = fault.rejectedErrors?.find(one => onWire(one.recipient) === onWire(to.address)) ?? fault
        if (files.broken()) return { code: 'file-unreadable', detail, kind: 'retry' }
        const late = handedOver.has(message.messageId)
        return outcomeOf({ code, command, handedOver: late, message: detail, originalCode, responseCode })
      } finally {
        files.close()
        handedOver.delete(message.messageId)
      }
    }
  }
}
