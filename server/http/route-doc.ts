// What a route says about itself: the schemas it reads with, and requests that a test sends to hold it to its word.

import type { z } from 'zod'

/** Groups of the reference, in the order in which a newcomer meets them. */
export const TAGS = {
  send: 'Send notifications, and retract them.',
  schedules: 'Sends that wait for their time.',
  users: 'Who they are and where they are reached.',
  preferences: 'What each user wants to hear, and by which channel.',
  inbox: 'The in-app notifications of one user.',
  types: 'Notification types and their templates.',
  logs: 'What happened to each send.',
  environments: 'Client ids, their secrets and settings.',
  sandbox: 'Messages of channels that have no provider.',
  operations: 'For balancers and operators.'
} as const

export type Tag = keyof typeof TAGS

/** A request as somebody would make it. A test sends it, in the order: writing, reading, deleting. */
export interface Example {
  /** A few words, unique within the route. */
  readonly name: string
  /** Parts of the path beside the client id, by name; default: see openapi/parameters.ts. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly status: number
  /** What comes back; it fits `Doc.answer`. */
  readonly answer?: unknown
}

export interface Doc {
  /** camelCase, a verb first, unique: the name of the function in generated clients. */
  readonly operationId: string
  /** One short line without a full stop. */
  readonly summary: string
  /** Markdown; absent where the summary says it all. */
  readonly description?: string
  readonly tag: Tag
  /** Schema that the route parses the body with. */
  readonly body?: z.ZodType
  /** An empty body means something. */
  readonly bodyOptional?: true
  /** Schema that the route parses the query with. */
  readonly query?: z.ZodObject
  /** Schema of JSON answers below 400, without transforms; absent: they have no body. */
  readonly answer?: z.ZodType
  /** At least one; the statuses that clients have to expect beside problems. */
  readonly examples: readonly [Example, ...Example[]]
}
