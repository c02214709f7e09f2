// One open socket of one user, whatever it speaks.

import type { InboxChange, Notif, ServerFrames } from '#protocol'

import { toVendor } from '../legacy-notification.ts'

/** plain: our JSON frames. socket-io: the same as Socket.IO events. vendor: the frames of existing clients. */
export type Kind = 'plain' | 'socket-io' | 'vendor'

export interface Connection {
  readonly kind: Kind
  /** What its client knows, as far as we know: what it said in its hello, then what it was sent. */
  version: number | undefined
  /** What let it in; see http/auth.ts. Undefined before its hello. */
  proof?: string | undefined
  /** Its hello has been answered: before, nothing is sent to it. */
  greeted: boolean
  /** It is told page by page what it missed: what comes meanwhile is on the last ones. */
  paged?: boolean
  /** When it next gets a sign of life, by `performance.now()`. */
  beatAt: number | undefined
  /** Drops the connection instead when too much is waiting to be sent. */
  send(text: string): void
  /** A sign of life; drops the connection when the last one found nobody. */
  beat(text: string | undefined): void
  /** Asks the client to come back, to another node if there is one. */
  move(): void
  /** At once and without a word. */
  drop(): void
}

/** The text of a frame in the words of a kind, or undefined when these clients have none for it. */
export function encode<R extends keyof ServerFrames>(
  kind: Kind,
  route: R,
  payload: ServerFrames[R]
): string | undefined {
  if (kind === 'plain') return JSON.stringify({ payload, route })
  // A Socket.IO event; the engine marks it as its message.
  if (kind === 'socket-io') return `2${JSON.stringify([route, payload])}`
  return undefined
}

/** New notifications for clients of the vendor kind. @param items - the newest first */
export const vendorNews = (items: readonly Notif[]): string =>
  JSON.stringify({ payload: { notifications: items.map(toVendor) }, route: 'inapp_web/new_notifications' })

/** A change for a client that is at `since`; clients of the vendor kind hear only of new notifications. */
export function encodeChange(kind: Kind, change: InboxChange, since: number): string | undefined {
  if (kind !== 'vendor') return encode(kind, 'inbox/change', change)
  const fresh = change.items.filter(item => Date.parse(item.date) > since)
  return fresh.length === 0 ? undefined : vendorNews(fresh.toReversed())
}
