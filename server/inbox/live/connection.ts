// One open socket of one user, whatever its protocol, and the text of the frames for each protocol.

import type { InboxChange, Notif, ServerFrames } from '#protocol'

import { toLegacyNotification } from '../legacy-notification.ts'

/**
 * plain: JSON frames. socket-io: the same frames as Socket.IO events. legacy: the frames of the legacy SDK. long-poll: a request
 * that gets one frame as its answer.
 */
export type ConnectionKind = 'plain' | 'socket-io' | 'legacy' | 'long-poll'

export interface Connection {
  readonly kind: ConnectionKind
  /** Inbox version of the client: from its handshake or its last sync, then of the last frame that was sent. */
  version: number | undefined
  /** Fingerprint of the credential that was accepted (http/auth.ts). Undefined before the handshake. */
  credential?: string | undefined
  /** The handshake was answered. Nothing is sent before. */
  isReady: boolean
  /** The client gets missed notifications page by page, and new ones with the last page. */
  isCatchingUp?: boolean
  /** Time of the next heartbeat, on the clock of `performance.now()`. */
  nextHeartbeatAt: number | undefined
  /** Terminates the connection instead if its buffer is full. */
  send(text: string): void
  /** Terminates the connection instead if the last heartbeat was not answered. */
  sendHeartbeat(text: string | undefined): void
  /** Closes the connection such that the client reconnects, to another node if there is one. */
  requestReconnect(): void
  /** Closes the connection at once, without a closing handshake. */
  terminate(): void
}

/** Beginning of the answer of a long poll: the preferences of the user have changed. */
export const PREFERENCES_ANSWER = '{"preferences":true'

/** @returns the text of a frame; undefined if the protocol has no such frame */
export function encode<R extends keyof ServerFrames>(
  kind: ConnectionKind,
  route: R,
  payload: ServerFrames[R]
): string | undefined {
  if (kind === 'plain') return JSON.stringify({ payload, route })
  // A Socket.IO event packet; the engine adds its own prefix.
  if (kind === 'socket-io') return `2${JSON.stringify([route, payload])}`
  if (kind === 'long-poll') return encodeAnswer(route, payload)
  return undefined
}

/** The body of `GET …/inbox/changes`. */
function encodeAnswer(route: keyof ServerFrames, payload: ServerFrames[keyof ServerFrames]): string {
  if (route === 'inbox/preferences') return JSON.stringify({ preferences: true, ...payload })
  if (route !== 'inbox/head') return JSON.stringify(payload)
  const { counts, version, ...rest } = payload as ServerFrames['inbox/head']
  return JSON.stringify({ counts, items: [], prev: version, removed: [], version, ...rest })
}

/** @param items - newest first */
export const encodeLegacyNotifications = (items: readonly Notif[]): string =>
  JSON.stringify({
    payload: { notifications: items.map(toLegacyNotification) },
    route: 'inapp_web/new_notifications'
  })

/** A change for a client at version `since`. Legacy clients get new notifications only. */
export function encodeChange(kind: ConnectionKind, change: InboxChange, since: number): string | undefined {
  if (kind !== 'legacy') return encode(kind, 'inbox/change', change)
  const newItems = change.items.filter(item => Date.parse(item.date) > since)
  return newItems.length === 0 ? undefined : encodeLegacyNotifications(newItems.toReversed())
}
