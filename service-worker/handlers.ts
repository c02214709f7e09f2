// Handles the events of the service worker. The registration and the pages are parameters, so that tests can replace them.

import { toPageAddress, readMessage } from './message.ts'

interface Shown {
  readonly tag: string
  readonly data: unknown
  close(): void
}

interface Subscription {
  readonly options: object
}

export interface Registration {
  showNotification(title: string, options: object): Promise<void>
  getNotifications(): Promise<readonly { readonly tag: string; close(): void }[]>
  readonly pushManager: { subscribe(options: object): Promise<unknown> }
}

export interface OpenPage {
  readonly url: string
  focus(): Promise<unknown>
  postMessage(message: WorkerMessage): void
}

export interface Pages {
  matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly OpenPage[]>
  openWindow(url: string): Promise<unknown>
}

/** Messages to the open pages of the site. `tag` is the tracking id of the send. */
export type WorkerMessage =
  | { readonly type: 'notif-push' | 'notif-push-click' | 'notif-push-close'; readonly tag: string }
  /** The browser replaced the subscription. A page with a signed-in user sends the new one to the server. */
  | { readonly type: 'notif-push-renewed' }

const findPages = (pages: Pages): Promise<readonly OpenPage[]> =>
  pages.matchAll({ includeUncontrolled: true, type: 'window' })

async function postToPages(pages: Pages, message: WorkerMessage): Promise<void> {
  // A client of the worker has the worker's origin, so `postMessage` takes no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  for (const page of await findPages(pages)) page.postMessage(message)
}

export async function onPush(
  registration: Registration,
  pages: Pages,
  data: string | undefined
): Promise<void> {
  const { close = [], message, title, url, ...options } = readMessage(data)
  await registration.showNotification(title, {
    ...options,
    data: { url },
    ...(message !== undefined && { body: message })
  })
  if (close.length > 0) {
    for (const shown of await registration.getNotifications()) if (close.includes(shown.tag)) shown.close()
  }
  await postToPages(pages, { tag: options.tag ?? '', type: 'notif-push' })
}

/** Focuses a page that shows the address already, or else opens a new one. */
export async function onClick(notification: Shown, pages: Pages, site: string): Promise<void> {
  notification.close()
  await postToPages(pages, { tag: notification.tag, type: 'notif-push-click' })
  const address = toPageAddress((notification.data as { url?: unknown } | null)?.url, site)
  if (address === undefined) return
  const open = (await findPages(pages)).find(page => page.url === address)
  await (open ? open.focus() : pages.openWindow(address))
}

export const onClose = ({ tag }: Pick<Shown, 'tag'>, pages: Pages): Promise<void> =>
  postToPages(pages, { tag, type: 'notif-push-close' })

/**
 * Subscribes again if the browser ended the subscription without a new one, and notifies the open pages. The worker knows neither the
 * user nor the user hash, so a page sends the subscription to the server: an open one, or else the next one that loads.
 */
export async function onChange(
  registration: Registration,
  pages: Pages,
  before: Subscription | null | undefined,
  now: Subscription | null | undefined
): Promise<void> {
  if (!now && before) await registration.pushManager.subscribe(before.options)
  await postToPages(pages, { type: 'notif-push-renewed' })
}
