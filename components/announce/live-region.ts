// The live region of the document: new notifications are announced politely, and a burst becomes one sentence.

/** What comes within this time is one piece of news, in milliseconds. */
export const BURST = 1000
/** After this time, in milliseconds, the text is removed: a screen reader that reads the page to its end would find it. */
const HEARD = 4000
const KEY = Symbol.for('notif:announcer')

type Root = Document & { [KEY]?: HTMLElement }

// Made at the first use, never at import: a page that only imports us stays as it is.
function region(): HTMLElement {
  const root = document as Root
  // While a modal dialog is open, what is outside of it is not spoken.
  const place = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
  const element = (root[KEY] ??= document.createElement('div'))
  if (element.parentNode !== place) {
    element.role = 'status'
    element.style.cssText = 'position:fixed;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)'
    place.append(element)
  }
  return element
}

export const NEWS = 0
const STATE = 1

/** With its language. No text: by now there is nothing to say. */
export type Sentence = () => readonly [text: string | false | undefined, lang: string]

/** One of each kind: what has come is not lost because something else is to be seen. */
const waiting: Sentence[] = []

/** Speaks `sentence()` a second from now, unless a newer one of its kind takes its place. Silent while the page is hidden. */
export function announce(sentence: Sentence, kind: typeof NEWS | typeof STATE = STATE): void {
  if (document.hidden) return
  const target = region()
  if (waiting.length === 0) {
    target.textContent = ''
    setTimeout(() => {
      const said = waiting.splice(0).flatMap(say => {
        const [text, lang] = say()
        if (!text) return []
        const part = document.createElement('p')
        Object.assign(part, { lang, textContent: text })
        return part
      })
      target.replaceChildren(...said)
      // What is said next has taken its place before, perhaps.
      setTimeout(() => said.forEach(part => part.remove()), HEARD)
    }, BURST)
  }
  waiting[kind] = sentence
}
