// A mail whose parts are all in memory, as the bytes that leave. The mail library makes the same bytes with a dozen streams
// and as many writes, which takes longer than everything else that is done for a mail.

import { Readable } from 'node:stream'

import { encode as base64, wrap as base64Lines } from 'nodemailer/lib/base64'
import type MimeNode from 'nodemailer/lib/mime-node'
import { encode as quoted, wrap as quotedLines } from 'nodemailer/lib/qp'

/** @returns undefined where a part is a stream, or comes otherwise than as text: then the library writes the mail */
export function wholeOf(message: MimeNode): Buffer | undefined {
  const text = textOf(message)
  return text === undefined ? undefined : Buffer.from(text.endsWith('\n') ? text : `${text}\r\n`)
}

/** What the library takes for a mail, each time it sends it. */
export const readOf = (whole: Buffer): Readable =>
  new Readable({
    read() {
      this.push(whole)
      this.push(null)
    }
  })

function textOf(node: MimeNode): string | undefined {
  // It is also what finds out about the parts.
  const head = `${node.buildHeaders()}\r\n\r\n`
  const { boundary, childNodes, content, multipart } = node
  if (!multipart) return typeof content === 'string' ? head + encoded(node, content) : undefined
  const parts = childNodes.map(textOf)
  if (content || parts.includes(undefined)) return undefined
  return `${head}--${boundary}\r\n${parts.join(`\r\n--${boundary}\r\n`)}\r\n--${boundary}--\r\n`
}

const isAscii = (text: string): boolean => /^[\t\n\r -~]*$/.test(text)

/** Most mails, without a look at each byte: an equals sign, and spaces at the end of a line (RFC 2045, 6.7). */
const quotedAscii = (text: string): string =>
  text.replace(/=|[ \t](?=[\r\n]|$)/g, sign => (sign === '=' ? '=3D' : sign === ' ' ? '=20' : '=09'))

function encoded(node: MimeNode, content: string): string {
  const encoding = node.getTransferEncoding()
  if (encoding === 'quoted-printable')
    return quotedLines(isAscii(content) ? quotedAscii(content) : quoted(content))
  return encoding === 'base64' ? base64Lines(base64(content)) : content
}
