// Small pieces of a mail, gathered into large ones: the mail library writes each line by itself, and each write is a call to
// the kernel, a packet and a read of the mail server.

import { Transform, type TransformCallback } from 'node:stream'

/** Bytes of a piece; a mail without files is one. */
const PIECE = 64 * 1024

export class Gather extends Transform {
  #pieces: Buffer[] = []
  #bytes = 0

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#pieces.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes >= PIECE) this.#give()
    done()
  }

  override _flush(done: TransformCallback): void {
    this.#give()
    done()
  }

  #give(): void {
    if (this.#bytes > 0) this.push(Buffer.concat(this.#pieces, this.#bytes))
    this.#pieces = []
    this.#bytes = 0
  }
}
