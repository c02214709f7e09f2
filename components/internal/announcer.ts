// One voice for the whole document: news are spoken politely, and a burst becomes one sentence.

const BURST = 1000
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
    element.style.cssText = 'position:fixed;clip-path:inset(50%)'
    place.append(element)
  }
  return element
}

let waiting: (() => string) | undefined

/** Speaks `sentence()` a second from now, unless a newer one takes its place. Silent while nobody sees the page. */
export function announce(sentence: () => string): void {
  if (document.hidden) return
  const started = waiting
  waiting = sentence
  const target = region()
  if (started) return
  target.textContent = ''
  setTimeout(() => {
    target.textContent = waiting!()
    waiting = undefined
  }, BURST)
}
