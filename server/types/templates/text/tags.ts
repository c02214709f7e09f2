// HTML as a row of texts and tags, read as a browser reads it (WHATWG HTML, 13.2.5), each character once.

export interface Heard {
  /** As it is written: references are not decoded. */
  text(raw: string): void
  /** @param tag - the whole tag, for {@link attributeOf} */
  open(name: string, tag: string): void
  close(name: string): void
}

/** Their content is no HTML and nothing to read. */
const RAW = new Set(['iframe', 'noembed', 'noframes', 'script', 'style', 'textarea', 'title', 'xmp'])

const NAME = /<(\/?)([a-z][^\s/>]*)/iy

export function hearHtml(html: string, heard: Heard): void {
  let from = 0
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    const next = html.charCodeAt(at + 1)
    const end = next === 33 || next === 63 ? endOfComment(html, at) : undefined
    NAME.lastIndex = at
    const found = end === undefined ? NAME.exec(html) : null
    // A `<` that begins no tag is one to read; `</>` is nothing.
    if (end === undefined && !found && html[at + 1] !== '/') {
      at += 1
      continue
    }
    if (at > from) heard.text(html.slice(from, at))
    const until = end ?? (found ? endOfTag(html, NAME.lastIndex) : html.indexOf('>', at))
    // A tag or comment that never ends takes all the rest with it.
    if (until === -1) return
    at = from = until + 1
    if (!found) continue
    const name = found[2]!.toLowerCase()
    if (found[1] !== '') heard.close(name)
    else {
      heard.open(name, html.slice(found.index, until))
      if (RAW.has(name)) at = from = endOfRaw(html, name, from)
      if (at === html.length) return
    }
  }
  if (from < html.length) heard.text(html.slice(from))
}

/** A zero-width space is one as well: nothing is seen of it, and a line may break there. */
export const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0x200b

/** Place of the `>` at its end, which none in a quoted value is; -1: it has none. */
function endOfTag(html: string, from: number): number {
  for (let at = from; at < html.length; at++) {
    const code = html.charCodeAt(at)
    if (code === 62) return at
    if (code !== 61) continue
    while (isSpace(html.charCodeAt(at + 1))) at += 1
    const quote = html[at + 1]
    if (quote !== '"' && quote !== "'") continue
    at = html.indexOf(quote, at + 2)
    if (at === -1) return -1
  }
  return -1
}

/** `<!-- -->`, a document type, and the conditions of Outlook; what stands between two conditions is read. */
function endOfComment(html: string, at: number): number {
  if (!html.startsWith('<!--', at)) return html.indexOf('>', at)
  // `<!-->` and `<!--->` are whole.
  const short = /^<!---?>/.exec(html.slice(at, at + 6))
  if (short) return at + short[0].length - 1
  const end = html.indexOf('-->', at + 4)
  return end === -1 ? -1 : end + 2
}

/** Where its end tag begins; without one it takes all the rest. */
function endOfRaw(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  end.lastIndex = from
  return end.exec(html)?.index ?? html.length
}

const ATTRIBUTES = new Map<string, RegExp>()

/** Value of the first attribute of the name, as it is written; undefined: it has none. */
export function attributeOf(tag: string, name: string): string | undefined {
  let pattern = ATTRIBUTES.get(name)
  if (!pattern) {
    pattern = new RegExp(`[\\s/"']${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>"']+))`, 'i')
    ATTRIBUTES.set(name, pattern)
  }
  const found = pattern.exec(tag)
  return found ? (found[1] ?? found[2] ?? found[3]) : undefined
}
