// Lays words out as lines: wrapped, with blank lines between blocks, and with the prefixes of quotes and lists.

/** A longer word stays whole. Lines up to this length need no encoding in an email (RFC 2045, 6.7). */
const MAX_LINE_CHARACTERS = 76
const MAX_BREAKS = 3

interface Prefix {
  /** Of the next line, such as ` * `. */
  next: string
  /** Of the lines after that. */
  readonly others: string
}

export class TextLines {
  readonly #finished: string[] = []
  readonly #prefixes: Prefix[] = []
  #line = ''
  #prefixLength = 0
  /** What was appended since the last space. */
  #word = ''
  #hasSpace = false
  #breaks = 0
  /** How many prefixes the lines before and after the breaks have in common. */
  #commonPrefixes = 0

  append(text: string): void {
    this.#word += text
  }

  space(): void {
    this.#placeWord()
    this.#hasSpace = true
  }

  /** Begins the next word after at least this many line breaks. */
  separate(breaks: number): void {
    this.#placeWord()
    this.#breaks = Math.max(this.#breaks, breaks)
  }

  break(): void {
    this.#placeWord()
    this.#breaks = Math.min(this.#breaks + 1, MAX_BREAKS)
  }

  /** Adds text without changing its spaces. */
  verbatim(text: string): void {
    this.#placeWord()
    if (text !== '') this.#beginLine()
    this.#line += text
  }

  /** @param prefix - of each line from now on; `firstPrefix` is that of the next one */
  pushPrefix(prefix: string, firstPrefix = prefix): void {
    this.#placeWord()
    this.#prefixes.push({ next: firstPrefix, others: prefix })
  }

  popPrefix(): void {
    this.#placeWord()
    this.#prefixes.pop()
    this.#commonPrefixes = Math.min(this.#commonPrefixes, this.#prefixes.length)
  }

  finish(): string {
    this.#placeWord()
    this.#finished.push(this.#line)
    return this.#finished
      .map(line => line.trimEnd())
      .join('\n')
      .trimEnd()
  }

  #placeWord(): void {
    const word = this.#word
    if (word === '') return
    this.#word = ''
    this.#beginLine()
    const isEmpty = this.#line.length === this.#prefixLength
    if (this.#hasSpace && !isEmpty) {
      if (this.#line.length + 1 + word.length > MAX_LINE_CHARACTERS) this.#wrap()
      else this.#line += ' '
    }
    this.#hasSpace = false
    this.#line += word
  }

  #beginLine(): void {
    if (this.#breaks === 0 && (this.#line !== '' || this.#finished.length > 0)) return
    if (this.#finished.length > 0 || this.#line !== '') {
      const common = this.#prefixes.slice(0, this.#commonPrefixes)
      const blank = common.map(({ others }) => others).join('')
      this.#finished.push(this.#line, ...Array<string>(this.#breaks - 1).fill(blank))
    }
    this.#breaks = 0
    this.#hasSpace = false
    this.#startLine()
  }

  #wrap(): void {
    this.#finished.push(this.#line)
    this.#startLine()
  }

  #startLine(): void {
    this.#line = ''
    for (const prefix of this.#prefixes) {
      this.#line += prefix.next
      prefix.next = prefix.others
    }
    this.#prefixLength = this.#line.length
    this.#commonPrefixes = this.#prefixes.length
  }
}
