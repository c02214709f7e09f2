// Shows the number of new notifications outside of the page: on the icon of an installed app, and in the title. Loaded only if the page
// wants one of them.

import type { NotifStore } from '../../store/types.ts'
import type { OutsideCountConfig } from '../config.ts'

type CountListener = (count: number) => void

const showOnIcon: CountListener = count => {
  // A browser may refuse it, such as in a private window.
  navigator.setAppBadge(count).catch(() => {})
}

/** The page may change its title at any time, and gets it back. */
function showInTitle(signal: AbortSignal): CountListener {
  let count = 0
  let ownTitle = document.title
  let shown = ownTitle
  const update = (): void => {
    if (document.title !== shown) ownTitle = document.title
    shown = count > 0 ? `(${count}) ${ownTitle}` : ownTitle
    if (document.title !== shown) document.title = shown
    // The browser removes spaces at the ends.
    shown = document.title
  }
  const observer = new MutationObserver(update)
  observer.observe(document.head, { characterData: true, childList: true, subtree: true })
  signal.addEventListener('abort', () => observer.disconnect())
  return next => {
    count = next
    update()
  }
}

/** Attributes are texts; an empty one is on. */
const isOff = (value: unknown): boolean => /off|false|undefined|null/.test(`${value}`)

/** Shows the number until the signal, and then none. */
export function showCount(
  store: NotifStore,
  { appBadge = 'auto', titleCount }: OutsideCountConfig,
  signal: AbortSignal
): void {
  if (signal.aborted) return
  const show: CountListener[] = []
  const isInstalled = matchMedia('(display-mode: standalone)').matches
  if (isInstalled && 'setAppBadge' in navigator && !isOff(appBadge)) show.push(showOnIcon)
  if (!isOff(titleCount)) show.push(showInTitle(signal))
  const update = (count: number): void => show.forEach(listener => listener(count))
  const read = (): void => {
    const { unopened, unseen } = store.$counts.get()
    update(store.$pause?.get()?.isOn ? 0 : (unseen ?? unopened))
  }
  const ends = [store.$counts.listen(read), store.$pause?.listen(read)]
  read()
  signal.addEventListener('abort', () => {
    for (const end of ends) end?.()
    update(0)
  })
}
