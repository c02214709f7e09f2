// Shows what a template says in an element. None is a LitElement: a bell needs no templates, and its inbox does.

import type { ReactiveElement } from '@lit/reactive-element'
import { render } from 'lit/html.js'

import { setAttributes } from '../core/dom.ts'
import { completeEnglish, type LocaleController } from '../core/locale.ts'
import { en } from '../messages/en.ts'

/** What the kit says, and nothing that people wrote. A label has the language of its element: that of a dialog, of a list. */
const WORDS =
  '.header, .pager, .new-items-button, .actions, .menu, .cell, .footer, .sr, .type-text, .day, .items, dialog'
/** In what is named so people wrote: it says that it has the language of the page. */
const THEIRS = '.list, .block'
/** Whole sentences: their full stops and their lines have a direction. */
const SENTENCES = '.banner, .empty-state, .end, .push-prompt, .refused'

/** Adds the English texts that a bell does not need. */
export const addViewMessages = (): void => completeEnglish(en)

/** They carry marks. Few do: nobody else looks through his rows. */
const marked = new WeakSet<ReactiveElement>()

/** Called after the element's own `update`, so that whoever asks for another one meanwhile gets it. */
export function draw(
  host: ReactiveElement,
  content: unknown,
  { lang, fallbackLang }: LocaleController
): void {
  const { renderRoot: root } = host
  render(content, root, { host })
  if (fallbackLang) marked.add(host)
  else if (!marked.delete(host)) return
  for (const part of root.querySelectorAll(`${WORDS}, ${SENTENCES}, ${THEIRS}`)) {
    setAttributes(part, {
      dir: fallbackLang && part.matches(SENTENCES) ? 'ltr' : undefined,
      lang: fallbackLang && part.matches(THEIRS) ? lang : fallbackLang
    })
  }
}
