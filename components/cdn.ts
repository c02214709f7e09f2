// The file for a script tag. Its address never changes, so it only imports chunks, which have a hash in their name.

import { servePage } from './autoloader.ts'
import type { NotifContext } from './headless/context.ts'

export { configure } from './configure.ts'
export { serve } from './autoloader.ts'

/** Loaded on the first call: a page that only shows elements does not need it. */
export const getNotifContext = async (element: Element): Promise<NotifContext> =>
  (await import('./headless/notif-context.ts')).getNotifContext(element)

servePage(import.meta.url)
