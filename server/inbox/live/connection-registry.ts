// Who is connected to this node, and what each has been sent: one registry for all kinds of connections.

import type { InboxChange, InboxReset } from '#protocol'

import type { UserKey } from '../../core/id.ts'
import type { InboxEvent } from '../../core/inbox-event.ts'
import { CHANGE_LIMIT } from '../items.sql.ts'
import type { Missed } from '../read-inbox.sql.ts'
import { encode, encodeChange, type Connection } from './connection.ts'

/** A user with at least one open connection. */
export interface Audience extends UserKey {
  readonly connections: Set<Connection>
}

// Neither id can hold a NUL.
const nameOf = (envId: string, userId: string): string => `${envId}\0${userId}`

/** Texts of one frame, made once for all connections that get the same. */
const texts = (change: InboxChange) => {
  const made = new Map<string, string | undefined>()
  return ({ kind }: Connection, since: number): string | undefined => {
    const name = kind === 'vendor' ? `${kind} ${since}` : kind
    if (!made.has(name)) made.set(name, encodeChange(kind, change, since))
    return made.get(name)
  }
}

export class Registry {
  readonly #audiences = new Map<string, Audience>()
  #connections = 0

  get connections(): number {
    return this.#connections
  }

  get audiences(): Iterable<Audience> {
    return this.#audiences.values()
  }

  find(envId: string, userId: string): Audience | undefined {
    return this.#audiences.get(nameOf(envId, userId))
  }

  join(connection: Connection, user: UserKey): Audience {
    const name = nameOf(user.envId, user.userId)
    let audience = this.#audiences.get(name)
    if (!audience) {
      audience = { bucket: user.bucket, connections: new Set(), envId: user.envId, userId: user.userId }
      this.#audiences.set(name, audience)
    }
    audience.connections.add(connection)
    this.#connections += 1
    return audience
  }

  leave(connection: Connection, audience: Audience): void {
    if (!audience.connections.delete(connection)) return
    this.#connections -= 1
    if (audience.connections.size === 0) this.#audiences.delete(nameOf(audience.envId, audience.userId))
  }

  /** Says that the preferences have changed, to all who show any. */
  sayChosen(envId: string, userId: string): void {
    for (const connection of this.find(envId, userId)?.connections ?? []) {
      const text = encode(connection.kind, 'inbox/preferences', {})
      // Who has not been greeted yet has hardly read them.
      if (text !== undefined && connection.greeted) connection.send(text)
    }
  }

  /**
   * Sends a change to those for whom it is the next one.
   *
   * @returns the audience, when some of it must be told what else happened
   */
  deliver({ envId, userId, change }: InboxEvent): Audience | undefined {
    const audience = this.find(envId, userId)
    if (!audience) return undefined
    if (change.items.length + change.removed.length > CHANGE_LIMIT) return audience
    const text = texts(change)
    let behind = false
    for (const connection of audience.connections) {
      const { version } = connection
      if (connection.paged) continue
      if (!connection.greeted || version === undefined) behind = true
      else if (change.version <= version) continue
      else if (change.prev > version) behind = true
      else {
        connection.version = change.version
        const own = text(connection, version)
        if (own !== undefined) connection.send(own)
      }
    }
    return behind ? audience : undefined
  }
}

/** Connections of an audience and their versions when a read began: its answer is for these. */
export type Asking = ReadonlyMap<Connection, number | undefined>

export const askingOf = ({ connections }: Audience): Map<Connection, number | undefined> =>
  new Map(
    [...connections].filter(({ paged }) => paged !== true).map(connection => [connection, connection.version])
  )

/** The smallest version of those who asked; undefined when none has said any. */
export function sinceOf(asking: Asking): number | undefined {
  let since: number | undefined
  for (const version of asking.values()) {
    if (version !== undefined && (since === undefined || version < since)) since = version
  }
  return since
}

/** Tells those who asked what they missed, and greets those who are new with the version of the inbox. */
export function settle({ connections }: Audience, asking: Asking, missed: Missed): void {
  const { version: head } = missed.kind === 'reset' ? missed.reset : missed.change
  const text = missed.kind === 'change' ? texts(missed.change) : undefined
  for (const [connection, asked] of asking) {
    // Gone in the meantime.
    if (!connections.has(connection)) continue
    const { version } = connection
    if (asked !== undefined && asked > head) reset(connection, { reset: true, version: head })
    else if (version === undefined) connection.version = head
    else if (version < head) {
      if (missed.kind === 'reset') reset(connection, missed.reset)
      else if (missed.change.prev <= version) {
        connection.version = head
        const own = text!(connection, version)
        if (own !== undefined) connection.send(own)
      }
    }
    if (connection.greeted) continue
    connection.greeted = true
    const hello = encode(connection.kind, 'inbox/head', {
      version: head,
      ...(missed.kind === 'change' && { counts: missed.change.counts })
    })
    if (hello !== undefined) connection.send(hello)
  }
}

function reset(connection: Connection, payload: InboxReset): void {
  connection.version = payload.version
  const text = encode(connection.kind, 'inbox/reset', payload)
  if (text !== undefined) connection.send(text)
}
