// The number of new notifications outside of the elements: on the icon of an installed app, and in the title of the page.

import type { NotifStore } from '../store/types.ts'
import type { OutsideCountConfig } from './config.ts'

/**
 * Shows the number until the returned function is called. Most pages show none, so they do not load the code.
 *
 * @param config - of the page
 */
export function showOutsideCount(store: NotifStore, config: OutsideCountConfig): () => void {
  const end = new AbortController()
  if (config.titleCount !== undefined || matchMedia('(display-mode: standalone)').matches)
    import('./on-demand/count.ts').then(
      ({ showCount }) => showCount(store, config, end.signal),
      () => {}
    )
  return () => end.abort()
}
