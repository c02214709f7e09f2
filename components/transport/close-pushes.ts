// Closes web pushes of notifications that the user has read elsewhere. Another page may have closed them before.

import type { InboxChange } from '../protocol/index.ts'

export const DEFAULT_WORKER_PATH = '/notif-service-worker.js'

/** @param path - address of the service worker. Default: {@link DEFAULT_WORKER_PATH} */
export async function closePushes(
  { items, removed }: Pick<InboxChange, 'items' | 'removed'>,
  path: string = DEFAULT_WORKER_PATH
): Promise<void> {
  const read = items.filter(({ archived, opened }) => archived || opened).map(({ id }) => id)
  // The tag of a push is the tracking id of its send.
  const tags = new Set<string>([...read, ...removed])
  if (tags.size === 0) return
  const registration = await navigator.serviceWorker?.getRegistration(path)
  for (const shown of (await registration?.getNotifications()) ?? []) if (tags.has(shown.tag)) shown.close()
}
