// The number of new notifications outside of the elements: on the icon of an installed app, and in the title of the page.

import type { NotifStore } from '../store/types.ts'
import type { KitConfig } from './config.ts'

/** Attributes are texts; an empty one is on. */
const isOff = (value: unknown): boolean => /off|false|undefined|null/.test(`${value}`)

/**
 * Shows the number until the returned function is called. Most pages show none, so they do not load the code.
 *
 * @param config - of the page
 */
export function showOutsideCount(
  store: NotifStore,
  { appBadge = 'auto', titleCount }: Pick<KitConfig, 'appBadge' | 'titleCount'>
): () => void {
  const end = new AbortController()
  const { signal } = end
  const isInstalled = matchMedia('(display-mode: standalone)').matches
  const hasBadge = isInstalled && 'setAppBadge' in navigator && !isOff(appBadge)
  const hasTitle = !isOff(titleCount)
  if (hasBadge || hasTitle)
    import('./on-demand/count.ts').then(
      ({ showCount }) =>
        signal.aborted || showCount(store, { appBadge: hasBadge, signal, titleCount: hasTitle }),
      () => {}
    )
  return () => end.abort()
}
