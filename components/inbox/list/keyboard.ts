// Keys of a feed (WAI-ARIA feed pattern): PageDown and PageUp go from notification to notification,
// Ctrl+Home and Ctrl+End leave it to either side, Enter opens.

const FOCUSABLE =
  'a[href], button:not(:disabled, [aria-disabled="true"]), input:not(:disabled), select, textarea, summary, [tabindex]:not([tabindex="-1"])'

/** The element itself, or the first or last thing in it that can have the focus, where it is another custom element. */
function entry(element: HTMLElement, last: boolean): HTMLElement | undefined {
  if (element.matches(FOCUSABLE)) {
    return element.checkVisibility({ visibilityProperty: true }) ? element : undefined
  }
  return element.shadowRoot ? nearest([...element.shadowRoot.querySelectorAll('*')], last) : undefined
}

function nearest(elements: readonly Element[], last: boolean): HTMLElement | undefined {
  for (const element of last ? elements.toReversed() : elements) {
    const found = entry(element as HTMLElement, last)
    if (found) return found
  }
  return undefined
}

/** The focusable element nearest to the feed on one side: inside its element, else outside of it. */
function beside(feed: Element, after: boolean): HTMLElement | undefined {
  for (let from: Element = feed; ;) {
    const root = from.getRootNode() as Document | ShadowRoot
    const all = [...root.querySelectorAll('*')]
    const there = (after ? all.slice(all.indexOf(from)) : all.slice(0, all.indexOf(from))).filter(
      element => !element.contains(from) && !from.contains(element)
    )
    const found = nearest(there, !after)
    // An open panel is a place of its own: the keys do not lead out of it.
    if (found || !(root instanceof ShadowRoot) || from.closest('[popover]')) return found
    from = root.host
  }
}

const STEPS: Readonly<Record<string, number>> = { PageDown: 1, PageUp: -1 }

/** Handles a key pressed inside the feed. `choose` is called for Enter on a notification itself. */
export function onFeedKey(event: KeyboardEvent, choose: (row: HTMLElement) => void): void {
  const feed = event.currentTarget as HTMLElement
  const row = (event.target as Element).closest('article')
  if (!row) return
  if (event.key === 'Enter' && event.target === row) {
    event.preventDefault()
    return choose(row)
  }
  const step = STEPS[event.key]
  if (!step && !(event.ctrlKey && /^(?:Home|End)$/.test(event.key))) return
  // At either end the key scrolls nothing away from under the reader.
  event.preventDefault()
  const rows = [...feed.querySelectorAll('article')]
  const next = step ? rows[rows.indexOf(row) + step] : beside(feed, event.key === 'End')
  next?.focus()
}
