// Walks HTML as a browser tokenizes it (WHATWG HTML, 13.2.5): texts, tags with their attributes, and comments.
//
// Uses the tokenizer of htmlparser2 without its parser. The parser searches its list of open elements at every tag, so a
// document that was made for it takes quadratic time; the tokenizer reads each character once.

import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

export interface Attribute {
  /** In lower case. */
  readonly name: string
  readonly nameStart: number
  /** With character references decoded. */
  readonly value: string
  /** Where the value stands in the document, with its quotes. */
  readonly start: number
  readonly end: number
}

export interface OpenTag {
  /** In lower case. */
  readonly name: string
  readonly attributes: readonly Attribute[]
  /** Index of the `<`, of the end of the name, and after the `>`. */
  readonly start: number
  readonly nameEnd: number
  readonly end: number
}

/** Contents of `script`, `style`, `title` and the like arrive as text between their tags. */
export interface HtmlVisitor {
  /** One text may arrive in several parts. References are decoded. */
  text?(text: string): void
  open?(tag: OpenTag): void
  /** @param start - index of the `<` */
  close?(name: string, start: number): void
  /** Conditional comments of Outlook hold HTML. */
  openInComment?(tag: OpenTag): void
}

/** Elements in which `script`, `style` and `title` hold markup (WHATWG HTML, 13.2.6.5). */
const FOREIGN = new Set(['math', 'svg'])

export const findAttribute = ({ attributes }: OpenTag, name: string): Attribute | undefined =>
  attributes.find(one => one.name === name)

/**
 * @param offset - added to all positions
 * @returns the index from which browsers drop the document, because a tag never ends; undefined: it is complete
 */
export function walkHtml(html: string, visitor: HtmlVisitor, offset = 0): number | undefined {
  const walk = new Walk(html, visitor, offset)
  const tokenizer = new Tokenizer({ decodeEntities: true, xmlMode: false }, walk)
  tokenizer.write(html)
  tokenizer.end()
  return walk.unfinishedTagAt
}

/** ASCII white space, as in WHATWG Infra 4.6. */
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13 && code !== 11)

const ignore = (): void => {}

class Walk implements TokenizerCallbacks {
  unfinishedTagAt: number | undefined
  readonly #html: string
  readonly #visitor: HtmlVisitor
  readonly #offset: number
  #foreignDepth = 0
  #name = ''
  #nameEnd = 0
  #attributes: Attribute[] = []
  #attribute = ''
  #attributeStart = 0
  #value = ''

  constructor(html: string, visitor: HtmlVisitor, offset: number) {
    this.#html = html
    this.#visitor = visitor
    this.#offset = offset
  }

  isInForeignContext(): boolean {
    return this.#foreignDepth > 0
  }

  ontext(start: number, end: number): void {
    this.#visitor.text?.(this.#html.slice(start, end))
  }

  ontextentity(codePoint: number): void {
    this.#visitor.text?.(String.fromCodePoint(codePoint))
  }

  onopentagname(start: number, end: number): void {
    this.unfinishedTagAt = this.#offset + start - 1
    this.#name = this.#html.slice(start, end).toLowerCase()
    this.#nameEnd = this.#offset + end
    this.#attributes = []
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#html.slice(start, end).toLowerCase()
    this.#attributeStart = start
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#html.slice(start, end)
  }

  onattribentity(codePoint: number): void {
    this.#value += String.fromCodePoint(codePoint)
  }

  onattribend(quote: QuoteType, end: number): void {
    let start = end
    if (quote !== QuoteType.NoValue) {
      start = this.#html.indexOf('=', this.#attributeStart + 1) + 1
      while (isSpace(this.#html.charCodeAt(start))) start += 1
    }
    this.#attributes.push({
      end: this.#offset + end,
      name: this.#attribute,
      nameStart: this.#offset + this.#attributeStart,
      start: this.#offset + start,
      value: this.#value
    })
  }

  onopentagend(end: number): void {
    this.#open(end)
    if (FOREIGN.has(this.#name)) this.#foreignDepth += 1
  }

  onselfclosingtag(end: number): void {
    this.#open(end)
    // Browsers ignore the slash of other elements.
    if (this.isInForeignContext() || FOREIGN.has(this.#name))
      this.#visitor.close?.(this.#name, this.#offset + end + 1)
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase()
    if (FOREIGN.has(name) && this.#foreignDepth > 0) this.#foreignDepth -= 1
    this.#visitor.close?.(name, this.#offset + start - 2)
  }

  oncomment(start: number, end: number, endOffset: number): void {
    const open = this.#visitor.openInComment?.bind(this.#visitor)
    if (open) walkHtml(this.#html.slice(start, end - endOffset), { open }, this.#offset + start)
  }

  oncdata = ignore
  ondeclaration = ignore
  onend = ignore
  onprocessinginstruction = ignore

  #open(end: number): void {
    const start = this.unfinishedTagAt!
    this.unfinishedTagAt = undefined
    this.#visitor.open?.({
      attributes: this.#attributes,
      end: this.#offset + end + 1,
      name: this.#name,
      nameEnd: this.#nameEnd,
      start
    })
  }
}
