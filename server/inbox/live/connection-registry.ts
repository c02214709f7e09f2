// The connections of this node by user, and what each was sent: one registry for all kinds of connections.

import type { InboxChange, InboxReset, Pause, ServerFrames } from '#protocol'

import type { UserKey } from '../../core/id.ts'
import type { InboxEvent } from '../../core/live-updates.ts'
import { MAX_CHANGE_ITEMS } from '../patch-items.sql.ts'
import type { MissedChanges } from '../read-inbox.sql.ts'
import { encode, encodeChange, type Connection } from './connection.ts'

export interface ConnectedUser extends UserKey {
  readonly connections: Set<Connection>
}

// Neither id can contain a NUL.
const userMapKey = (envId: string, userId: string): string => `${envId}\0${userId}`

/** Encodes a change once for all connections that get the same frame. */
const changeEncoder = (change: InboxChange) => {
  const frames = new Map<string, string | undefined>()
  return ({ kind }: Connection, since: number): string | undefined => {
    const key = kind === 'legacy' ? `${kind} ${since}` : kind
    if (!frames.has(key)) frames.set(key, encodeChange(kind, change, since))
    return frames.get(key)
  }
}

export class ConnectionRegistry {
  readonly #users = new Map<string, ConnectedUser>()
  #connectionCount = 0

  get connectionCount(): number {
    return this.#connectionCount
  }

  get users(): Iterable<ConnectedUser> {
    return this.#users.values()
  }

  find(envId: string, userId: string): ConnectedUser | undefined {
    return this.#users.get(userMapKey(envId, userId))
  }

  add(connection: Connection, { bucket, envId, userId }: UserKey): ConnectedUser {
    const key = userMapKey(envId, userId)
    let user = this.#users.get(key)
    if (!user) {
      user = { bucket, connections: new Set(), envId, userId }
      this.#users.set(key, user)
    }
    user.connections.add(connection)
    this.#connectionCount += 1
    return user
  }

  remove(connection: Connection, user: ConnectedUser): void {
    if (!user.connections.delete(connection)) return
    this.#connectionCount -= 1
    if (user.connections.size === 0) this.#users.delete(userMapKey(user.envId, user.userId))
  }

  notifyPreferencesChanged({ connections }: ConnectedUser, payload: ServerFrames['inbox/preferences']): void {
    for (const connection of connections) {
      const text = encode(connection.kind, 'inbox/preferences', payload)
      // A client whose handshake is not answered yet reads the preferences later.
      if (text !== undefined && connection.isReady) connection.send(text)
    }
  }

  /**
   * Sends a change to each connection of its user for which it is the next change.
   *
   * @returns the user if one of the connections needs a catch-up
   */
  deliver({ envId, userId, change }: InboxEvent): ConnectedUser | undefined {
    const user = this.find(envId, userId)
    if (!user) return undefined
    if (change.items.length + change.removed.length > MAX_CHANGE_ITEMS) return user
    const encoded = changeEncoder(change)
    let isBehind = false
    for (const connection of user.connections) {
      const { version } = connection
      if (connection.isCatchingUp) continue
      if (!connection.isReady || version === undefined) isBehind = true
      else if (change.version <= version) continue
      else if (change.prev > version) isBehind = true
      else {
        connection.version = change.version
        const frame = encoded(connection, version)
        if (frame !== undefined) connection.send(frame)
      }
    }
    return isBehind ? user : undefined
  }
}

/** The connections of a user and their versions when a read begins; its result is sent to these. */
export type VersionSnapshot = ReadonlyMap<Connection, number | undefined>

export const snapshotVersions = ({ connections }: ConnectedUser): Map<Connection, number | undefined> =>
  new Map(
    [...connections]
      .filter(({ isCatchingUp }) => isCatchingUp !== true)
      .map(connection => [connection, connection.version])
  )

/** @returns undefined if no connection has a version */
export function lowestVersion(versions: VersionSnapshot): number | undefined {
  const known = [...versions.values()].filter(version => version !== undefined)
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.min(a, b))
}

/**
 * Sends what each connection of a snapshot missed, and answers open handshakes with the inbox version.
 *
 * @param pause - of the user; undefined if no handshake was open when the read began
 */
export function sendMissed(
  { connections }: ConnectedUser,
  versions: VersionSnapshot,
  missed: MissedChanges,
  pause?: Pause
): void {
  const { version: inboxVersion } = missed.kind === 'reset' ? missed.reset : missed.change
  const encoded = missed.kind === 'change' ? changeEncoder(missed.change) : undefined
  for (const [connection, versionAtRead] of versions) {
    const hasClosed = !connections.has(connection)
    if (hasClosed) continue
    const { version } = connection
    if (versionAtRead !== undefined && versionAtRead > inboxVersion) {
      sendReset(connection, { reset: true, version: inboxVersion })
    } else if (version === undefined) connection.version = inboxVersion
    else if (version < inboxVersion) {
      if (missed.kind === 'reset') sendReset(connection, missed.reset)
      else if (missed.change.prev <= version) {
        connection.version = inboxVersion
        const frame = encoded!(connection, version)
        if (frame !== undefined) connection.send(frame)
      }
    }
    if (connection.isReady) continue
    connection.isReady = true
    const frame = encode(connection.kind, 'inbox/head', {
      version: inboxVersion,
      ...(missed.kind === 'change' && { counts: missed.change.counts }),
      ...(pause?.isOn && { pause })
    })
    if (frame !== undefined) connection.send(frame)
  }
}

function sendReset(connection: Connection, reset: InboxReset): void {
  connection.version = reset.version
  const frame = encode(connection.kind, 'inbox/reset', reset)
  if (frame !== undefined) connection.send(frame)
}
