// Finds the machine-readable part of a bounce (multipart/report, RFC 6522) without parsing the rest of it.
//
// Anyone who got one email of this server can post any bytes as its bounce. So a bounce costs one search for its
// boundaries; a whole MIME parser (postal-mime) spends time and memory on every line, and blocks all requests meanwhile.

const MAX_HEAD_BYTES = 64 * 1024
const MAX_REPORT_BYTES = 64 * 1024
/** A report has three: a text, the status, and the returned email. */
const MAX_PARTS = 10

const REPORT_TYPE = /^multipart\/report\b/i
/** Without quotes it ends before the next parameter or a comment. */
const BOUNDARY = /;[ \t]*boundary[ \t]*=[ \t]*(?:"([^"]{1,70})"|([^\s;"][^;"]{0,69}?)[ \t]*(?:;|$|[ \t]\())/i
const STATUS_TYPE = /^message\/(?:global-)?delivery-status(?=[\s;(]|$)/i

/** @returns the unfolded value of a header field, or `''`. @param name - in lower case */
function readField(head: string, name: string): string {
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const line = lines.find(one => one.slice(0, one.indexOf(':')).trimEnd().toLowerCase() === name)
  return line?.slice(line.indexOf(':') + 1).trim() ?? ''
}

/** Reads the header fields at `from`, and where they end. A part without any begins with a blank line. */
function readHead(text: string, from: number, to: number): { readonly head: string; readonly end: number } {
  const limit = text.slice(from, Math.min(to, from + MAX_HEAD_BYTES))
  const blank = /(?:^|\r?\n)\r?\n/.exec(limit)
  if (!blank) return { end: from + limit.length, head: limit }
  return { end: from + blank.index + blank[0].length, head: limit.slice(0, blank.index) }
}

/** A line between two parts. */
interface BoundaryLine {
  readonly start: number
  readonly end: number
  /** No part follows. */
  readonly isLast: boolean
}

/** Skips lines that only begin like the boundary: they belong to a multipart within. */
function findBoundary(text: string, mark: string, from: number): BoundaryLine | undefined {
  const rest = /(--)?[ \t]*\r?(?:\n|$)/y
  for (let start = text.indexOf(mark, from); start !== -1; start = text.indexOf(mark, start + 1)) {
    rest.lastIndex = start + mark.length
    const found = rest.exec(text)
    if (found) return { start, end: rest.lastIndex, isLast: found[1] !== undefined }
  }
  return undefined
}

function decode(text: string, encoding: string): string {
  if (/\bbase64\b/i.test(encoding)) return Buffer.from(text, 'base64').toString()
  const bytes = /\bquoted-printable\b/i.test(encoding)
    ? text
        .replace(/=\r?\n/g, '')
        .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
  return Buffer.from(bytes, 'latin1').toString()
}

/** @returns undefined if the email is no report or has no such part */
export function findStatusPart(raw: Buffer): string | undefined {
  const text = raw.toString('latin1')
  const { end, head } = readHead(text, 0, text.length)
  const type = readField(head, 'content-type')
  const [, quoted, bare] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? bare
  if (!REPORT_TYPE.test(type) || boundary === undefined) return undefined
  const mark = `\n--${boundary}`
  // A boundary may follow a head at once: the line break that ends the head then begins the boundary.
  let boundaryLine = findBoundary(text, mark, end - 1)
  for (let part = 0; boundaryLine && !boundaryLine.isLast && part < MAX_PARTS; part += 1) {
    const next = findBoundary(text, mark, boundaryLine.end - 1)
    const own = readHead(text, boundaryLine.end, next?.start ?? text.length)
    if (STATUS_TYPE.test(readField(own.head, 'content-type'))) {
      const until = Math.min(next?.start ?? text.length, own.end + MAX_REPORT_BYTES)
      return decode(text.slice(own.end, until), readField(own.head, 'content-transfer-encoding'))
    }
    boundaryLine = next
  }
  return undefined
}
