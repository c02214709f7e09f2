// The sandbox: a provider that keeps the message instead of sending it, so that nobody needs an account anywhere.

import type { Readable } from 'node:stream'

import { createTransport } from 'nodemailer'

import type { Db, Json } from '../../db/db.ts'
import type { ChannelQueue, Provider } from '../channel.ts'
import { partsOf } from '../email/email-attachments.ts'
import { listHeaders, type EmailMessage } from '../email/email.ts'
import { keepMessage } from './sandbox.sql.ts'

/** Characters of the raw message that are kept. */
const RAW_LIMIT = 1_000_000

/** Keeps a message as it is. */
export const sandbox = <Message extends object>(db: Db, channel: ChannelQueue): Provider<Message> => ({
  close: async () => {},
  send: (message, delivery) => keepMessage(db, channel, delivery, message as Record<string, Json>)
})

/** Keeps the mail as it would have left, with all its headers. */
export function emailSandbox(db: Db): Provider<EmailMessage> {
  const transport = createTransport({
    disableFileAccess: true,
    disableUrlAccess: true,
    streamTransport: true
  })
  return {
    close: async () => {},
    async send({ attachments, ...message }, delivery) {
      const files = partsOf(attachments)
      const composed = await transport.sendMail({
        ...message,
        attachments: files.parts,
        headers: listHeaders(message),
        bcc: [],
        cc: [...message.cc],
        replyTo: [...message.replyTo]
      })
      const raw = await beginningOf(composed.message as Readable)
      files.close()
      if (files.broken()) throw files.broken()
      return keepMessage(db, 'EMAIL', delivery, {
        attachments: attachments.map(file => ({
          bytes: 'content' in file ? Buffer.byteLength(file.content, 'base64') : file.bytes,
          filename: file.filename,
          ...(file.contentType !== undefined && { contentType: file.contentType })
        })),
        bcc: message.bcc.map(one => one.address),
        cc: message.cc.map(one => one.address),
        from: { ...message.from },
        headers: headersOf(raw),
        html: message.html,
        raw,
        replyTo: message.replyTo.map(one => one.address),
        subject: message.subject,
        text: message.text,
        to: message.to.address
      })
    }
  }
}

/** As much of the mail as is kept; the rest is never made. */
async function beginningOf(mail: Readable): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of mail as AsyncIterable<Buffer>) {
    pieces.push(piece)
    length += piece.length
    if (length >= RAW_LIMIT) break
  }
  return Buffer.concat(pieces).toString().slice(0, RAW_LIMIT)
}

/** Header fields in their order, unfolded. */
function headersOf(raw: string): { name: string; value: string }[] {
  const [head = ''] = raw.split(/\r?\n\r?\n/, 1)
  return head
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .map(line => ({
      name: line.slice(0, line.indexOf(':')),
      value: line.slice(line.indexOf(':') + 1).trim()
    }))
}
