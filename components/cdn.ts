// The file for a script tag. Its address is the one that pages know, so it holds only the way to what has a hash in its name.

import { servePage } from './autoloader.ts'
import type { NotifContext } from './headless/context.ts'

export { configure } from './configure.ts'
export { serve } from './autoloader.ts'

/** Fetched by the first who asks: a page that only shows elements needs none of it. */
export const getNotifContext = async (element: Element): Promise<NotifContext> =>
  (await import('./headless/notif-context.ts')).getNotifContext(element)

servePage(import.meta.url)
