// Renders the runs of a title or body as elements. Not as templates: with their comments beside a space, Chromium leaves the space out of
// the name that screen readers hear.

import { Directive, directive } from 'lit/directive.js'
import { noChange } from 'lit/html.js'

import { createElement } from '../../core/dom.ts'
import type { TextRun } from '../../protocol/index.ts'

/** A line break contains its text, so that the text content is the whole text. */
const TAGS = { bold: 'b', break: 'br', code: 'code', italic: 'i', strike: 's', underline: 'u' } as const
type Style = keyof typeof TAGS

class Runs extends Directive {
  #rendered: string | undefined

  /** @param wrapLink - returns the node itself if the address is not safe */
  render(runs: readonly TextRun[], wrapLink: (node: Node, href?: string) => Node): unknown {
    // The same elements stay, so that a link keeps the focus.
    if (this.#rendered === (this.#rendered = JSON.stringify(runs))) return noChange
    const fragment = new DocumentFragment()
    for (const run of runs) {
      let node: Node = new Text(run.text)
      for (const style in TAGS) if (run[style as Style]) node = createElement(TAGS[style as Style], {}, node)
      fragment.append(wrapLink(node, run.href))
    }
    return fragment
  }
}

export const renderRuns = directive(Runs)
