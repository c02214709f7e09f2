// Finds the focusable element beside a list.

const FOCUSABLE =
  'a[href], button:not(:disabled, [aria-disabled="true"]), input:not(:disabled), select, textarea, summary, [tabindex]'

/** Returns the element itself if Tab reaches it, or the first or last such element in its shadow root. */
function findFocusable(element: HTMLElement, fromEnd: boolean): HTMLElement | undefined {
  if (element.matches(FOCUSABLE) && element.tabIndex >= 0) {
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
export function findBeside(feed: Element, isAfter: boolean): HTMLElement | undefined {
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
