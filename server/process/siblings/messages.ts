// The messages between the parent and its processes, over the channel that Node opens for them.

import type { Keys } from '../../environments/encryption/keys.ts'

/** What a process gets from its parent at its start. */
export interface Assignment {
  /** From 1. */
  readonly number: number
  /** Processes that share the settings for all of them, such as connections to the database. */
  readonly count: number
  /** Of all of them: other machines take them for one node. */
  readonly nodeId: string
  /** For the sockets between the processes. */
  readonly folder: string
  /** Address at which siblings serve already; undefined: this process serves first. */
  readonly siblingBase: string | undefined
  /** Of the embedded database, which belongs to the parent; undefined: DATABASE_URL. */
  readonly databaseUrl: string | undefined
}

export type FromParent =
  | { readonly kind: 'assignment'; readonly assignment: Assignment }
  /** The processes that run now. */
  | { readonly kind: 'numbers'; readonly numbers: readonly number[] }
  | { readonly kind: 'stop' }

export type ToParent =
  /** The process listens to its parent, and needs its assignment. */
  | { readonly kind: 'hello' }
  /** The process has its socket for siblings. */
  | { readonly kind: 'linked' }
  | { readonly kind: 'ready'; readonly ready: Ready }

/** What the parent prints about a start. */
export interface Ready {
  readonly base: string
  readonly demo: boolean
  readonly keys: Pick<Keys, 'clientId' | 'fresh'>
}
