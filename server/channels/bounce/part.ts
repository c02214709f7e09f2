// The part of a multipart/report that is for programs, found without reading the rest: whoever got one mail of ours can
// hand in what they like, so a mail costs one search for its boundaries, whatever stands in it. Pure.

/** Bytes of a head of a mail or of a part, and of the report, that are looked at. */
const HEAD = 64 * 1024
const REPORT = 64 * 1024
/** A report has three: words for people, those for programs, and what it returns. */
const PARTS = 10

const TYPE = /^multipart\/report\b/i
const BOUNDARY = /;[ \t]*boundary[ \t]*=[ \t]*(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i
const STATUS = /^message\/(?:global-)?delivery-status\b/i

/** Field of a head, unfolded; `''`: there is none. @param name - in lower case */
function fieldOf(head: string, name: string): string {
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const line = lines.find(one => one.slice(0, name.length + 1).toLowerCase() === `${name}:`)
  return line?.slice(name.length + 1).trim() ?? ''
}

/** A head, and where it ends. */
function headAt(text: string, from: number): { readonly head: string; readonly end: number } {
  const limit = text.slice(from, from + HEAD)
  const blank = /\r?\n\r?\n/.exec(limit)
  if (!blank) return { end: from + limit.length, head: limit }
  return { end: from + blank.index + blank[0].length, head: limit.slice(0, blank.index) }
}

function decoded(text: string, encoding: string): string {
  if (/^base64$/i.test(encoding)) return Buffer.from(text, 'base64').toString()
  const bytes = /^quoted-printable$/i.test(encoding)
    ? text
        .replace(/=\r?\n/g, '')
        .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
  return Buffer.from(bytes, 'latin1').toString()
}

/** @returns undefined: it is no report, or has no such part */
export function statusPartOf(raw: Buffer): string | undefined {
  const text = raw.toString('latin1')
  const { end, head } = headAt(text, 0)
  const type = fieldOf(head, 'content-type')
  const [, quoted, bare] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? bare
  if (!TYPE.test(type) || boundary === undefined) return undefined
  const mark = `\n--${boundary}`
  // The first one may follow the head at once, whose line break is its own then.
  let at = text.indexOf(mark, end - 1)
  for (let part = 0; at !== -1 && part < PARTS; part += 1) {
    const begin = text.indexOf('\n', at + mark.length) + 1
    if (begin === 0) return undefined
    const next = text.indexOf(mark, begin - 1)
    const own = headAt(text, begin)
    if (STATUS.test(fieldOf(own.head, 'content-type'))) {
      const until = Math.min(next === -1 ? text.length : next, own.end + REPORT)
      return decoded(text.slice(own.end, until), fieldOf(own.head, 'content-transfer-encoding'))
    }
    at = next
  }
  return undefined
}
