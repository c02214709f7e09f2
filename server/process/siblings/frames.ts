// The frames between siblings: a length of four bytes, then a topic, NUL and a text.

const HEADER_BYTES = 4

export function encodeFrame(topic: string, text: string): Buffer {
  const payload = `${topic}\0${text}`
  const bytes = Buffer.byteLength(payload)
  const frame = Buffer.allocUnsafe(HEADER_BYTES + bytes)
  frame.writeUInt32BE(bytes, 0)
  frame.write(payload, HEADER_BYTES)
  return frame
}

/** Returns a function that takes the chunks of one link, and calls the listener with each complete frame. */
export function frameReader(onFrame: (topic: string, text: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return chunk => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    while (bytes.length - start >= HEADER_BYTES) {
      const end = start + HEADER_BYTES + bytes.readUInt32BE(start)
      if (end > bytes.length) break
      const payload = bytes.toString('utf8', start + HEADER_BYTES, end)
      const nul = payload.indexOf('\0')
      onFrame(payload.slice(0, nul), payload.slice(nul + 1))
      start = end
    }
    rest = bytes.subarray(start)
  }
}
