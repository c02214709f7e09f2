// The keys of the tabs, which are a toolbar (WAI-ARIA toolbar pattern): one Tab stop, and arrows, Home and End move within it. They are
// buttons that filter one list, and no `tablist`: that owns nothing but tabs, and beside them is the button of a menu. Loaded when the
// focus comes near.

const known = new WeakSet<Element>()

const findTabs = (row: Element): readonly HTMLElement[] => [
  ...row.querySelectorAll<HTMLElement>('.tab:not([data-wrapped])')
]

/** Moves the focus to the tab to which the key leads from the one that has it. */
export function moveToTab(row: Element, key: string): void {
  const tabs = findTabs(row)
  const isBackwards = (key === 'ArrowLeft') !== row.matches(':dir(rtl)')
  const index = tabs.indexOf((row.getRootNode() as ShadowRoot).activeElement as HTMLElement)
  const next = key === 'Home' ? 0 : key === 'End' ? -1 : (index + (isBackwards ? -1 : 1)) % tabs.length
  tabs.at(next)?.focus()
}

/** @param stop - the tab that Tab reaches */
function setStop(row: Element, stop: EventTarget | null | undefined): void {
  for (const tab of findTabs(row)) tab.tabIndex = tab === stop ? 0 : -1
}

/** One of the tabs may have the focus already. */
export function useTabStop(header: Element): void {
  const row = header.querySelector('.tabs')!
  if (known.has(row)) return
  known.add(row)
  row.addEventListener('focusin', ({ target }) => setStop(row, target))
  row.addEventListener('focusout', () => {
    // The chosen one: of a tab that is in the menu and its button, the button.
    setStop(
      row,
      findTabs(row).findLast(tab => tab.ariaPressed === 'true')
    )
  })
}
