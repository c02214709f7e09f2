// The live region of the document: new notifications are announced politely, and a burst becomes one sentence.

/** Notifications that arrive within this time are announced as one. */
export const ANNOUNCE_DELAY_MS = 1000
/** Then the text is removed, because a screen reader that reads the page to its end would find it. */
const CLEAR_DELAY_MS = 4000
const KEY = Symbol.for('notif:announcer')

type Root = Document & { [KEY]?: HTMLElement }

// Created at the first use: an import must not change the page.
function region(): HTMLElement {
  const root = document as Root
  // While a modal dialog is open, screen readers ignore everything outside of it.
  const place = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
  const element = (root[KEY] ??= document.createElement('div'))
  if (element.parentNode !== place) {
    element.role = 'status'
    element.style.cssText = 'position:fixed;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)'
    place.append(element)
  }
  return element
}

/** What is announced next interrupts what a screen reader says. */
export const interrupt = (): void => void (region().ariaLive = 'assertive')

export const ARRIVAL = 0
const STATE = 1

/** A text and its language. False or undefined: nothing is announced any more. */
export type Sentence = () => readonly [text: string | false | undefined, lang: string]

/** The newest sentence of each kind: a state must not replace an arrival. */
const waiting: Sentence[] = []

/** Announces `sentence()` after a second, unless a newer one of its kind replaces it. Does nothing while the page is hidden. */
export function announce(sentence: Sentence, kind: typeof ARRIVAL | typeof STATE = STATE): void {
  if (document.hidden) return
  const target = region()
  if (waiting.length === 0) {
    target.textContent = ''
    setTimeout(() => {
      const parts = waiting.splice(0).flatMap(read => {
        const [text, lang] = read()
        if (!text) return []
        const part = document.createElement('p')
        Object.assign(part, { lang, textContent: text })
        return part
      })
      target.replaceChildren(...parts)
      // Not the whole region: the next announcement may be in it.
      setTimeout(() => {
        parts.forEach(part => part.remove())
        if (waiting.length === 0 && !target.firstChild) target.ariaLive = 'polite'
      }, CLEAR_DELAY_MS)
    }, ANNOUNCE_DELAY_MS)
  }
  waiting[kind] = sentence
}
