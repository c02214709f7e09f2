// Words into lines: wrapped, with blank lines between what stands apart, and with the marks of quotes and lists before them.

/** Characters of a line; a word that is longer stays whole. Up to here a mail needs no encoding (RFC 2045, 6.7). */
const WIDTH = 76
/** Line breaks in a row, whatever was asked for. */
const MOST_BREAKS = 3

interface Mark {
  /** Before the next line only, such as ` * `; then as many spaces. */
  first: string
  readonly rest: string
}

export class Lines {
  readonly #done: string[] = []
  readonly #marks: Mark[] = []
  #line = ''
  /** Characters of marks at the beginning of the line. */
  #margin = 0
  /** What came since the last space. */
  #word = ''
  #gap = false
  #breaks = 0
  /** How many marks the lines before and after the breaks have in common. */
  #common = 0

  /** Goes on with what came before it, unless there is a gap. */
  part(text: string): void {
    this.#word += text
  }

  gap(): void {
    this.#place()
    this.#gap = true
  }

  /** At least so many line breaks before the next word. */
  apart(breaks: number): void {
    this.#place()
    this.#breaks = Math.max(this.#breaks, breaks)
  }

  /** One more. */
  break(): void {
    this.#place()
    this.#breaks = Math.min(this.#breaks + 1, MOST_BREAKS)
  }

  /** A line that is kept as it is. */
  verbatim(line: string): void {
    this.#place()
    if (line !== '') this.#begin()
    this.#line += line
  }

  /** @param rest - before each line from now on; `first` before the next one instead */
  mark(rest: string, first = rest): void {
    this.#place()
    this.#marks.push({ first, rest })
  }

  unmark(): void {
    this.#place()
    this.#marks.pop()
    this.#common = Math.min(this.#common, this.#marks.length)
  }

  end(): string {
    this.#place()
    this.#done.push(this.#line)
    return this.#done
      .map(line => line.trimEnd())
      .join('\n')
      .trimEnd()
  }

  #place(): void {
    const word = this.#word
    if (word === '') return
    this.#word = ''
    this.#begin()
    const empty = this.#line.length === this.#margin
    if (this.#gap && !empty) {
      if (this.#line.length + 1 + word.length > WIDTH) this.#feed()
      else this.#line += ' '
    }
    this.#gap = false
    this.#line += word
  }

  /** The line that the next word stands in. */
  #begin(): void {
    if (this.#breaks === 0 && (this.#line !== '' || this.#done.length > 0)) return
    if (this.#done.length > 0 || this.#line !== '') {
      const common = this.#marks.slice(0, this.#common)
      const between = common.map(({ rest }) => rest).join('')
      this.#done.push(this.#line, ...Array<string>(this.#breaks - 1).fill(between))
    }
    this.#breaks = 0
    this.#gap = false
    this.#open()
  }

  #feed(): void {
    this.#done.push(this.#line)
    this.#open()
  }

  #open(): void {
    this.#line = ''
    for (const mark of this.#marks) {
      this.#line += mark.first
      mark.first = mark.rest
    }
    this.#margin = this.#line.length
    this.#common = this.#marks.length
  }
}
