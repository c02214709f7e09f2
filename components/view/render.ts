// Renders templates into elements, and marks the language and direction of texts that are English on a page in another language.

import type { CSSResult, ReactiveElement } from '@lit/reactive-element'
import { render } from 'lit/html.js'

import { setAttributes } from '../core/dom.ts'
import { addEnglish } from '../core/locale.ts'
import { inboxMessages } from '../messages/inbox.en.ts'
import type { TemplateElement } from './template-element.ts'

// Of all lists: their chunks import it from the one of this file.
export { repeat } from 'lit/directives/repeat.js'

/** Elements with texts of the kit only. A label has the language of its element, such as a dialog or a list. */
const KIT_TEXTS =
  '.header, .pager, .new-items-button, .more-new, .actions, .menu, .help, .undo-line, .cell, .footer, .sr, .type-text, .day, .items, dialog'
/** Elements with texts of the page or its users, inside elements with a text of the kit. */
const PAGE_TEXTS = '.list, .block'
/** Elements with whole sentences of the kit: punctuation and lines need a direction. */
const SENTENCES = '.banner, .empty-state, .end, .note, .refused'

/** Elements that have such marks. Most pages have none, and their rows need not be searched. */
const marked = new WeakSet<ReactiveElement>()

function markLanguages(host: TemplateElement): void {
  const { lang, fallbackLang } = host.language
  if (fallbackLang) marked.add(host)
  else if (!marked.delete(host)) return
  for (const part of host.renderRoot.querySelectorAll(`${KIT_TEXTS}, ${SENTENCES}, ${PAGE_TEXTS}`)) {
    setAttributes(part, {
      dir: fallbackLang && part.matches(SENTENCES) ? 'ltr' : undefined,
      lang: fallbackLang && part.matches(PAGE_TEXTS) ? lang : fallbackLang
    })
  }
}

/** Renders what `compute` returns with each update of the host, and adds the English texts that a bell does not have. */
export function attachTemplate(host: TemplateElement, compute: () => unknown): void {
  addEnglish(inboxMessages)
  host.template = () => {
    const content = compute()
    return () => {
      render(content, host.renderRoot, { host })
      markLanguages(host)
    }
  }
}

/** Adds styles of code that was loaded after the element. */
export function adoptStyles({ renderRoot }: ReactiveElement, ...styles: readonly CSSResult[]): void {
  const { adoptedStyleSheets: sheets } = renderRoot as ShadowRoot
  for (const { styleSheet } of styles) if (!sheets.includes(styleSheet!)) sheets.push(styleSheet!)
}
