// What goes over the socket: on the plain endpoint one JSON text `{ route, payload }` a frame,
// over Socket.IO an event named by the route with the payload as its only argument.

import type { Counts, InboxChange, InboxReset } from './inbox.ts'

/** Sent with every hello; a server refuses a client that is newer than itself. */
export const PROTOCOL_VERSION = 1

/** First frame of a plain connection opened with `?kit=1`; the `auth` of a Socket.IO connection. */
export interface Hello {
  readonly protocol: number
  readonly clientId: string
  readonly userId: string
  /** base64(HMAC-SHA256(client secret, user id)); may be empty where secure mode is off. */
  readonly userHash: string
  /** What the client knows, so that the server sends what it missed; absent: nothing is known yet. */
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
  /** Answer to a hello, then mostly with the counters; without them repeated as a sign of life at least every 25 s. */
  'inbox/head': { readonly version: number; readonly counts?: Counts }
  /** The preferences of the user have changed, here or on another device: who shows them reads them again. */
  'inbox/preferences': Readonly<Record<string, never>>
  /** The connection is refused for good (close code 4401 follows): do not try again with these credentials. */
  'inbox/refused': { readonly title: string; readonly detail: string }
}

export type ServerFrame = {
  [R in keyof ServerFrames]: { readonly route: R; readonly payload: ServerFrames[R] }
}[keyof ServerFrames]

/** Close code after `inbox/refused`. */
export const CLOSE_REFUSED = 4401
/** A sign of life comes at least this often, in milliseconds; a client that hears nothing for twice as long reconnects. */
export const HEARTBEAT_MS = 25_000
