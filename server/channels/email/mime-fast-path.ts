// Composes small emails in memory, and joins the pieces of large ones.
//
// nodemailer composes with a dozen streams and writes each line by itself, which takes longer than all other work for an email.
// Each write is a system call and a packet.

import { Readable, Transform, type TransformCallback } from 'node:stream'

import { encode as encodeBase64, wrap as wrapBase64 } from 'nodemailer/lib/base64'
import type MimeNode from 'nodemailer/lib/mime-node'
import { encode as encodeQuotedPrintable, wrap as wrapQuotedPrintable } from 'nodemailer/lib/qp'

/** @returns the same bytes as nodemailer, or undefined if a part is a stream or not text: nodemailer then composes the email */
export function composeInMemory(message: MimeNode): Buffer | undefined {
  const text = composeNode(message)
  return text === undefined ? undefined : Buffer.from(text.endsWith('\n') ? text : `${text}\r\n`)
}

/** Returns a stream of the whole email, which nodemailer expects for each attempt. */
export const toReadable = (email: Buffer): Readable =>
  new Readable({
    read() {
      this.push(email)
      this.push(null)
    }
  })

function composeNode(node: MimeNode): string | undefined {
  // Also sets the boundary and the encodings of the node.
  const head = `${node.buildHeaders()}\r\n\r\n`
  const { boundary, childNodes, content, multipart } = node
  if (!multipart) return typeof content === 'string' ? head + encodeContent(node, content) : undefined
  const parts = childNodes.map(composeNode)
  if (content || parts.includes(undefined)) return undefined
  return `${head}--${boundary}\r\n${parts.join(`\r\n--${boundary}\r\n`)}\r\n--${boundary}--\r\n`
}

const isAscii = (text: string): boolean => /^[\t\n\r -~]*$/.test(text)

/** Encodes ASCII without a look at each byte: only equals signs, and spaces at line ends, change (RFC 2045, 6.7). */
const encodeAscii = (text: string): string =>
  text.replace(/=|[ \t](?=[\r\n]|$)/g, sign => (sign === '=' ? '=3D' : sign === ' ' ? '=20' : '=09'))

function encodeContent(node: MimeNode, content: string): string {
  const encoding = node.getTransferEncoding()
  if (encoding === 'quoted-printable')
    return wrapQuotedPrintable(isAscii(content) ? encodeAscii(content) : encodeQuotedPrintable(content))
  return encoding === 'base64' ? wrapBase64(encodeBase64(content)) : content
}

const COALESCED_BYTES = 64 * 1024

/** Joins small writes into large ones. */
export class CoalesceStream extends Transform {
  #chunks: Buffer[] = []
  #bytes = 0

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes >= COALESCED_BYTES) this.#pushChunks()
    done()
  }

  override _flush(done: TransformCallback): void {
    this.#pushChunks()
    done()
  }

  #pushChunks(): void {
    if (this.#bytes > 0) this.push(Buffer.concat(this.#chunks, this.#bytes))
    this.#chunks = []
    this.#bytes = 0
  }
}
