// The attachments of an email: loaded in the order of the send, and read from the database while the email is sent.

import { Readable } from 'node:stream'

import type { Db } from '../../db/db.ts'
import { cleanName, cleanMediaType, type Attachment } from '../../send/attachments/attachment.ts'
import { encodedBytes, base64LineBytes } from '../../send/attachments/attachment.ts'
import { attachmentKey, readParts, readAvailableFiles } from '../../send/attachments/attachments.sql.ts'
import type { FetchBody } from '../../send/attachments/fetch.ts'
import type { Delivery, MessageResult } from '../channel.ts'
import { rejectMessage } from '../content.ts'

interface FileName {
  readonly filename: string
  readonly contentType?: string
}

/** A file of the request, or a fetched file that is read from the database whenever it is opened. */
export type EmailFile = FileName &
  (
    | { /** base64 */ readonly content: string }
    | { /** Before its encoding. */ readonly bytes: number; open(): AsyncIterable<Buffer> }
  )

/** Bytes of the file in an email. */
export const countEncodedBytes = (file: EmailFile): number =>
  'content' in file ? base64LineBytes(file.content.length) : encodedBytes(file.bytes)

export type LoadFiles = (
  delivery: Delivery,
  attachments: readonly Attachment[] | undefined
) => Promise<MessageResult<readonly EmailFile[]>>

export const createFileLoader =
  (db: Pick<Db, 'of'>): LoadFiles =>
  async (delivery, attachments = []) => {
    const hasFetched = attachments.some(file => 'url' in file)
    const fetched = hasFetched
      ? await readAvailableFiles(db.of(delivery.bucket), delivery, readSendIds(delivery))
      : []
    const fetchedByKey = new Map(fetched.map(file => [file.key, file]))
    const files: EmailFile[] = []
    for (const file of attachments) {
      const filename = cleanName(file.filename)
      if ('content' in file) {
        files.push({ content: file.content, ...toFileName(filename, file.contentType) })
        continue
      }
      const stored = fetchedByKey.get(attachmentKey(file.url))
      if (!stored) return rejectMessage('no-file', `The fetched file ${filename} was deleted.`)
      files.push({
        bytes: stored.bytes,
        open: () => readParts(db.of(delivery.bucket), delivery.bucket, stored),
        ...toFileName(filename, stored.type)
      })
    }
    return { message: files, ok: true }
  }

const readSendIds = ({ body }: Delivery): readonly string[] => (body as Partial<FetchBody>).sends ?? []

function toFileName(filename: string, given: string | null | undefined): FileName {
  const contentType = cleanMediaType(filename, given)
  return { filename, ...(contentType !== undefined && { contentType }) }
}

/** An attachment of nodemailer. */
interface AttachmentPart extends FileName {
  readonly content: string | Readable
  /** Encoding of a text; a stream has bytes. */
  readonly encoding?: 'base64'
}

export interface AttachmentParts {
  readonly parts: AttachmentPart[]
  /** Returns why a file could not be read to its end: a failure of this server, not of the mail server. */
  readonly readError: () => unknown
  /** Closes streams that were not read to their end. */
  close(): void
}

export function toAttachmentParts(files: readonly EmailFile[]): AttachmentParts {
  let failure: unknown
  const streams: Readable[] = []
  const parts = files.map((file): AttachmentPart => {
    const { filename } = file
    const type = file.contentType === undefined ? {} : { contentType: file.contentType }
    if ('content' in file) return { content: file.content, encoding: 'base64', filename, ...type }
    const content = Readable.from(file.open(), { objectMode: false })
    content.on('error', error => (failure ??= error))
    streams.push(content)
    return { content, filename, ...type }
  })
  return {
    close: () => {
      for (const stream of streams) stream.destroy()
    },
    parts,
    readError: () => failure
  }
}
