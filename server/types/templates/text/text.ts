// The plain text that says what a document of HTML says: for those who read mail without pictures, and for filters that
// trust a mail less that has none. One pass, so that no document takes longer than its length.

import { decodeAddress, decodeEntities } from './entities.ts'
import { Lines } from './lines.ts'
import { attributeOf, hearHtml, isSpace, type Heard } from './tags.ts'

/** Line breaks before and after. */
const BLOCKS: ReadonlyMap<string, number> = new Map([
  ...'blockquote dl figure h1 h2 h3 h4 h5 h6 hr ol p pre table ul'.split(' ').map(name => [name, 2] as const),
  ...`address article aside body caption center dd details dialog div dt fieldset figcaption footer form header html
    legend li main nav section summary tbody tfoot thead tr`
    .split(/\s+/)
    .map(name => [name, 1] as const)
])

/** Whose end tags end only what is open. */
const NESTING = new Set(['blockquote', 'li', 'ol', 'pre', 'ul'])
/** Without an end tag. */
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** What is in them is not shown. */
const UNSEEN = new Set(['datalist', 'object', 'svg', 'template'])
const HIDDEN = /(?:^|;)\s*display\s*:\s*none/i
const isHidden = (tag: string): boolean =>
  /display/i.test(tag) && HIDDEN.test(decodeEntities(attributeOf(tag, 'style') ?? ''))

/** So many quotes and lists within each other have marks of their own: with more, the marks would outgrow the text. */
const DEPTH = 12
const SOFT_HYPHEN = '\u00AD'
const RULE = '-'.repeat(40)

interface Within {
  readonly name: string
  /** Of an ordered list: number of its next item. */
  next?: number
  /** Its lines are marked. */
  readonly marked: boolean
}

/** @param html - a document, or a part of one, however broken */
export function textOf(html: string): string {
  const hearing = new Hearing()
  hearHtml(html, hearing)
  return hearing.end().replaceAll(SOFT_HYPHEN, '')
}

class Hearing implements Heard {
  readonly #lines = new Lines()
  readonly #within: Within[] = []
  #verbatim = 0
  #link: { readonly href: string; text: string } | undefined
  /** Name of what is not shown, and how many of that name are open. */
  #unseen = ''
  #unseenDepth = 0

  text(raw: string): void {
    if (this.#unseenDepth > 0) return
    const text = decodeEntities(raw)
    if (this.#link) this.#link.text += text
    if (this.#verbatim > 0) return this.#verbatimText(text)
    for (let at = 0; at < text.length;) {
      let end = at
      while (end < text.length && !isSpace(text.charCodeAt(end))) end += 1
      if (end > at) this.#lines.part(text.slice(at, end))
      if (end < text.length) this.#lines.gap()
      at = end + 1
    }
  }

  open(name: string, tag: string): void {
    if (this.#unseenDepth > 0) {
      if (name === this.#unseen) this.#unseenDepth += 1
      return
    }
    if (!VOID.has(name) && (UNSEEN.has(name) || isHidden(tag))) {
      this.#unseen = name
      this.#unseenDepth = 1
      return
    }
    if (name === 'li') this.#leave('li')
    this.#apart(name)
    if (name === 'a') this.#openLink(tag)
    else if (name === 'br') this.#lines.break()
    else if (name === 'hr') this.#rule()
    else if (name === 'td' || name === 'th') this.#lines.gap()
    else if (name === 'blockquote') this.#enter({ marked: true, name }, '> ')
    else if (name === 'ul') this.#enter({ marked: false, name })
    else if (name === 'ol') {
      const start = Number.parseInt(attributeOf(tag, 'start') ?? '1', 10)
      this.#enter({ marked: false, name, next: Number.isNaN(start) ? 1 : start })
    } else if (name === 'li') this.#item()
    else if (name === 'pre') {
      this.#enter({ marked: false, name })
      this.#verbatim += 1
    }
  }

  close(name: string): void {
    if (this.#unseenDepth > 0) {
      if (name === this.#unseen) this.#unseenDepth -= 1
      return
    }
    if (name === 'a') this.#closeLink()
    else if (name === 'br') this.#lines.break()
    else if (!NESTING.has(name) || this.#leave(name)) this.#apart(name)
  }

  end(): string {
    this.#closeLink()
    return this.#lines.end()
  }

  /** A list in a list follows its item at once. */
  #apart(name: string): void {
    const breaks = BLOCKS.get(name)
    if (breaks === undefined) return
    const inner = (name === 'ul' || name === 'ol') && this.#within.some(one => one.name === 'li')
    this.#lines.apart(inner ? 1 : breaks)
  }

  #enter(within: Within, rest = '', first = rest): void {
    const marked = within.marked && this.#within.length < DEPTH
    if (this.#within.length < 4 * DEPTH) this.#within.push({ ...within, marked })
    if (marked) this.#lines.mark(rest, first)
  }

  /** Ends it and what was left open in it; an item of a list does not end one of the list around. */
  #leave(name: string): boolean {
    if (this.#within.length === 0) return false
    const at = this.#within.findLastIndex(
      one => one.name === name || (name === 'li' && (one.name === 'ul' || one.name === 'ol'))
    )
    if (at === -1 || this.#within[at]!.name !== name) return false
    for (const one of this.#within.splice(at).toReversed()) {
      if (one.marked) this.#lines.unmark()
      if (one.name === 'pre') this.#verbatim -= 1
    }
    return true
  }

  #item(): void {
    const list = this.#within.findLast(one => one.name === 'ul' || one.name === 'ol')
    const first = list?.next === undefined ? ' * ' : ` ${list.next++}. `
    this.#enter({ marked: true, name: 'li' }, ' '.repeat(first.length), first)
  }

  #rule(): void {
    this.#lines.part(RULE)
    this.#lines.apart(2)
  }

  #openLink(tag: string): void {
    this.#closeLink()
    const href = decodeAddress(attributeOf(tag, 'href') ?? '')
      .trim()
      .replace(/^mailto:/i, '')
    // Within the mail itself there is nothing to follow.
    if (href !== '' && !href.startsWith('#')) this.#link = { href, text: '' }
  }

  #closeLink(): void {
    const link = this.#link
    this.#link = undefined
    if (!link) return
    const text = link.text.trim()
    if (text === link.href) return
    this.#lines.gap()
    this.#lines.part(text === '' ? link.href : `(${link.href})`)
  }

  #verbatimText(text: string): void {
    const [first = '', ...others] = text.split(/\r\n|[\r\n]/)
    this.#lines.verbatim(first)
    for (const line of others) {
      this.#lines.break()
      this.#lines.verbatim(line)
    }
  }
}
