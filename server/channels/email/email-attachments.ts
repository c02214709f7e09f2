// A mail's files as the mail library takes them; remembers when one could not be read, which is our fault and nobody else's.

import { Readable } from 'node:stream'

import type { MailFile } from './email-files.ts'

interface Part {
  readonly filename: string
  readonly contentType?: string
  readonly content: string | Readable
  /** Of `content`; a stream has bytes. */
  readonly encoding?: 'base64'
}

export interface Parts {
  readonly parts: Part[]
  /** Why a file could not be read to its end. */
  readonly broken: () => unknown
  /** Streams that nobody read would wait for ever. */
  close(): void
}

export function partsOf(files: readonly MailFile[]): Parts {
  let failure: unknown
  const streams: Readable[] = []
  const parts = files.map((file): Part => {
    const { filename } = file
    const type = file.contentType === undefined ? {} : { contentType: file.contentType }
    if ('content' in file) return { content: file.content, encoding: 'base64', filename, ...type }
    const content = Readable.from(file.open(), { objectMode: false })
    content.on('error', error => (failure ??= error))
    streams.push(content)
    return { content, filename, ...type }
  })
  return {
    broken: () => failure,
    close: () => {
      for (const stream of streams) stream.destroy()
    },
    parts
  }
}
