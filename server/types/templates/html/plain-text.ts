// Builds the plain text that says what HTML says: for readers without HTML, and for filters that distrust an email without text.

import { TextLines } from './text-lines.ts'
import { findAttribute, type HtmlVisitor, type OpenTag } from './walk.ts'

const BLOCKS: ReadonlyMap<string, number> = new Map([
  ...'blockquote dl figure h1 h2 h3 h4 h5 h6 hr ol p pre table ul'.split(' ').map(name => [name, 2] as const),
  ...`address article aside body caption center dd details dialog div dt fieldset figcaption footer form header html
    legend li main nav section summary tbody tfoot thead tr`
    .split(/\s+/)
    .map(name => [name, 1] as const)
])

/** Elements whose end tag counts only if they are open. */
const NESTING = new Set(['blockquote', 'li', 'ol', 'pre', 'ul'])
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const NOT_SHOWN = new Set(
  `datalist iframe noembed noframes object script style svg template textarea title xmp`.split(' ')
)
const DISPLAY_NONE = /(?:^|;)\s*display\s*:\s*none/i

/** More quotes and lists within each other have no prefix, or the prefixes would outgrow the text. */
const MAX_PREFIXES = 12
const SOFT_HYPHEN = '\u00AD'
const RULE = '-'.repeat(40)

interface OpenElement {
  readonly name: string
  nextNumber?: number
  readonly hasPrefix: boolean
}

/** A zero-width space counts: nothing is seen of it, and a line may break there. */
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0x200b

/** Reads a document or a fragment, however broken, in a time that is linear in its length. */
export class PlainTextBuilder implements HtmlVisitor {
  readonly #lines = new TextLines()
  readonly #open: OpenElement[] = []
  #openPres = 0
  #link: { readonly address: string; text: string } | undefined
  /** The element that is not shown, and how many of its name are open. */
  #hiddenName = ''
  #hiddenDepth = 0

  text(text: string): void {
    if (this.#hiddenDepth > 0) return
    if (this.#link) this.#link.text += text
    if (this.#openPres > 0) return this.#verbatim(text)
    for (let at = 0; at < text.length;) {
      let end = at
      while (end < text.length && !isSpace(text.charCodeAt(end))) end += 1
      if (end > at) this.#lines.append(text.slice(at, end))
      if (end < text.length) this.#lines.space()
      at = end + 1
    }
  }

  open(tag: OpenTag): void {
    const { name } = tag
    if (this.#hiddenDepth > 0) {
      if (name === this.#hiddenName) this.#hiddenDepth += 1
      return
    }
    if (!VOID.has(name) && (NOT_SHOWN.has(name) || hasDisplayNone(tag))) {
      this.#hiddenName = name
      this.#hiddenDepth = 1
      return
    }
    if (name === 'li') this.#leave('li')
    this.#separate(name)
    if (name === 'a') this.#openLink(findAttribute(tag, 'href')?.value ?? '')
    else if (name === 'br') this.#lines.break()
    else if (name === 'hr') this.#rule()
    else if (name === 'td' || name === 'th') this.#lines.space()
    else if (name === 'blockquote') this.#enter({ hasPrefix: true, name }, '> ')
    else if (name === 'ul') this.#enter({ hasPrefix: false, name })
    else if (name === 'ol') {
      const start = Number.parseInt(findAttribute(tag, 'start')?.value ?? '1', 10)
      this.#enter({ hasPrefix: false, name, nextNumber: Number.isNaN(start) ? 1 : start })
    } else if (name === 'li') this.#openItem()
    else if (name === 'pre') {
      this.#enter({ hasPrefix: false, name })
      this.#openPres += 1
    }
  }

  close(name: string): void {
    if (this.#hiddenDepth > 0) {
      if (name === this.#hiddenName) this.#hiddenDepth -= 1
      return
    }
    if (name === 'a') this.#closeLink()
    else if (name === 'br') this.#lines.break()
    else if (!NESTING.has(name) || this.#leave(name)) this.#separate(name)
  }

  finish(): string {
    this.#closeLink()
    return this.#lines.finish().replaceAll(SOFT_HYPHEN, '')
  }

  /** A list within a list follows its item without a blank line. */
  #separate(name: string): void {
    const breaks = BLOCKS.get(name)
    if (breaks === undefined) return
    const isInner = (name === 'ul' || name === 'ol') && this.#open.some(one => one.name === 'li')
    this.#lines.separate(isInner ? 1 : breaks)
  }

  #enter(element: OpenElement, prefix = '', firstPrefix = prefix): void {
    const hasPrefix = element.hasPrefix && this.#open.length < MAX_PREFIXES
    if (this.#open.length < 4 * MAX_PREFIXES) this.#open.push({ ...element, hasPrefix })
    if (hasPrefix) this.#lines.pushPrefix(prefix, firstPrefix)
  }

  /**
   * Closes the innermost element of this name and what was left open in it. An item does not close one of an outer list.
   * @returns whether one was open
   */
  #leave(name: string): boolean {
    if (this.#open.length === 0) return false
    const at = this.#open.findLastIndex(
      one => one.name === name || (name === 'li' && (one.name === 'ul' || one.name === 'ol'))
    )
    if (at === -1 || this.#open[at]!.name !== name) return false
    for (const one of this.#open.splice(at).toReversed()) {
      if (one.hasPrefix) this.#lines.popPrefix()
      if (one.name === 'pre') this.#openPres -= 1
    }
    return true
  }

  #openItem(): void {
    const list = this.#open.findLast(one => one.name === 'ul' || one.name === 'ol')
    const firstPrefix = list?.nextNumber === undefined ? ' * ' : ` ${list.nextNumber++}. `
    this.#enter({ hasPrefix: true, name: 'li' }, ' '.repeat(firstPrefix.length), firstPrefix)
  }

  #rule(): void {
    this.#lines.append(RULE)
    this.#lines.separate(2)
  }

  #openLink(href: string): void {
    this.#closeLink()
    const address = href.trim().replace(/^mailto:/i, '')
    // A place within the email cannot be opened from its text.
    if (address !== '' && !address.startsWith('#')) this.#link = { address, text: '' }
  }

  #closeLink(): void {
    const link = this.#link
    this.#link = undefined
    if (!link) return
    const text = link.text.trim()
    if (text === link.address) return
    this.#lines.space()
    this.#lines.append(text === '' ? link.address : `(${link.address})`)
  }

  #verbatim(text: string): void {
    const [first = '', ...others] = text.split(/\r\n|[\r\n]/)
    this.#lines.verbatim(first)
    for (const line of others) {
      this.#lines.break()
      this.#lines.verbatim(line)
    }
  }
}

function hasDisplayNone(tag: OpenTag): boolean {
  const style = findAttribute(tag, 'style')
  return style !== undefined && DISPLAY_NONE.test(style.value)
}
