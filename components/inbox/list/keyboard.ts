// Keys of a feed (WAI-ARIA feed pattern): PageDown and PageUp focus the next and previous notification, Ctrl+Home and Ctrl+End leave
// the feed to either side, Enter opens.

const FOCUSABLE =
  'a[href], button:not(:disabled, [aria-disabled="true"]), input:not(:disabled), select, textarea, summary, [tabindex]:not([tabindex="-1"])'

/** Returns the element itself if it can be focused, or the first or last such element in its shadow root. */
function findFocusable(element: HTMLElement, fromEnd: boolean): HTMLElement | undefined {
  if (element.matches(FOCUSABLE)) {
    return element.checkVisibility({ visibilityProperty: true }) ? element : undefined
  }
  const { shadowRoot } = element
  return shadowRoot ? findFirstFocusable([...shadowRoot.querySelectorAll('*')], fromEnd) : undefined
}

function findFirstFocusable(elements: readonly Element[], fromEnd: boolean): HTMLElement | undefined {
  for (const element of fromEnd ? elements.toReversed() : elements) {
    const found = findFocusable(element as HTMLElement, fromEnd)
    if (found) return found
  }
  return undefined
}

/** Returns the focusable element nearest to the feed on one side: in the element of the feed, else around it. */
function findBeside(feed: Element, isAfter: boolean): HTMLElement | undefined {
  for (let from: Element = feed; ;) {
    const root = from.getRootNode() as Document | ShadowRoot
    const all = [...root.querySelectorAll('*')]
    const index = all.indexOf(from)
    const candidates = (isAfter ? all.slice(index) : all.slice(0, index)).filter(
      element => !element.contains(from) && !from.contains(element)
    )
    const found = findFirstFocusable(candidates, !isAfter)
    // The keys do not leave an open panel.
    if (found || !(root instanceof ShadowRoot) || from.closest('[popover]')) return found
    from = root.host
  }
}

const STEPS: Readonly<Record<string, number>> = { PageDown: 1, PageUp: -1 }

/** @param open - called for Enter on a notification itself */
export function onFeedKey(event: KeyboardEvent, open: (row: HTMLElement) => void): void {
  const feed = event.currentTarget as HTMLElement
  const row = (event.target as Element).closest('article')
  if (!row) return
  if (event.key === 'Enter' && event.target === row) {
    event.preventDefault()
    return open(row)
  }
  const step = STEPS[event.key]
  if (!step && !(event.ctrlKey && /^(?:Home|End)$/.test(event.key))) return
  // Also at either end of the list, where the key would scroll the page.
  event.preventDefault()
  const rows = [...feed.querySelectorAll('article')]
  const next = step ? rows[rows.indexOf(row) + step] : findBeside(feed, event.key === 'End')
  next?.focus()
}
