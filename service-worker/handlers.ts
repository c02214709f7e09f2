// What the worker does at each event, on whatever stands for the browser's registration and its pages.

import { pageOf, readMessage } from './message.ts'

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
  readonly pushManager: { subscribe(options: object): Promise<unknown> }
}

export interface OpenPage {
  readonly url: string
  focus(): Promise<unknown>
  postMessage(message: WorkerNews): void
}

export interface Pages {
  matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly OpenPage[]>
  openWindow(url: string): Promise<unknown>
}

/** What open pages of the site are told; `tag` is the tracking id of the send. */
export type WorkerNews =
  | { readonly type: 'notif-push' | 'notif-push-click' | 'notif-push-close'; readonly tag: string }
  /** The subscription is another one now: a page that is signed in tells the server. */
  | { readonly type: 'notif-push-renewed' }

const pagesOf = (pages: Pages): Promise<readonly OpenPage[]> =>
  pages.matchAll({ includeUncontrolled: true, type: 'window' })

async function tell(pages: Pages, news: WorkerNews): Promise<void> {
  // A page of our own origin, not a window: it takes no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  for (const page of await pagesOf(pages)) page.postMessage(news)
}

export async function onPush(
  registration: Registration,
  pages: Pages,
  data: string | undefined
): Promise<void> {
  const { message, title, url, ...shown } = readMessage(data)
  await registration.showNotification(title, {
    ...shown,
    data: { url },
    ...(message !== undefined && { body: message })
  })
  await tell(pages, { tag: shown.tag ?? '', type: 'notif-push' })
}

/** A page that shows the address already comes to the front; otherwise it opens in a new one. */
export async function onClick(notification: Shown, pages: Pages, site: string): Promise<void> {
  notification.close()
  await tell(pages, { tag: notification.tag, type: 'notif-push-click' })
  const address = pageOf((notification.data as { url?: unknown } | null)?.url, site)
  if (address === undefined) return
  const open = (await pagesOf(pages)).find(page => page.url === address)
  await (open ? open.focus() : pages.openWindow(address))
}

export const onClose = ({ tag }: Pick<Shown, 'tag'>, pages: Pages): Promise<void> =>
  tell(pages, { tag, type: 'notif-push-close' })

/**
 * The browser has replaced the subscription, or only ended it. The worker knows neither user nor secret, so pages tell
 * the server: those that are open now, and otherwise the next one.
 */
export async function onChange(
  registration: Registration,
  pages: Pages,
  before: Subscription | null | undefined,
  now: Subscription | null | undefined
): Promise<void> {
  if (!now && before) await registration.pushManager.subscribe(before.options)
  await tell(pages, { type: 'notif-push-renewed' })
}
