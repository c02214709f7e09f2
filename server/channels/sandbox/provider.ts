// The sandbox: a provider that stores messages instead of sending them, so that no account is needed to try a channel.

import type { Readable } from 'node:stream'

import { createTransport } from 'nodemailer'

import type { Db, Json } from '../../db/db.ts'
import type { ChannelQueue, Provider } from '../channel.ts'
import { toAttachmentParts } from '../email/email-files.ts'
import { buildListHeaders, type EmailMessage } from '../email/email.ts'
import { storeMessage } from './sandbox.sql.ts'

const MAX_RAW_CHARACTERS = 1_000_000

/** Stores messages as they are. */
export const openSandbox = <Message extends object>(db: Db, channel: ChannelQueue): Provider<Message> => ({
  send: (message, delivery) => storeMessage(db, channel, delivery, message as Record<string, Json>)
})

/** Stores emails as they would have been sent, with all headers. */
export function openEmailSandbox(db: Db): Provider<EmailMessage> {
  const transport = createTransport({
    disableFileAccess: true,
    disableUrlAccess: true,
    streamTransport: true
  })
  return {
    async send({ attachments, ...message }, delivery) {
      const files = toAttachmentParts(attachments)
      const composed = await transport.sendMail({
        ...message,
        attachments: files.parts,
        headers: buildListHeaders(message),
        bcc: [],
        cc: [...message.cc],
        replyTo: [...message.replyTo]
      })
      const raw = await readBeginning(composed.message as Readable)
      files.close()
      if (files.readError()) throw files.readError()
      return storeMessage(db, 'EMAIL', delivery, {
        attachments: attachments.map(file => ({
          bytes: 'content' in file ? Buffer.byteLength(file.content, 'base64') : file.bytes,
          filename: file.filename,
          ...(file.contentType !== undefined && { contentType: file.contentType })
        })),
        bcc: message.bcc.map(({ address }) => address),
        cc: message.cc.map(({ address }) => address),
        from: { ...message.from },
        headers: readHeaders(raw),
        html: message.html,
        raw,
        replyTo: message.replyTo.map(({ address }) => address),
        subject: message.subject,
        text: message.text,
        to: message.to.address
      })
    }
  }
}

/** Stops at {@link MAX_RAW_CHARACTERS}, so that the rest is never composed. */
async function readBeginning(email: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of email as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= MAX_RAW_CHARACTERS) break
  }
  return Buffer.concat(chunks).toString().slice(0, MAX_RAW_CHARACTERS)
}

/** Returns the header fields in their order, unfolded. */
function readHeaders(raw: string): { name: string; value: string }[] {
  const [head = ''] = raw.split(/\r?\n\r?\n/, 1)
  return head
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .map(line => ({
      name: line.slice(0, line.indexOf(':')),
      value: line.slice(line.indexOf(':') + 1).trim()
    }))
}
