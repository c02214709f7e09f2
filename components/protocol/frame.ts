// Frames of the socket: one JSON text `{ route, payload }` each on the plain endpoint; over Socket.IO an event with the name of the
// route and the payload as its only argument.

import type { Counts, InboxChange, InboxReset } from './inbox.ts'
import type { Pause } from './pause.ts'

/** Sent with every hello; a server refuses a client that is newer than itself. */
export const PROTOCOL_VERSION = 1

/** First frame of a plain connection opened with `?kit=1`; the `auth` of a Socket.IO connection. */
export interface Hello {
  readonly protocol: number
  readonly clientId: string
  readonly userId: string
  /** base64(HMAC-SHA256(client secret, user id)); may be empty if secure mode is off. */
  readonly userHash: string
  /** Version that the client knows: the server sends the changes after it. Absent: none. */
  readonly version?: number
}

/** From the client. */
export interface ClientFrames {
  'inbox/hello': Hello
  /** "I am at this version and missed something." */
  'inbox/sync': { readonly version: number }
}

/** From the server. */
export interface ServerFrames {
  'inbox/change': InboxChange
  'inbox/reset': InboxReset
  /**
   * Answer to a hello, usually with the counters, and with the pause if the user pauses notifications; then a heartbeat without both at
   * least every 25 s.
   */
  'inbox/head': { readonly version: number; readonly counts?: Counts; readonly pause?: Pause }
  /**
   * The preferences of the user have changed, on this device or another: a client that shows them reads them again. The pause is absent
   * if it is not known.
   */
  'inbox/preferences': { readonly pause?: Pause }
  /** The credentials are refused for good; close code 4401 follows. */
  'inbox/refused': { readonly title: string; readonly detail: string }
}

/** Close code after `inbox/refused`. */
export const CLOSE_REFUSED = 4401
/** Longest time between two heartbeats. A client without one for twice as long reconnects. */
export const HEARTBEAT_MS = 25_000
