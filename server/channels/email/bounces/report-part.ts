// The part of a multipart/report that is for programs, found without reading the rest: whoever got one mail of ours can
// hand in what they like, so a mail costs one search for its boundaries, whatever stands in it. Pure.

/** Bytes of a head of a mail or of a part, and of the report, that are looked at. */
const HEAD = 64 * 1024
const REPORT = 64 * 1024
/** A report has three: words for people, those for programs, and what it returns. */
const PARTS = 10

const TYPE = /^multipart\/report\b/i
/** In quotes it holds what it likes, otherwise it ends before the next parameter or a comment. */
const BOUNDARY = /;[ \t]*boundary[ \t]*=[ \t]*(?:"([^"]{1,70})"|([^\s;"][^;"]{0,69}?)[ \t]*(?:;|$|[ \t]\())/i
const STATUS = /^message\/(?:global-)?delivery-status(?=[\s;(]|$)/i

/** Field of a head, unfolded; `''`: there is none. @param name - in lower case */
function fieldOf(head: string, name: string): string {
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const line = lines.find(one => one.slice(0, one.indexOf(':')).trimEnd().toLowerCase() === name)
  return line?.slice(line.indexOf(':') + 1).trim() ?? ''
}

/** A head, and where it ends: a part may have none, and begin with a blank line. */
function headAt(text: string, from: number, to: number): { readonly head: string; readonly end: number } {
  const limit = text.slice(from, Math.min(to, from + HEAD))
  const blank = /(?:^|\r?\n)\r?\n/.exec(limit)
  if (!blank) return { end: from + limit.length, head: limit }
  return { end: from + blank.index + blank[0].length, head: limit.slice(0, blank.index) }
}

/** A line between parts. */
interface Border {
  readonly begin: number
  readonly end: number
  /** No part follows it. */
  readonly isLast: boolean
}

/** The next one: a line may begin like it, and be one of a multipart within, whose boundary goes on. */
function borderFrom(text: string, mark: string, from: number): Border | undefined {
  const rest = /(--)?[ \t]*\r?(?:\n|$)/y
  for (let begin = text.indexOf(mark, from); begin !== -1; begin = text.indexOf(mark, begin + 1)) {
    rest.lastIndex = begin + mark.length
    const found = rest.exec(text)
    if (found) return { begin, end: rest.lastIndex, isLast: found[1] !== undefined }
  }
  return undefined
}

function decoded(text: string, encoding: string): string {
  if (/\bbase64\b/i.test(encoding)) return Buffer.from(text, 'base64').toString()
  const bytes = /\bquoted-printable\b/i.test(encoding)
    ? text
        .replace(/=\r?\n/g, '')
        .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
  return Buffer.from(bytes, 'latin1').toString()
}

/** @returns undefined: it is no report, or has no such part */
export function statusPartOf(raw: Buffer): string | undefined {
  const text = raw.toString('latin1')
  const { end, head } = headAt(text, 0, text.length)
  const type = fieldOf(head, 'content-type')
  const [, quoted, bare] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? bare
  if (!TYPE.test(type) || boundary === undefined) return undefined
  const mark = `\n--${boundary}`
  // The first one may follow the head at once, whose line break is its own then; so it is between parts.
  let border = borderFrom(text, mark, end - 1)
  for (let part = 0; border && !border.isLast && part < PARTS; part += 1) {
    const next = borderFrom(text, mark, border.end - 1)
    const own = headAt(text, border.end, next?.begin ?? text.length)
    if (STATUS.test(fieldOf(own.head, 'content-type'))) {
      const until = Math.min(next?.begin ?? text.length, own.end + REPORT)
      return decoded(text.slice(own.end, until), fieldOf(own.head, 'content-transfer-encoding'))
    }
    border = next
  }
  return undefined
}
