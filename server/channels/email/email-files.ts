// The fetched files of a mail, as the mail takes them: in the order of the send, read piece by piece while it leaves.

import type { Db } from '../../db/db.ts'
import { cleanName, cleanMediaType, type Attachment } from '../../send/attachments/attachment.ts'
import { encodedBytes, base64LineBytes } from '../../send/attachments/attachment.ts'
import { attachmentKey, readParts, readAvailableFiles } from '../../send/attachments/attachments.sql.ts'
import type { FetchBody } from '../../send/attachments/fetch.ts'
import type { Delivery, MessageResult } from '../channel.ts'

interface Named {
  readonly filename: string
  readonly contentType?: string
}

/** A file in the request, or one that is read from the database each time it is opened. */
export type MailFile = Named &
  (
    | { /** base64 */ readonly content: string }
    | { /** Of the file as it is. */ readonly bytes: number; open(): AsyncIterable<Buffer> }
  )

/** Bytes that it has in a mail. */
export const sizeOf = (file: MailFile): number =>
  'content' in file ? base64LineBytes(file.content.length) : encodedBytes(file.bytes)

export type FilesOf = (
  delivery: Delivery,
  attachments: readonly Attachment[] | undefined
) => Promise<MessageResult<readonly MailFile[]>>

export const filesOf =
  (db: Pick<Db, 'of'>): FilesOf =>
  async (delivery, attachments = []) => {
    const isFetched = attachments.some(file => 'url' in file)
    const kept = isFetched
      ? await readAvailableFiles(db.of(delivery.bucket), delivery, sendsOf(delivery))
      : []
    const stored = new Map(kept.map(file => [file.key, file]))
    const files: MailFile[] = []
    for (const file of attachments) {
      const filename = cleanName(file.filename)
      if ('content' in file) {
        const { content } = file
        files.push({ content, ...named(filename, file.contentType) })
        continue
      }
      const found = stored.get(attachmentKey(file.url))
      if (!found) return { code: 'no-file', detail: `The file ${filename} is gone.`, ok: false }
      files.push({
        bytes: found.bytes,
        open: () => readParts(db.of(delivery.bucket), delivery.bucket, found),
        ...named(filename, found.type)
      })
    }
    return { message: files, ok: true }
  }

const sendsOf = ({ body }: Delivery): readonly string[] => (body as Partial<FetchBody>).sends ?? []

function named(filename: string, given: string | null | undefined): Named {
  const contentType = cleanMediaType(filename, given)
  return { filename, ...(contentType !== undefined && { contentType }) }
}
