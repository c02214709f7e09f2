// The inboxes of the page: toasts wait until all of them are closed, and open one.

interface Inbox extends HTMLElement {
  show(): Promise<void>
}

const SELECTOR = 'notif-popup, notif-launcher'

/** Also those in shadow roots, which no selector finds: they are known from their events. */
const opened = new Set<Element>()

const inboxOf = (event: Event): Element => event.composedPath()[0] as Element

/** Calls the listener when an inbox has opened, until the signal. */
export function watchInboxes(onOpen: () => void, signal: AbortSignal): void {
  document.addEventListener(
    'notif-after-show',
    event => {
      opened.add(inboxOf(event))
      onOpen()
    },
    { signal }
  )
  document.addEventListener('notif-after-hide', event => opened.delete(inboxOf(event)), { signal })
}

export function isInboxOpen(): boolean {
  for (const inbox of opened) if (!inbox.isConnected) opened.delete(inbox)
  return opened.size > 0 || document.querySelector(':is(notif-popup, notif-launcher)[open]') !== null
}

/** Returns the first inbox of the page that is visible. */
export const findInbox = (): Inbox | undefined =>
  [...document.querySelectorAll<Inbox>(SELECTOR)].find(inbox => inbox.checkVisibility() && 'show' in inbox)

export const findLauncher = (): DOMRect | undefined =>
  [...document.querySelectorAll('notif-launcher')]
    .find(launcher => launcher.checkVisibility())
    ?.getBoundingClientRect()

const LAUNCHER_GAP_PX = 12

/** Moves the toasts away from a launcher in the same corner. */
export function liftAbove(toasts: HTMLElement, launcher: DOMRect | undefined): void {
  toasts.style.removeProperty('--_lift')
  const { bottom, left, right } = toasts.getBoundingClientRect()
  if (!launcher || launcher.left > right || launcher.right < left) return
  const isTop = bottom < innerHeight / 2
  if (launcher.top < innerHeight / 2 !== isTop) return
  const edge = isTop ? launcher.bottom : innerHeight - launcher.top
  toasts.style.setProperty('--_lift', `${edge + LAUNCHER_GAP_PX}px`)
}
